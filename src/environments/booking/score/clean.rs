//! Names and times as AutoTOD cleans them (spec section 6.2).

use crate::text::python::strip;
use crate::text::python_int;

/// A name in small letters, without a leading `the` (also where a word only begins so), and without a final
/// `restaurant` and then a final `hotel`.
pub fn clean_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut name = strip(&lower);
    name = name.strip_prefix("the").unwrap_or(name);
    name = name.strip_suffix("restaurant").unwrap_or(name);
    name = name.strip_suffix("hotel").unwrap_or(name);
    strip(name).to_owned()
}

/// A time without `after`, `before`, `am` and `pm` wherever they stand, with two digits for the hour.
pub fn clean_time(time: &str) -> String {
    let mut time = time.to_lowercase();
    for word in ["after", "before", "am", "pm"] {
        time = time.replace(word, "");
    }
    let time = strip(&time);
    match is_clock(time, 1) {
        true => format!("0{time}"),
        false => time.to_owned(),
    }
}

/// Whether a time is of so many digits for the hour, a colon and two for the minutes, in digits of any script.
pub fn is_clock(time: &str, hour_digits: usize) -> bool {
    let Some((hour, minutes)) = time.split_once(':') else {
        return false;
    };
    let is_decimal = |letter: char| python_int(letter.encode_utf8(&mut [0; 4])).is_some();
    let is_number = |text: &str, digits: usize| text.chars().count() == digits && text.chars().all(is_decimal);
    is_number(hour, hour_digits) && is_number(minutes, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_times_are_cleaned_as_by_the_original() {
        for (name, cleaned) in [
            ("the varsity restaurant", "varsity"),
            ("Theatre", "atre"),
            (" Gonville Hotel ", "gonville"),
            ("grafton hotel restaurant", "grafton hotel"),
            ("hotel du vin and bistro", "hotel du vin and bistro"),
        ] {
            assert_eq!(clean_name(name), cleaned);
        }
        for (time, cleaned) in [("after 9:00", "09:00"), ("17:15 pm", "17:15"), ("Before 12:0", "12:0"), ("7pm", "7")] {
            assert_eq!(clean_time(time), cleaned);
        }
        assert!(is_clock("25:99", 2) && !is_clock("1:30", 2) && !is_clock("aa:bb", 2));
    }
}
