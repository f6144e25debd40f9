//! The line that follows a run. It fits the terminal: what matters least is left out first.

use std::time::Duration;

use unicode_width::UnicodeWidthChar;

use rolecall_core::evaluation::Estimate;
use rolecall_core::ports::model::ModelActivity;
use rolecall_core::reports::{headline, percent};
use rolecall_core::text::{counted, joined_by, visible};

/// Columns of the bar.
const BAR: usize = 12;
/// The columns of a terminal from which there is a bar.
const WIDE: usize = 100;

/// How a run stands.
#[derive(Clone, Debug, Default)]
pub(super) struct RunState {
    pub(super) closed: usize,
    pub(super) planned: usize,
    /// The headline metrics, once an episode counts.
    pub(super) headlines: Vec<(&'static str, Estimate)>,
    pub(super) live: usize,
    /// Workers that play it elsewhere.
    pub(super) workers: Option<usize>,
    pub(super) faults: u32,
    pub(super) broken: usize,
    /// Episodes that ended at the window of a model or a filter.
    pub(super) withheld: usize,
    pub(super) steps_per_second: f64,
    /// None where no model plays.
    pub(super) models: Option<ModelsState>,
    pub(super) elapsed: Duration,
    /// The time until the end, once something is known about it.
    pub(super) left: Option<Duration>,
    /// The first model that calls wait for, with the reason.
    pub(super) paused: Option<(String, String)>,
}

/// Activity of the models of a run, and their cost so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelsState {
    pub(super) activity: ModelActivity,
    /// The money with its currency, where there are prices.
    pub(super) spent: Option<(f64, String)>,
}

/// A part of the line: the larger its number, the earlier it is left out.
type Part = (u8, String);

impl RunState {
    /// The line, in so many columns.
    pub(super) fn line(&self, columns: usize) -> String {
        // Why nothing happens matters more than all figures.
        if let Some(why) = self.why_paused() {
            return cut(&format!("{}  {why}", self.count()), columns);
        }
        let mut parts = self.parts();
        if columns >= WIDE && self.planned > 0 {
            parts.insert(0, (u8::MAX, bar(self.closed, self.planned)));
        }
        let mut order: Vec<u8> = parts.iter().map(|(number, _)| *number).collect();
        order.sort_unstable();
        while width(&joined(&parts)) > columns && parts.len() > 1 {
            let last = order.pop();
            parts.retain(|(number, _)| Some(*number) != last);
        }
        cut(&joined(&parts), columns)
    }

    /// The line with everything, where nobody says how wide it may be.
    pub(super) fn whole(&self) -> String {
        let what = match self.why_paused() {
            Some(why) => format!("paused: {why}"),
            None => joined(&self.parts()[1..]),
        };
        format!("{} episodes  {what}", self.count())
    }

    /// Episodes that are closed, and of how many where that was planned.
    fn count(&self) -> String {
        match self.planned {
            0 => self.closed.to_string(),
            planned => format!("{}/{planned}", self.closed),
        }
    }

    fn why_paused(&self) -> Option<String> {
        let (model, why) = self.paused.as_ref()?;
        Some(format!("{}: {}", visible(model), visible(why)))
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts = vec![(1, self.count())];
        let mut add = |number, text: String| parts.push((number, text));
        if self.headlines.is_empty() {
            add(9, "success -".to_owned());
        }
        for (metric, estimate) in &self.headlines {
            add(4, headline(metric, estimate));
            if let Some((low, high)) = estimate.interval() {
                add(12, format!("({}-{})", percent(low), percent(high)));
            }
        }
        if self.withheld > 0 {
            add(3, format!("{} at window or filter", self.withheld));
        }
        if self.broken > 0 {
            add(3, format!("{} broken", self.broken));
        }
        match &self.models {
            None => add(8, format!("{:.0} steps/s", self.steps_per_second)),
            Some(models) => {
                let ModelActivity { in_flight, tokens, retries, .. } = models.activity;
                if let Some((spent, currency)) = &models.spent {
                    let places = if *spent < 0.1 && *spent > 0.0 { 4 } else { 2 };
                    add(5, format!("{spent:.places$} {}", visible(currency)));
                }
                add(7, format!("{} tokens", short(tokens)));
                add(6, format!("{in_flight} in flight"));
                if retries > 0 {
                    add(8, format!("{} retries", short(retries)));
                }
            }
        }
        add(11, format!("{} live", self.live));
        if let Some(workers) = self.workers {
            add(3, counted(workers as u64, "worker", "workers"));
        }
        if self.faults > 0 {
            add(10, format!("{} faults", self.faults));
        }
        add(13, clock(self.elapsed));
        if let Some(left) = self.left {
            add(2, format!("about {} left", rough(left)));
        }
        parts
    }
}

