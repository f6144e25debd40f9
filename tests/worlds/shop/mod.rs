mod conformance;
mod episodes;
