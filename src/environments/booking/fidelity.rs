//! Whether a user did what it was there for: said all of its goal, never contradicted it, invented nothing, and did not
//! leave before. By rules over the log; they know values that are few, numbers and times.

use std::collections::BTreeSet;

use serde_json::Value;

use super::api::Domain;
use super::goal::{DomainGoal, Goal, Slots};
use super::played::Played;
use super::private::Wanted;
use super::score::{Said, clean_name, was_told};
use crate::evaluation::{DetectedQuestion, holds, normalise};
use crate::ports::EpisodeLog;

/// What a user did of its part. All are right of a faithful one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fidelity {
    /// It said every value of its goal, or let it pass when the agent did, and asked for all that it wants to know and
    /// was not told.
    pub complete: bool,
    /// It said no value of something that its goal wants otherwise.
    pub consistent: bool,
    /// It said no value of something that its goal leaves open, but for those that it was offered.
    pub invented: bool,
    /// It left before it had said all of its goal, and not because the agent repeated itself or made it repeat itself.
    pub left_early: bool,
    /// The agent got stuck, so that nobody can say whether the user would have gone on.
    pub stuck: bool,
}

impl Fidelity {
    /// The user of an episode; none of another world.
    pub fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        log.once(|log| {
            let (wanted, played) = (Wanted::of_log(log)?, Played::of(log)?);
            let (left, stuck) = (played.left, is_stuck(&played));
            let heard = Listened::new(&played);
            let complete = heard.is_complete(&wanted.goal, &played);
            let (contradicts, invents) = heard.strays(&wanted.goal);
            Some(Self {
                complete,
                consistent: !contradicts,
                invented: invents,
                left_early: left && !complete && !stuck,
                stuck,
            })
        })
    }

    /// Whether nothing is wrong with it.
    pub fn is_faithful(self) -> bool {
        (self.complete || self.stuck) && self.consistent && !self.invented && !self.left_early
    }
}

/// Whether one of the two said the same twice in the last turns.
fn is_stuck(played: &Played<'_>) -> bool {
    let last = played.turns.iter().rev().take(3);
    let said = last.map(|turn| (turn.user, turn.reply.map(|(_, said)| said.text.as_str())));
    let said: Vec<_> = said.collect();
    let again = |place: usize| {
        let (user, reply) = said[place];
        let mut before = said[place + 1..].iter();
        before.any(|(other, told)| *other == user || (reply.is_some() && *told == reply))
    };
    (0..said.len()).any(again)
}

/// The words for what is asked for.
const ASKED: &[(&str, &str)] = &[
    ("phone", "phone\ntelephone\ncontact*\nnumber"),
    (
        "postcode",
        "postcode\npost code\npostal code\nzip\nzip code",
    ),
    ("address", "address\nwhere\nlocat*"),
    (
        "entrance fee",
        "entrance\nfee\nfees\nadmission\ncost*\nprice*\nhow much",
    ),
    ("area", "area\npart of town\nwhere\nlocat*\nside of town"),
    ("type", "type\nkind\nsort"),
    ("pricerange", "price*\ncost*\nexpensive\ncheap"),
    ("food", "food\ncuisine\nserve*"),
    ("stars", "star\nstars\nrating"),
    ("internet", "internet\nwifi\nwi fi"),
    ("parking", "parking"),
    ("trainID", "id\ntrain number\nwhich train"),
    ("price", "price*\ncost*\nfare\nhow much"),
    (
        "duration",
        "duration\nhow long\ntravel time\njourney time\nlong",
    ),
    ("leaveAt", "leave*\ndepart*\nwhen\nwhat time"),
    ("arriveBy", "arriv*\nwhen\nwhat time"),
    ("car type", "car\ntype\nmodel\nkind of taxi\nmake"),
];

/// The beginnings of an answer that does not agree.
const DENYING: &str = "no\nnope\nnot\nactually\nsorry\nwrong\nthat's not\nthat is not";

/// Words by which a value is not wanted, or does not matter.
const OPEN: &str = "no\nnot\nany\neither\nor\nwithout\nmatter*\ncare\ndon't\ndoesn't\nisn't\nrather than\ninstead of";