fn joined(parts: &[Part]) -> String {
    joined_by("  ", parts.iter().map(|(_, text)| text))
}

fn bar(closed: usize, planned: usize) -> String {
    let full = (BAR * closed).checked_div(planned).unwrap_or(BAR).min(BAR);
    let head = if full < BAR { ">" } else { "" };
    format!("[{}{head}{}]", "=".repeat(full), " ".repeat(BAR - full - head.len()))
}

/// Columns that a text takes.
fn width(text: &str) -> usize {
    text.chars().map(|letter| letter.width().unwrap_or(0)).sum()
}

/// The text in so many columns, with `…` for what is missing.
fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut room = columns.saturating_sub(1);
    let fits = |letter: &char| {
        let left = room.checked_sub(letter.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let mut kept: String = text.chars().take_while(fits).collect();
    if columns > 0 {
        kept.push('…');
    }
    kept
}

/// A count in few letters: `999`, `1.2k`, `34M`.
fn short(count: u64) -> String {
    let (scaled, unit) = match count {
        0..1_000 => return count.to_string(),
        1_000..999_500 => (count as f64 / 1e3, "k"),
        999_500..999_500_000 => (count as f64 / 1e6, "M"),
        _ => (count as f64 / 1e9, "G"),
    };
    let places = usize::from(scaled < 9.95);
    format!("{scaled:.places$}{unit}")
}

/// Hours, minutes and seconds: `0:07`, `1:02:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A time of which little is known, in words that stay the same for a while.
pub(super) fn rough(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..55 => format!("{} s", seconds / 5 * 5 + 5),
        55..5370 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{:.1} h", time.as_secs_f64() / 3600.0),
    }
}

