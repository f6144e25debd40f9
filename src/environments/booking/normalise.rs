//! Normal forms in which records and calls are compared: names, foods, types and times (spec section 1.4).

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use rolecall_core::text::python::strip;
use rolecall_core::text::{is_digits, python_int};

/// A time that the original program cannot read and stops at, such as `17:00orso`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a time cannot be read; write hh:mm")]
pub struct BadTime;

/// Values as the databases write them, by the key and the value as it was written.
static MEANT: LazyLock<FxHashMap<(&str, &str), &str>> = LazyLock::new(|| {
    include_str!("normalise.txt")
        .lines()
        .filter_map(|line| {
            let (key, row) = line.split_once(" | ")?;
            let (written, meant) = row.split_once(" = ")?;
            Some(((key, written), meant))
        })
        .collect()
});

/// Beginnings of times of day in words.
const TIME_BEGINNINGS: &[(&str, &str)] = &[("one o'clock p.m", "13:00"), ("ten o'clock a.m", "10:00")];

/// A value of a key in normal form.
///
/// # Errors
/// When an afternoon's time is malformed.
pub fn normalised<'v>(key: &str, value: &'v str) -> Result<Cow<'v, str>, BadTime> {
    Ok(match key {
        "name" | "destination" | "departure" => {
            let name = strip(value).to_lowercase().replace(" & ", " and ").replace('&', " and ");
            let name = name.replace(" '", "'");
            rewritten("name", name.replace("bed and breakfast", "b and b")).into()
        }
        "type" => Cow::Borrowed(MEANT.get(&(key, value)).copied().unwrap_or(value)),
        "food" => rewritten(key, strip(value).to_lowercase()).into(),
        "arrive" | "leave" | "arriveBy" | "leaveAt" | "time" => time(value)?.into(),
        "parking" | "internet" if value == "free" => "yes".into(),
        _ => value.into(),
    })
}

/// A value as the databases have it.
fn rewritten(key: &str, value: String) -> String {
    MEANT.get(&(key, &*value)).copied().map_or(value, str::to_owned)
}

/// A time as hh:mm, if it can be read; twelve hours are added in the afternoon, also to 12:30.
fn time(value: &str) -> Result<String, BadTime> {
    let lower = strip(value).to_lowercase();
    let begun = TIME_BEGINNINGS.iter().find(|(words, _)| lower.starts_with(words));
    let known = MEANT.get(&("time", &*lower)).copied();
    if let Some(known) = known.or(begun.map(|(_, meant)| *meant)) {
        return Ok(known.to_owned());
    }
    let mut time = lower.as_str();
    if let Some(rest) = time.strip_prefix("by") {
        // `by` is cut with the sign after it, mostly a blank.
        time = rest.strip_prefix(|_: char| true).unwrap_or(rest);
    }
    for word in ["after", "afer"] {
        time = time.strip_prefix(word).map_or(time, strip);
    }
    for word in ["am", "a.m."] {
        time = time.strip_suffix(word).map_or(time, strip);
    }
    let said = time;
    for word in ["pm", "p.m."] {
        time = time.strip_suffix(word).map_or(time, strip);
    }
    let (hours, minutes) = match time.split(':').collect::<Vec<_>>()[..] {
        [hours, minutes] if time != said => (hours, minutes),
        [hours] if time != said && is_digits(hours) => (hours, "00"),
        _ => return Ok(clock(time)),
    };
    let hours = python_int(hours).ok_or(BadTime)?;
    Ok(format!("{}:{minutes}", hours + 12))
}

/// Digits as hh:mm.
fn clock(time: &str) -> String {
    if time.is_empty() {
        return "00:00".to_owned();
    }
    let time = time.strip_suffix(['.', ',', '?']).unwrap_or(time);
    if is_digits(time) {
        let middle = time.char_indices().nth(2).filter(|_| time.chars().count() == 4);
        return match middle.map(|(middle, _)| time.split_at(middle)) {
            Some((hours, minutes)) => format!("{hours}:{minutes}"),
            None => format!("{time:0>2}:00"),
        };
    }
    if !time.contains(':') {
        return time.to_owned();
    }
    let time = time.replace(' ', "");
    let is_short = time.chars().count() == 4 && time.chars().nth(1) == Some(':');
    let mut parts = time.split(':');
    match (parts.next(), parts.next()) {
        // A sign stays in front of the padding.
        (Some(sign @ ("+" | "-")), Some(minutes)) if is_short => format!("{sign}0:{minutes}"),
        (Some(hour), Some(minutes)) if is_short => format!("0{hour}:{minutes}"),
        _ => time,
    }
}

/// The minutes since midnight of a time that begins with hh:mm; 0 for any other text.
///
/// # Errors
/// When more follows the minutes, as in `17:00orso`.
pub fn minutes(time: &str) -> Result<i128, BadTime> {
    let is_time = matches!(time.as_bytes(), [a, b, b':', c, d, ..]
        if [a, b, c, d].into_iter().all(u8::is_ascii_digit));
    if !is_time {
        return Ok(0);
    }
    let mut parts = time.split(':').map(python_int);
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(hours), Some(minutes)) => Ok(hours * 60 + minutes),
        _ => Err(BadTime),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_in_one_form() {
        for (key, value, form) in [
            ("name", " Nando's ", "nandos"),
            ("name", "A&B", "a and b"),
            ("name", "rosa's", "rosas bed and breakfast"),
            ("name", "alexander bed and breakfast", "alexander b and b"),
            ("destination", "The Junction", "junction theatre"),
            ("type", "night club", "nightclub"),
            ("type", "Night Club", "Night Club"),
            ("food", " Europeon", "european"),
            ("parking", "free", "yes"),
            ("parking", "Free", "Free"),
            ("area", " Centre", " Centre"),
            ("leaveAt", "noon", "12:00"),
            ("leaveAt", "One o'clock p.m. sharp", "13:00"),
            ("leaveAt", "by 9:15", "09:15"),
            ("leaveAt", "after 9 am", "09:00"),
            ("leaveAt", "5pm", "17:00"),
            ("leaveAt", "12:30pm", "24:30"),
            ("leaveAt", "1730", "17:30"),
            ("leaveAt", "915", "915:00"),
            ("leaveAt", "9 : 15", "09:15"),
            ("leaveAt", "", "00:00"),
            ("leaveAt", "?", ""),
            ("leaveAt", "17:00orso", "17:00orso"),
            ("leaveAt", "half past nine pm", "half past nine"),
            ("stars", "4", "4"),
        ] {
            assert_eq!(normalised(key, value).unwrap(), form, "{key} {value}");
        }
        assert!(normalised("time", "about 5:30 pm").is_err());
    }

    #[test]
    fn minutes_are_read_from_the_beginning() {
        for (time, count) in
            [("17:15", 1035), ("24:30", 1470), ("9:15", 0), ("soon", 0), ("17:15:x", 1035), ("17:001", 1021)]
        {
            assert_eq!(minutes(time), Ok(count), "{time}");
        }
        assert!(minutes("17:00orso").is_err());
    }
}