/// The words of which each says what a clause is about.
const ABOUT: [(Domain, &str); 5] = [
    (
        Domain::Hotel,
        "hotel*\nguesthouse*\nguest house*\nroom\nstay*\nlodging\nbed and breakfast\nnight*",
    ),
    (
        Domain::Restaurant,
        "restaurant*\nfood\neat\ndine\ndining\ntable\nmeal",
    ),
    (
        Domain::Attraction,
        "attraction*\nmuseum*\ncollege*\npark\nentertainment\nvisit\nplaces to go\ntheatre*",
    ),
    (Domain::Train, "train*\nticket*"),
    (Domain::Taxi, "taxi*\ncab"),
];

/// What was said, as the rules read it.
struct Listened<'a> {
    user: Said<'a>,
    /// What the agent said and the user let pass.
    agreed: Said<'a>,
    /// Each utterance of the user, with all that it was told before.
    utterances: Vec<(&'a str, String)>,
}

impl<'a> Listened<'a> {
    fn new(played: &Played<'a>) -> Self {
        let (mut agreed, mut told, mut utterances) = (Vec::new(), String::new(), Vec::new());
        let mut before = None;
        let replies = played
            .turns
            .iter()
            .map(|turn| turn.reply.map(|(_, said)| said.text.as_str()));
        for (user, reply) in played.user().zip(replies.chain([None])) {
            utterances.push((user, told.clone()));
            agreed.extend(before.filter(|_| !DetectedQuestion::new(user).begins(DENYING)));
            told.push_str(reply.unwrap_or_default());
            told.push('\n');
            before = reply;
        }
        Self {
            user: Said::new(played.user()),
            agreed: Said::new(agreed),
            utterances,
        }
    }

    /// Whether every value of a goal was said, and everything asked for that was not told.
    fn is_complete(&self, goal: &Goal, played: &Played<'_>) -> bool {
        let answers = played.score.and_then(|detail| detail.get("answers"));
        let domains = goal.domains.iter();
        domains.into_iter().all(|(domain, wanted)| {
            let pairs = [
                (Some(&wanted.info), &wanted.fail_info),
                (wanted.book.as_ref(), &wanted.fail_book),
            ];
            let said = pairs.iter().all(|(slots, before)| {
                slots.iter().copied().flatten().all(|(slot, value)| {
                    // What is asked for first may do, and then nobody hears of the rest.
                    let first = before.as_ref().and_then(|before| before.get(slot));
                    [Some(value), first]
                        .into_iter()
                        .flatten()
                        .any(|value| self.is_said(slot, value))
                })
            });
            let told = |slot: &str| {
                let answers = answers.and_then(|answers| answers.get(domain.as_str()));
                was_told(*domain, slot, answers)
            };
            said && wanted
                .requests()
                .iter()
                .all(|slot| told(slot) || self.is_asked(slot))
        })
    }

    fn is_said(&self, slot: &str, value: &Value) -> bool {
        let Some(value) = value.as_str() else {
            return true;
        };
        if ["", "none", "dontcare", "not mentioned"].contains(&value) {
            return true;
        }
        let mut forms = forms(slot, value).into_iter();
        forms.any(|form| {
            let said = |words: &Said<'_>| words.places(&form, 0).next().is_some();
            said(&self.user) || said(&self.agreed)
        })
    }

    fn is_asked(&self, slot: &str) -> bool {
        let cues = ASKED.iter().find(|(own, _)| *own == slot);
        let cues = cues.map_or(slot, |(_, cues)| cues);
        let mut utterances = self.utterances.iter();
        utterances.any(|(user, _)| DetectedQuestion::new(user).has(cues))
    }

    /// Whether the user said values that its goal has not, where it has others, and where it has none. What it was told
    /// before it may choose.
    fn strays(&self, goal: &Goal) -> (bool, bool) {
        let (mut contradicts, mut invents) = (false, false);
        for (user, told) in &self.utterances {
            for clause in clauses(user) {
                let heard = DetectedQuestion::new(clause);
                let mut about = ABOUT.iter().filter(|(_, cues)| heard.has(cues));
                let about = match (about.next(), about.next()) {
                    (Some((domain, _)), None) => Some(*domain),
                    _ => None,
                };
                let is_open = heard.has(OPEN);
                for (kind, value) in values(clause).into_iter().filter(|_| !is_open) {
                    if kind.wanted(goal, None).contains(&value)
                        || kind.is_told(told, &value)
                        || named(goal, &value)
                    {
                        continue;
                    }
                    // Of the domain that the clause is about, if that is plain, and else of any.
                    match kind.wanted(goal, about).is_empty() {
                        true => invents = true,
                        false => contradicts = true,
                    }
                }
            }
        }
        (contradicts, invents)
    }
}

