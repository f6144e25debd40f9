//! Dates of a text.

use jiff::civil::Date;

use super::text::Text;

/// The year of dates that come without one: that of the official tables.
const YEAR: i64 = 2022;

/// The first date of a text as `YYYY-MM-DD`, and how many days there are up to the next one, both included, if that
/// is said to be the last day.
pub(super) fn departure(text: &Text) -> Option<(String, Option<i64>)> {
    let find = |from: usize| (from..text.len()).find_map(|at| date(text, at));
    let (first, end) = find(0)?;
    // A budget may look like a year.
    let budgets: Vec<_> = text.all("budget").map(|found| found.at..found.end).collect();
    let others = (0..text.len()).filter(|at| !budgets.iter().any(|budget| budget.contains(at)));
    let year = others.filter_map(|at| text.number(at)).find(|number| (1900..2200).contains(number));
    let year = year.unwrap_or(YEAR);
    let mut until = (end..end + 4).take_while(|at| !matches!(text.word(*at), "." | ""));
    let last = until.find(|at| matches!(text.word(*at), "to" | "through" | "until" | "and")).and_then(|at| {
        let at = at + 1 + usize::from(text.word(at + 1) == "the");
        date(text, at).map(|(date, _)| date).or_else(|| Some([first[0], first[1], day(text, at)?]))
    });
    let civil = |[said, month, day]: [i64; 3]| {
        let year = if said == 0 { year } else { said };
        Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
    };
    let start = civil(first)?;
    let days = last.and_then(civil).map(|last| i64::from((last - start).get_days()) + 1);
    Some((start.to_string(), days.filter(|days| (1..=60).contains(days))))
}

/// A date at a place as year (0 if it is not said), month and day, and the place behind it.
fn date(text: &Text, at: usize) -> Option<([i64; 3], usize)> {
    let with_year = |month: i64, day: i64, end: usize| {
        let next = end + usize::from(text.word(end) == ",");
        match text.number(next).filter(|year| (1900..2200).contains(year)) {
            Some(year) => ([year, month, day], next + 1),
            None => ([0, month, day], end),
        }
    };
    if let Some(month) = text.month(at) {
        let next = at + 1 + usize::from(text.word(at + 1) == "the");
        return Some(with_year(month, day(text, next)?, next + 1));
    }
    let numbers: Vec<i64> = (at..at + 3).map_while(|at| text.number(at)).collect();
    match *numbers.as_slice() {
        [year @ 1900..2200, month @ 1..=12, day @ 1..=31] => {
            return Some(([year, month, day], at + 3));
        }
        [month @ 1..=12, day @ 1..=31, year @ 1900..2200] => {
            return Some(([year, month, day], at + 3));
        }
        _ => {}
    }
    let day_of_month = day(text, at)?;
    let month = |at: usize| text.month(at + usize::from(text.word(at) == "of"));
    if let Some(found) = month(at + 1) {
        let end = at + 2 + usize::from(text.word(at + 1) == "of");
        return Some(with_year(found, day_of_month, end));
    }
    // The month of `the 8th to the 10th of March` stands behind the last day.
    let ranges = matches!(text.word(at + 1), "to" | "through" | "until" | "and");
    let next = at + 2 + usize::from(text.word(at + 2) == "the");
    let found = ranges.then(|| day(text, next).and_then(|_| month(next + 1)))??;
    Some(([0, found, day_of_month], at + 1))
}

/// The day of a month at a place.
fn day(text: &Text, at: usize) -> Option<i64> {
    let found = text.ordinal(at).or_else(|| text.number(at))?;
    (1..=31).contains(&found).then_some(found)
}
