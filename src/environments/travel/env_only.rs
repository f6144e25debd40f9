//! The clarifier that looks at the results of calls only: its candidates and draws (Ask-before-Plan's environment-only
//! baseline; specification, section 4). The questions are in our own words: as many, for the same reasons, and
//! of the same categories for the rule score.

use super::calls::Tool;
use super::request::Draws;
use rolecall_core::text::overlap::is_word;

/// A question that may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The tool that found nothing, or was not called.
    pub tool: Tool,
    /// It was not called.
    pub missing: bool,
    /// Which of the questions.
    pub index: usize,
}

const DESTINATIONS: &str = "Which destinations shall the trip have, and on which dates do you get to each of them?";
const ORIGIN: &str = "Which city do you depart from?";
const DEPARTURE: &str = "What is the date of your departure?";
const DAYS: &str = "How many days shall the trip have?";

/// The questions where a tool was not called, in the order in which tools are looked at.
const MISSING: [(Tool, &[&str]); 6] = [
    (Tool::Accommodation, &[DESTINATIONS]),
    (Tool::Attraction, &[DESTINATIONS]),
    (Tool::Flight, &[DESTINATIONS, ORIGIN, DEPARTURE, DAYS]),
    (Tool::Distance, &["Which destinations shall the trip have?", ORIGIN]),
    (Tool::Restaurant, &[DESTINATIONS]),
    (
        Tool::Budget,
        &[DESTINATIONS, ORIGIN, DEPARTURE, DAYS, "How many people are you?", "Which budget does the trip have?"],
    ),
];

/// The questions where a tool found nothing.
const UNFEASIBLE: [(Tool, &[&str]); 5] = [
    (Tool::Accommodation, &["No accommodation of that city fits your wishes. What else would suit you?"]),
    (Tool::Attraction, &["There is nothing to see in that city. Would another destination suit you?"]),
    (
        Tool::Flight,
        &[
            "There is no flight for a part of the way. Would another destination suit you?",
            "There is no flight for a part of the way. Would another way of transportation suit you?",
        ],
    ),
    (
        Tool::Distance,
        &[
            "There is no transportation for a part of the way. Would another destination suit you?",
            "There is no transportation for a part of the way. Would another kind of it suit you?",
        ],
    ),
    (Tool::Restaurant, &["No restaurant of that city has the cuisine you want. Would another one suit you?"]),
];

impl Candidate {
    /// The question.
    pub fn question(self) -> &'static str {
        let questions = if self.missing { &MISSING[..] } else { &UNFEASIBLE };
        questions_of(questions, self.tool).get(self.index).unwrap_or(&"")
    }
}

/// The questions of a table about a tool.
fn questions_of(table: &[(Tool, &'static [&'static str])], tool: Tool) -> &'static [&'static str] {
    table.iter().find(|(about, _)| *about == tool).map_or(&[], |(_, questions)| questions)
}

/// Whether a call found nothing.
fn found_nothing(tool: Tool, shown: &str) -> bool {
    let shown = shown.to_lowercase();
    match tool {
        Tool::Accommodation => shown.contains("there is no accommodation in this city"),
        Tool::Attraction => shown.contains("there is no attraction in this city"),
        Tool::Flight => shown.contains("there is no flight from"),
        Tool::Distance => shown.contains("no valid information"),
        Tool::Restaurant => {
            // One word stands between the two, which is a cuisine.
            shown.match_indices("there is no ").any(|(start, before)| {
                let rest = shown.get(start + before.len()..).unwrap_or_default();
                let behind = rest.trim_start_matches(is_word);
                behind.len() < rest.len() && behind.starts_with(" restaurant in this city")
            })
        }
        Tool::Budget | Tool::Finish => false,
    }
}

/// Asks, turn after turn of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker(Draws);

impl Asker {
    /// Begins after the order of so many details was drawn.
    pub fn new(details: usize) -> Self {
        Self(Draws::after(details))
    }

    /// The question after a turn's calls with their results, in their order; none if all is well.
    pub fn ask<'t>(&mut self, calls: impl IntoIterator<Item = (Tool, &'t str)>) -> Option<Candidate> {
        let mut called = Vec::new();
        let mut candidates = Vec::new();
        for (tool, shown) in calls {
            if found_nothing(tool, shown) {
                candidates.extend(self.draw(tool, false));
            }
            called.push(tool);
        }
        for (tool, _) in MISSING {
            if !called.contains(&tool) {
                candidates.extend(self.draw(tool, true));
            }
        }
        match candidates.len() {
            0 => None,
            among => candidates.get(self.0.choice(among)).copied(),
        }
    }

    fn draw(&mut self, tool: Tool, missing: bool) -> Option<Candidate> {
        let table = if missing { &MISSING[..] } else { &UNFEASIBLE };
        let among = questions_of(table, tool).len();
        (among > 0).then(|| Candidate { tool, missing, index: self.0.choice(among) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_found_nothing_and_what_was_not_called_is_asked_about() {
        let all = MISSING.map(|(tool, _)| (tool, "some"));
        assert_eq!(Asker::new(0).ask(all), None);
        let mut asker = Asker::new(0);
        let none = asker.ask([]);
        assert!(none.is_some_and(|candidate| candidate.missing && !candidate.question().is_empty()));
        let mut failing = all;
        failing[4].1 = "some\nThere is no French restaurant in this city.";
        let asked = asker.ask(failing).unwrap();
        assert_eq!((asked.tool, asked.missing, asked.index), (Tool::Restaurant, false, 0));
        assert!(asked.question().contains("cuisine"));
    }

    #[test]
    fn results_that_are_none_are_known() {
        for (tool, shown, nothing) in [
            (Tool::Accommodation, "There is no accommodation in this city.", true),
            (Tool::Attraction, "There is no accommodation in this city.", false),
            (Tool::Restaurant, "There is no restaurant in this city.", false),
            (Tool::Restaurant, "There is no there is no French restaurant in this city.", true),
            (Tool::Restaurant, "There is no New York restaurant in this city.", false),
            (Tool::Flight, "There is no flight from A to B on 2022-03-01.", true),
            (Tool::Distance, "taxi, from A to B, no valid information.", true),
            (Tool::Budget, "No valid hotel information is available.", false),
        ] {
            assert_eq!(found_nothing(tool, shown), nothing, "{shown}");
        }
    }
}