/// The time until `planned` of something are over, if `closed` of them took so long and `live` go on.
/// Nothing is known before as many are over as go on: the first to end are the quick ones.
pub(super) fn left(closed: usize, planned: usize, live: usize, took: Duration) -> Option<Duration> {
    if closed == 0 || closed < live || closed >= planned {
        return None;
    }
    let each = took.as_secs_f64() / closed as f64;
    Duration::try_from_secs_f64(each * (planned - closed) as f64).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use rolecall_core::evaluation::SUCCESS;

    fn run() -> RunState {
        RunState {
            closed: 12,
            planned: 64,
            headlines: vec![(SUCCESS, Estimate::Rate { n: 12, successes: 6, rate: 0.5, low: 0.215, high: 0.785 })],
            live: 8,
            steps_per_second: 3.4,
            models: Some(ModelsState {
                activity: ModelActivity { in_flight: 4, replies: 210, tokens: 1_234_567, retries: 3 },
                spent: Some((0.4213, "USD".to_owned())),
            }),
            elapsed: Duration::from_secs(70),
            left: Some(Duration::from_secs(303)),
            ..RunState::default()
        }
    }

    #[test]
    fn what_matters_least_is_left_out_first() {
        let line = |columns| run().line(columns);
        let all = "12/64  success 50.0 %  (21.5-78.5)  0.42 USD  1.2M tokens  4 in flight  3 retries  \
                   8 live  1:10  about 5 min left";
        assert_eq!(run().whole(), all.replace("12/64", "12/64 episodes"));
        assert_eq!(line(1000), format!("[==>         ]  {all}"));
        assert_eq!(
            line(99),
            "12/64  success 50.0 %  0.42 USD  1.2M tokens  4 in flight  3 retries  8 live  about 5 min left"
        );
        assert_eq!(line(60), "12/64  success 50.0 %  0.42 USD  about 5 min left");
        assert_eq!(line(40), "12/64  success 50.0 %  about 5 min left");
        assert_eq!(line(10), "12/64");
        assert_eq!(line(4), "12/…");
    }

    #[test]
    fn nothing_is_said_that_is_not_known() {
        let state = RunState { planned: 3, models: Some(ModelsState::default()), ..RunState::default() };
        assert_eq!(state.line(80), "0/3  success -  0 tokens  0 in flight  0 live  0:00");
        let rules = RunState { models: None, faults: 2, broken: 1, ..run() };
        assert_eq!(
            rules.line(99),
            "12/64  success 50.0 %  (21.5-78.5)  1 broken  3 steps/s  8 live  2 faults  1:10  about 5 min left"
        );
    }

    #[test]
    fn a_world_of_scores_has_them_for_headline_and_withheld_answers_are_named() {
        let score = |mean| Estimate::Mean { n: 12, mean, interval: None };
        let headlines = vec![("bleu", score(0.1234)), ("reward", score(0.5))];
        let scores = RunState { headlines, models: None, withheld: 2, ..run() };
        assert_eq!(
            scores.whole(),
            "12/64 episodes  Avg.BLEU x 100: 12.34  reward: 0.50  2 at window or filter  3 steps/s  8 live  1:10  \
             about 5 min left"
        );
    }

    #[test]
    fn a_pause_says_who_why_and_until_when() {
        let why = "held until 14:05:10 (Retry-After): its server asks to wait 3600 s";
        let state = RunState { paused: Some(("fake".to_owned(), why.to_owned())), ..run() };
        assert_eq!(state.whole(), format!("12/64 episodes  paused: fake: {why}"));
        assert_eq!(state.line(120), format!("12/64  fake: {why}"));
        assert_eq!(state.line(60), "12/64  fake: held until 14:05:10 (Retry-After): its server …");
        assert_eq!(state.line(40), "12/64  fake: held until 14:05:10 (Retry…");
    }

    #[test]
    fn an_end_is_told_when_as_many_are_over_as_go_on() {
        let took = Duration::from_secs(100);
        for (closed, planned, live) in [(0, 10, 0), (3, 10, 4), (10, 10, 0)] {
            assert_eq!(left(closed, planned, live, took), None, "{closed}");
        }
        assert_eq!(left(4, 10, 4, took), Some(Duration::from_secs(150)));
    }

    #[test]
    fn counts_and_times_are_short() {
        let shorts = [0, 999, 1_000, 9_949, 9_951, 999_499, 999_500, 34_400_000, u64::MAX];
        let expected = ["0", "999", "1.0k", "9.9k", "10k", "999k", "1.0M", "34M", "18446744074G"];
        assert_eq!(shorts.map(short), expected);
        let times = [0, 54, 55, 90, 5369, 5370, 100_000].map(Duration::from_secs);
        let expected = ["5 s", "55 s", "1 min", "2 min", "89 min", "1.5 h", "27.8 h"];
        assert_eq!(times.map(rough), expected);
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal(
            counts in prop::array::uniform4(1_usize..100_000_000),
            tokens in any::<u64>(),
            spent in prop::option::of(0.0..1e9_f64),
            left in prop::option::of(0_u64..1_000_000_000),
            paused in prop::option::of("[a-z \u{1f600}\u{4e16}\u{1b}]{0,80}"),
            columns in 1_usize..200,
        ) {
            let [closed, planned, live, broken] = counts;
            let state = RunState {
                closed,
                planned,
                live,
                broken,
                models: Some(ModelsState {
                    activity: ModelActivity { tokens, retries: tokens, ..ModelActivity::default() },
                    spent: spent.map(|spent| (spent, "€".to_owned())),
                }),
                left: left.map(Duration::from_secs),
                paused: paused.map(|why| ("large".to_owned(), why)),
                ..run()
            };
            let line = state.line(columns);
            prop_assert!(width(&line) <= columns, "{line}");
            prop_assert!(!line.contains(['\n', '\u{1b}']), "{line}");
            // The count of episodes is there wherever it fits.
            let counts = format!("{closed}/{planned}");
            prop_assert!(counts.len() >= columns || line.contains(&counts), "{line}");
        }
    }
}
