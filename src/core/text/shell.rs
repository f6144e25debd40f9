//! Commands that are printed for somebody to paste.

use std::fmt::Write;
use std::path::Path;

use super::visible::hides;

/// The word as a shell takes it: as it is where that is safe, else in quotes. What could steer a
/// terminal, or is no text, is written in octal (`$'\033'`), which bash, zsh, ksh and POSIX 2024 know.
pub fn shell_word(word: &str) -> String {
    quoted(word.as_bytes())
}

/// The path of a file as a word. One that begins with `-` is no option: it becomes `./-...`.
pub fn shell_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    match bytes.first() {
        Some(b'-') => quoted(&[b"./", bytes].concat()),
        _ => quoted(bytes),
    }
}

fn quoted(word: &[u8]) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "._-/+:,@=".contains(letter);
    match str::from_utf8(word) {
        // Some shells take what follows a first `=` for the name of a program.
        Ok(text) if !text.is_empty() && !text.starts_with('=') && text.chars().all(plain) => text.to_owned(),
        Ok(text) if !text.contains(hides) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => in_octal(word),
    }
}

fn in_octal(word: &[u8]) -> String {
    let mut quoted = String::from("$'");
    let octal = |quoted: &mut String, bytes: &[u8]| {
        for byte in bytes {
            // Writing to a text cannot fail.
            let _ = write!(quoted, "\\{byte:03o}");
        }
    };
    for chunk in word.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\'' | '\\' => quoted.extend(['\\', letter]),
                other if hides(other) => {
                    octal(&mut quoted, other.encode_utf8(&mut [0; 4]).as_bytes());
                }
                other => quoted.push(other),
            }
        }
        octal(&mut quoted, chunk.invalid());
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::visible;

    #[test]
    fn only_what_needs_quotes_has_them() {
        for plain in ["logs/a-1", "main:0:0", "environment.data=games", "läufe/é"] {
            assert_eq!(shell_word(plain), plain);
        }
        let cases = [
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("~/x", "'~/x'"),
            ("=ls", "'=ls'"),
            ("$(id)", "'$(id)'"),
            ("a\n'\u{1b}", r"$'a\012\'\033'"),
            ("\u{202e}x", r"$'\342\200\256x'"),
        ];
        for (word, expected) in cases {
            assert_eq!(shell_word(word), expected);
        }
        assert_eq!(shell_path(Path::new("-x y")), "'./-x y'");
        assert_eq!(shell_path(Path::new("logs/-x")), "logs/-x");
    }

    /// Words as the shell reads them.
    #[cfg(unix)]
    fn undone(words: &[String]) -> Vec<Vec<u8>> {
        let script = format!("printf '%s\\0' {}", words.join(" "));
        let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap().stdout;
        let whole = output.strip_suffix(b"\0").unwrap_or(&output);
        whole.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_text_comes_back() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"-a\xff'\\ b"));
        assert_eq!(undone(&[shell_path(path)]), [b"./-a\xff'\\ b".to_vec()]);
    }

    #[cfg(unix)]
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_shell_gives_back_what_was_quoted(
            words in proptest::collection::vec("[^\0]{0,12}|[-=~$'\"\\\\ \n!*{}a]{1,6}", 1..12),
        ) {
            let quoted: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
            for word in &quoted {
                prop_assert_eq!(&*visible(word), word.as_str());
            }
            let words: Vec<Vec<u8>> = words.into_iter().map(String::into_bytes).collect();
            prop_assert_eq!(undone(&quoted), words);
        }
    }
}
