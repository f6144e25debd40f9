//! Results for people: tables, transcripts and reports.