/// Something that has few values, or numbers or times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Area,
    Price,
    Day,
    Stars,
    People,
    Stay,
    Time,
}

impl Kind {
    fn slots(self) -> &'static [&'static str] {
        match self {
            Self::Area => &["area"],
            Self::Price => &["pricerange"],
            Self::Day => &["day"],
            Self::Stars => &["stars"],
            Self::People => &["people"],
            Self::Stay => &["stay"],
            Self::Time => &["leaveAt", "arriveBy", "time"],
        }
    }

    /// The values that a goal has of it, of one domain or of all.
    fn wanted(self, goal: &Goal, about: Option<Domain>) -> BTreeSet<String> {
        let domains = goal.domains.iter();
        let domains = domains.filter(|(domain, _)| about.is_none_or(|about| about == *domain));
        let all = domains.flat_map(|(_, wanted)| slots_of(wanted));
        let own = all.filter(|(slot, _)| self.slots().contains(&slot.as_str()));
        let values = own.filter_map(|(_, value)| value.as_str());
        values.map(|value| self.compared_form(value)).collect()
    }

    /// A value as clauses have it: times without a zero in front.
    fn compared_form(self, value: &str) -> String {
        let value = match self {
            Self::Time => value.strip_prefix('0').unwrap_or(value),
            _ => value,
        };
        value.to_lowercase()
    }

    /// Whether the agent has named a value before.
    fn is_told(self, replies: &str, value: &str) -> bool {
        values(replies).contains(&(self, value.to_owned())) || {
            let said = Said::new([replies]);
            self == Self::Time
                && forms("time", value)
                    .iter()
                    .any(|form| said.places(form, 0).next().is_some())
        }
    }
}

fn slots_of(wanted: &DomainGoal) -> impl Iterator<Item = (&String, &Value)> {
    let parts: [Option<&Slots>; 4] = [
        Some(&wanted.info),
        wanted.fail_info.as_ref(),
        wanted.book.as_ref(),
        wanted.fail_book.as_ref(),
    ];
    parts.into_iter().flatten().flatten()
}

/// Whether a name or place of the goal has this value in it, such as `north` in `city centre north`.
fn named(goal: &Goal, value: &str) -> bool {
    let mut all = goal.domains.iter().flat_map(|(_, wanted)| slots_of(wanted));
    all.any(|(slot, own)| {
        ["name", "departure", "destination"].contains(&slot.as_str())
            && own
                .as_str()
                .is_some_and(|own| holds(&normalise(own), value))
    })
}

/// The values that a clause has of things that have few, or numbers or times.
fn values(text: &str) -> Vec<(Kind, String)> {
    let normal = normalise(text);
    let of = |kind: Kind, domain: Domain, slot: &str| {
        let values = domain.values(slot).unwrap_or_default().iter();
        let said = values.filter(|value| holds(&normal, value));
        said.map(|value| (kind, (*value).to_owned()))
            .collect::<Vec<_>>()
    };
    let mut found = of(Kind::Area, Domain::Hotel, "area");
    if holds(&normal, "center") {
        found.push((Kind::Area, "centre".to_owned()));
    }
    found.extend(of(Kind::Price, Domain::Hotel, "pricerange"));
    found.extend(of(Kind::Day, Domain::Train, "day"));
    let said: Vec<&str> = normal.split(' ').collect();
    for pair in said.windows(2) {
        let Some(number) = number(pair[0]) else {
            continue;
        };
        let kind = match pair[1] {
            "star" | "stars" => Kind::Stars,
            "people" | "persons" | "guests" | "tickets" => Kind::People,
            "night" | "nights" => Kind::Stay,
            _ => continue,
        };
        found.push((kind, number.to_string()));
    }
    found.extend(times(text).into_iter().map(|time| (Kind::Time, time)));
    found
}

