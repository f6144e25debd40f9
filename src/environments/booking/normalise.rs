//! Values as records and calls are compared: names, foods, types and times in one form (spec section 1.4).

use std::borrow::Cow;

use crate::text::python::strip;
use crate::text::{is_digits, python_int};

/// A time that the original program cannot read and stops at, such as `17:00orso`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time; write hh:mm")]
pub struct BadTime(pub String);

/// Names that are called otherwise in the databases, in as many steps as one name takes: the first row that fits.
const NAMES: &[(&str, &str)] = &[
    ("hotel du vin bistro", "hotel du vin and bistro"),
    (
        "the river bar and grill",
        "the river bar steakhouse and grill",
    ),
    ("nando's", "nandos"),
    ("city center b and b", "city center north b and b"),
    ("acorn house", "acorn guest house"),
    ("caffee uno", "caffe uno"),
    ("cafe uno", "caffe uno"),
    ("rosa's", "rosas bed and breakfast"),
    ("restaurant called two two", "restaurant two two"),
    ("restaurant 2 two", "restaurant two two"),
    ("restaurant two 2", "restaurant two two"),
    ("restaurant 2 2", "restaurant two two"),
    ("restaurant 1 7", "restaurant one seven"),
    ("restaurant 17", "restaurant one seven"),
    ("lime house", "limehouse"),
    ("cityrooms", "cityroomz"),
    ("whale of time", "whale of a time"),
    ("huntingdon hotel", "huntingdon marriott hotel"),
    (
        "holiday inn exlpress, cambridge",
        "express by holiday inn cambridge",
    ),
    ("university hotel", "university arms hotel"),
    ("arbury guesthouse and lodge", "arbury lodge guesthouse"),
    ("bridge house", "bridge guest house"),
    ("arbury guesthouse", "arbury lodge guesthouse"),
    ("nandos in the city centre", "nandos city centre"),
    ("a and b guest house", "a and b guesthouse"),
    ("acorn guesthouse", "acorn guest house"),
    ("broughton gallery", "broughton house gallery"),
    ("scudamores punt co", "scudamores punting co"),
    (
        "cambridge botanic gardens",
        "cambridge university botanic gardens",
    ),
    ("the junction", "junction theatre"),
    ("trinity street college", "trinity college"),
    ("christ college", "christ's college"),
    ("christs", "christ's college"),
    (
        "history of science museum",
        "whipple museum of the history of science",
    ),
    ("parkside pools", "parkside swimming pool"),
    (
        "the botanical gardens at cambridge university",
        "cambridge university botanic gardens",
    ),
    ("cafe jello museum", "cafe jello gallery"),
];

/// Foods that are called otherwise in the databases.
const FOODS: &[(&str, &str)] = &[
    ("eriterean", "mediterranean"),
    ("brazilian", "portuguese"),
    ("sea food", "seafood"),
    ("portugese", "portuguese"),
    ("modern american", "north american"),
    ("americas", "north american"),
    ("intalian", "italian"),
    ("italain", "italian"),
    ("asian or oriental", "asian"),
    ("english", "british"),
    ("australasian", "australian"),
    ("gastropod", "gastropub"),
    ("brutish", "british"),
    ("bristish", "british"),
    ("europeon", "european"),
];

/// Types that are called otherwise in the databases.
const TYPES: &[(&str, &str)] = &[
    ("swimming pool", "swimmingpool"),
    ("mutliple sports", "multiple sports"),
    ("night club", "nightclub"),
    ("guest house", "guesthouse"),
];

/// Times of day in words.
const TIMES: &[(&str, &str)] = &[
    ("afternoon", "13:00"),
    ("lunch", "12:00"),
    ("noon", "12:00"),
    ("mid-day", "12:00"),
    ("around lunch time", "12:00"),
    ("morning", "08:00"),
    ("seven o'clock tomorrow evening", "07:00"),
    ("three forty five p.m", "15:45"),
    ("one thirty p.m.", "13:30"),
    ("six fourty five", "06:45"),
    ("eight thirty", "08:30"),
];

/// Beginnings of times of day in words.
const TIME_BEGINNINGS: &[(&str, &str)] =
    &[("one o'clock p.m", "13:00"), ("ten o'clock a.m", "10:00")];

/// A value of a key in the form in which it is compared.
///
/// # Errors
/// Where a time of the afternoon is none.
pub fn normalised<'v>(key: &str, value: &'v str) -> Result<Cow<'v, str>, BadTime> {
    Ok(match key {
        "name" | "destination" | "departure" => Cow::Owned(name(value)),
        "type" => Cow::Borrowed(rewritten(TYPES, value).unwrap_or(value)),
        "food" => Cow::Owned(food(value)),
        "arrive" | "leave" | "arriveBy" | "leaveAt" | "time" => Cow::Owned(time(value)?),
        "parking" | "internet" if value == "free" => Cow::Borrowed("yes"),
        _ => Cow::Borrowed(value),
    })
}

