//! Says what is wrong with a JSON text, without the place: each caller knows a better one, such as
//! the line of the file that the text is.

/// The message of the JSON reader, without the place that it adds at the end.
pub fn reason(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = whole.strip_suffix(&place).unwrap_or(&whole);
    match said.strip_prefix("EOF while parsing") {
        Some(what) => format!("it ends within{what}"),
        None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(text: &str) -> String {
        reason(&serde_json::from_str::<Vec<u8>>(text).unwrap_err())
    }

    #[test]
    fn the_place_is_left_to_the_caller() {
        assert_eq!(reason_of("[1,"), "it ends within a value");
        assert_eq!(reason_of("x"), "expected value");
        assert!(!reason_of("[\"x\"]").contains("line"));
    }
}