/// Times of day, without a zero in front.
fn times(text: &str) -> Vec<String> {
    let tokens = text.split(|letter: char| !letter.is_ascii_digit() && letter != ':');
    let times = tokens.filter_map(|token| {
        let (hour, minutes) = token.trim_matches(':').split_once(':')?;
        let hour: u32 = hour.parse().ok().filter(|hour| *hour < 25)?;
        (minutes.len() == 2).then(|| format!("{hour}:{minutes}"))
    });
    let mut found: Vec<String> = times.collect();
    let lower = text.to_lowercase();
    if lower.contains("pm") || lower.contains("p.m") {
        for time in &mut found {
            if let Some((hour, minutes)) = time.split_once(':') {
                let hour = hour.parse().unwrap_or(12_u32);
                if hour < 12 {
                    *time = format!("{}:{minutes}", hour + 12);
                }
            }
        }
    }
    found
}

const NUMBERS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

fn number(word: &str) -> Option<usize> {
    word.parse()
        .ok()
        .or_else(|| NUMBERS.iter().position(|own| *own == word))
}

/// The ways in which a user says a value of its goal.
fn forms(slot: &str, value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned()];
    match slot {
        "internet" => return ["internet", "wifi", "wi-fi"].map(str::to_owned).into(),
        "parking" => return vec!["parking".to_owned()],
        "leaveAt" | "arriveBy" | "time" => {
            forms.push(value.trim_start_matches('0').to_owned());
            if let Some((hour, minutes)) = value.split_once(':') {
                let hour = hour.parse().unwrap_or(0_u32);
                let (half, hour) = match hour {
                    13.. => ("pm", hour - 12),
                    12 => ("pm", 12),
                    0 => ("am", 12),
                    _ => ("am", hour),
                };
                forms.push(format!("{hour}:{minutes} {half}"));
                if minutes == "00" {
                    forms.extend([format!("{hour} {half}"), format!("{hour} o'clock")]);
                }
            }
        }
        "people" | "stay" | "stars" => {
            let spelled = value
                .parse()
                .ok()
                .and_then(|number: usize| NUMBERS.get(number));
            forms.extend(spelled.map(|word| (*word).to_owned()));
            if slot == "people" && value == "1" {
                forms.extend(
                    ["just me", "myself", "only me", "alone", "a ticket"].map(str::to_owned),
                );
            }
        }
        "type" => forms.push(value.replace("mutliple", "multiple")),
        "name" | "departure" | "destination" => {
            forms.push(clean_name(value));
        }
        _ => {}
    }
    forms
}

/// The clauses of an utterance: what stands between stops, and before and after `but` and `and then`.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |(at, letter): (usize, char)| {
        let next = text
            .get(at + letter.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        matches!(letter, '.' | '!' | '?' | ';' | '\n' | ',') && next.is_none_or(char::is_whitespace)
    };
    let mut begin = 0;
    let ends: Vec<usize> = text
        .char_indices()
        .filter(|place| ends(*place))
        .map(|(at, letter)| at + letter.len_utf8())
        .collect();
    ends.into_iter().chain([text.len()]).filter_map(move |end| {
        let clause = text.get(begin..end);
        begin = end;
        clause
    })
}

/// Whether a text has a value of something that has few, a number of something, or a time.
pub(super) fn has_values(text: &str) -> bool {
    !values(text).is_empty()
}