fn rewritten(table: &[(&str, &'static str)], value: &str) -> Option<&'static str> {
    let row = table.iter().find(|(written, _)| *written == value);
    row.map(|(_, meant)| *meant)
}

fn name(value: &str) -> String {
    let name = strip(value).to_lowercase();
    let name = name.replace(" & ", " and ").replace('&', " and ");
    let name = name
        .replace(" '", "'")
        .replace("bed and breakfast", "b and b");
    rewritten(NAMES, &name).map_or(name, str::to_owned)
}

fn food(value: &str) -> String {
    let food = strip(value).to_lowercase();
    rewritten(FOODS, &food).map_or(food, str::to_owned)
}

/// A time as hh:mm, where it can be read; twelve hours are added in the afternoon, also to 12:30.
fn time(value: &str) -> Result<String, BadTime> {
    let lower = strip(value).to_lowercase();
    let mut begins = TIME_BEGINNINGS.iter();
    let begun = begins.find(|(words, _)| lower.starts_with(words));
    if let Some(known) = rewritten(TIMES, &lower).or(begun.map(|(_, meant)| *meant)) {
        return Ok(known.to_owned());
    }
    let mut time = lower.as_str();
    if let Some(rest) = time.strip_prefix("by") {
        // Whatever follows `by`, mostly a blank.
        time = rest.strip_prefix(|_: char| true).unwrap_or(rest);
    }
    time = time.strip_prefix("after").map_or(time, strip);
    time = time.strip_prefix("afer").map_or(time, strip);
    time = time.strip_suffix("am").map_or(time, strip);
    time = time.strip_suffix("a.m.").map_or(time, strip);
    if time.ends_with("pm") || time.ends_with("p.m.") {
        time = time.strip_suffix("pm").map_or(time, strip);
        time = time.strip_suffix("p.m.").map_or(time, strip);
        let twelve_on = |hours: &str| match python_int(hours) {
            Some(hours) => Ok(hours + 12),
            None => Err(BadTime(value.to_owned())),
        };
        match &time.split(':').collect::<Vec<_>>()[..] {
            [hours, minutes] => return Ok(format!("{}:{minutes}", twelve_on(hours)?)),
            [hours] if is_digits(hours) => return Ok(format!("{}:00", twelve_on(hours)?)),
            _ => {}
        }
    }
    Ok(clock(time))
}

/// Digits as hh:mm.
fn clock(time: &str) -> String {
    if time.is_empty() {
        return "00:00".to_owned();
    }
    let time = time.strip_suffix(['.', ',', '?']).unwrap_or(time);
    let letters: Vec<char> = time.chars().collect();
    if is_digits(time) {
        return match letters.as_slice() {
            [a, b, c, d] => format!("{a}{b}:{c}{d}"),
            _ => format!("{time:0>2}:00"),
        };
    }
    let letters: Vec<char> = match letters.contains(&':') {
        true => letters
            .into_iter()
            .filter(|letter| *letter != ' ')
            .collect(),
        false => letters,
    };
    match letters.as_slice() {
        // A sign stays in front of what is filled up.
        [sign @ ('+' | '-'), ':', rest @ ..] if rest.len() == 2 => {
            format!("{sign}0:{}", minutes_of(rest))
        }
        [hour, ':', rest @ ..] if rest.len() == 2 => format!("0{hour}:{}", minutes_of(rest)),
        all => all.iter().collect(),
    }
}

/// The letters up to a colon.
fn minutes_of(letters: &[char]) -> String {
    letters
        .iter()
        .take_while(|letter| **letter != ':')
        .collect()
}

/// The minutes since midnight of a time that begins with hh:mm; of any other text 0.
///
/// # Errors
/// When something stands behind the minutes, as in `17:00orso`.
pub fn minutes(time: &str) -> Result<i128, BadTime> {
    let bytes = time.as_bytes();
    let is_time = matches!(bytes, [a, b, b':', c, d, ..]
        if [a, b, c, d].into_iter().all(u8::is_ascii_digit));
    if !is_time {
        return Ok(0);
    }
    let mut parts = time.split(':').map(python_int);
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(hours), Some(minutes)) => Ok(hours * 60 + minutes),
        _ => Err(BadTime(time.to_owned())),
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
        for (time, count) in [
            ("17:15", 1035),
            ("24:30", 1470),
            ("9:15", 0),
            ("soon", 0),
            ("17:15:x", 1035),
            ("17:001", 1021),
        ] {
            assert_eq!(minutes(time), Ok(count), "{time}");
        }
        assert!(minutes("17:00orso").is_err());
    }
}
