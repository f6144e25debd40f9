mod conformance;
mod episodes;
mod indices;