/// Whether a text has such a value that another one has not, but that was said before.
pub(super) fn new_values(text: &str, other: &str, before: &str) -> bool {
    let (other, before) = (values(other), values(before));
    let mut own = values(text).into_iter();
    own.any(|value| !other.contains(&value) && before.contains(&value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::account::{Account, Exchange};
    use super::super::analyses::made_up;
    use super::*;

    /// The goal: a restaurant in the centre for 2 on monday at 13:45, and a taxi at 09:15 with its car and phone.
    fn of(turns: &[(&str, &str)], farewell: Option<&str>) -> Fidelity {
        let turns = turns.iter().map(|(user, reply)| Exchange {
            user: (*user).to_owned(),
            calls: Vec::new(),
            reply: Some((*reply).to_owned()),
        });
        let account = Account {
            exchanges: turns.collect(),
            farewell: farewell.map(str::to_owned),
        };
        made_up::with(&made_up::wanted(), &account, |log| {
            Fidelity::of(log).unwrap()
        })
    }

    const FAITHFUL: [(&str, &str); 3] = [
        (
            "A table in the center for two people, please.",
            "On which day?",
        ),
        ("On Monday at 1:45 pm.", "It is done."),
        (
            "And a taxi at 9:15. What car is it, and what is its phone number?",
            "I do not know.",
        ),
    ];

    #[test]
    fn a_user_that_says_all_of_its_goal_in_its_own_words_is_faithful() {
        assert!(of(&FAITHFUL, Some("Bye")).is_faithful());
        assert!(of(&FAITHFUL, None).is_faithful());
        // What the agent took for granted and the user let pass need not be said; what it denied has to be.
        let passed = |answer: &str| {
            let turns = [
                (
                    "A table for 2 people.",
                    "In the centre, on monday at 13:45?",
                ),
                (answer, "Good."),
                ("A taxi at 09:15, with its phone and car type", "A car."),
            ];
            of(&turns, Some("Bye"))
        };
        assert!(passed("Yes, please.").complete && passed("Great").is_faithful());
        let denied = passed("No.");
        assert!(
            !denied.complete && denied.left_early && denied.consistent && !denied.is_faithful()
        );
    }

    #[test]
    fn who_leaves_before_has_left_early_but_for_an_agent_that_is_stuck() {
        let short = of(&FAITHFUL[..1], Some("Bye"));
        assert!(short.left_early && !short.complete && short.consistent && !short.invented);
        // All turns were over.
        assert!(!of(&FAITHFUL[..1], None).left_early);
        let stuck = of(&[FAITHFUL[0], ("Hello?", "On which day?")], Some("Bye"));
        assert!(!stuck.left_early && !stuck.complete && stuck.stuck && stuck.is_faithful());
    }

    #[test]
    fn values_that_the_goal_has_otherwise_or_not_at_all_are_seen() {
        let with = |said: &str, told: &str| {
            let turns = [
                FAITHFUL[0],
                FAITHFUL[1],
                (FAITHFUL[2].0, told),
                (said, "Well."),
            ];
            let own = of(&turns, Some("Bye"));
            (own.consistent, own.invented)
        };
        for (said, told, expected) in [
            ("A restaurant in the north.", "Good.", (false, false)),
            (
                "In the north, please.",
                "There are some in the north.",
                (true, false),
            ),
            ("Not in the north.", "Good.", (true, false)),
            ("North or south, I don't care.", "Good.", (true, false)),
            ("A table for 5 people.", "Good.", (false, false)),
            ("The taxi at 10:30.", "Good.", (false, false)),
            ("The taxi on friday.", "Good.", (true, true)),
            ("A cheap restaurant.", "Good.", (true, true)),
            ("A hotel for 3 nights.", "Good.", (true, true)),
            ("A hotel with 4 stars", "It has 4 stars.", (true, false)),
            ("At 13:45 on monday.", "Good.", (true, false)),
        ] {
            assert_eq!(with(said, told), expected, "{said}");
        }
        let named =
            json!({ "hotel": { "info": { "name": "city centre north b and b", "stars": "0" } } });
        let said = "City Centre North B and B with 0 stars";
        let exchange = Exchange {
            user: said.to_owned(),
            reply: Some("Yes.".to_owned()),
            ..Exchange::default()
        };
        let account = Account {
            exchanges: vec![exchange],
            farewell: None,
        };
        let own = made_up::with(&named, &account, |log| Fidelity::of(log).unwrap());
        assert!(own.is_faithful(), "{own:?}");
    }

    proptest! {
        #[test]
        fn any_words_are_read(user in "\\PC{0,40}", reply in "[a-z0-9:. ?]{0,40}", noise in "[0-9:]{0,9}( pm| stars)?") {
            let own = of(&[(&user, &reply), (&noise, &user)], Some(&noise));
            prop_assert!(!own.left_early || !own.complete);
        }
    }
}
