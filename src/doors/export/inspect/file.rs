//! The file of a log: a zip whose members are JSON, or one JSON.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::header::Header;
use super::sample::Sample;
use crate::export::ExportError;

/// A log that is being written. Samples go to the disk one by one.
pub(super) struct LogFile {
    path: PathBuf,
    form: Form,
    summaries: Vec<String>,
}

enum Form {
    Zip(Box<ZipWriter<BufWriter<File>>>),
    Json(BufWriter<File>),
}

impl LogFile {
    /// Begins a log.
    pub(super) fn create(path: PathBuf, json: bool, head: &Header) -> Result<Self, ExportError> {
        let begin = || {
            let mut file = BufWriter::new(File::create(&path)?);
            Ok(if json {
                write!(file, "{},\"samples\":[", head.open())?;
                Form::Json(file)
            } else {
                let mut zip = ZipWriter::new(file);
                member(&mut zip, "_journal/start.json", &head.start().to_string())?;
                Form::Zip(Box::new(zip))
            })
        };
        let form = begin().map_err(|error| ExportError::write(&path, &error))?;
        Ok(Self { path, form, summaries: Vec::new() })
    }

    /// Adds a sample.
    pub(super) fn add(&mut self, sample: &Sample) -> Result<(), ExportError> {
        let added = match &mut self.form {
            Form::Zip(zip) => member(zip, &format!("samples/{}.json", sample.name), &sample.text),
            Form::Json(file) => {
                let comma = if self.summaries.is_empty() { "" } else { "," };
                write!(file, "{comma}{}", sample.text)
            }
        };
        self.summaries.push(sample.summary.clone());
        added.map_err(|error| ExportError::write(&self.path, &error))
    }

    /// Ends it.
    pub(super) fn finish(self, head: &Header) -> Result<(), ExportError> {
        let summaries = format!("[{}]", self.summaries.join(","));
        let end = || match self.form {
            Form::Zip(mut zip) => {
                for name in ["_journal/summaries/1.json", "summaries.json"] {
                    member(&mut zip, name, &summaries)?;
                }
                member(&mut zip, "header.json", &head.text())?;
                zip.finish()?.flush()
            }
            Form::Json(mut file) => {
                file.write_all(b"]}")?;
                file.flush()
            }
        };
        end().map_err(|error| ExportError::write(&self.path, &error))
    }
}

/// Writes a member. None has a time: equal logs are equal bytes.
fn member(zip: &mut ZipWriter<BufWriter<File>>, name: &str, text: &str) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .large_file(text.len() > u32::MAX as usize);
    zip.start_file(name, options)?;
    zip.write_all(text.as_bytes())
}
