//! Items to be labelled: utterances or whole dialogues, with the context that a rater must know.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{JudgePart, JudgeQuestion};
use crate::domain::{EpisodeId, Message, Seed, Utterance};
use crate::ports::{EpisodeLog, Response};

/// Lines of the context of an utterance.
const CONTEXT: usize = 6;
/// Letters of one line of a context or a dialogue.
const LONGEST: usize = 600;
/// Letters of one line of a part that a question names, or of a note: what is asked may stand in any of them.
const LONGEST_OF_PART: usize = 8_000;
/// Lines of a dialogue; the first and the last are kept.
const MOST_LINES: usize = 200;

/// The kind of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// Something that was said to the user.
    #[default]
    Utterances,
    /// All that was said and done in an episode.
    Dialogues,
    /// The response of an episode whose task asks for one.
    Responses,
}

/// Who a line is from. Roles have no names here: those would tell raters about the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The request, in the task's words.
    Task,
    /// An utterance of the agent.
    Agent,
    /// A reply of the user.
    User,
    /// An action of the agent.
    Action,
    /// The observation after it.
    Result,
    /// Information for raters besides, as a world's question says.
    Note,
}

names! { Speaker, label:
    Task => "Task", Agent => "Agent", User => "User", Action => "Action", Result => "Result",
    Note => "Note",
}

/// A line of a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextLine {
    /// Who it is from.
    pub speaker: Speaker,
    /// Its text, cut if it is long.
    pub text: String,
}

/// Something to be labelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Number of the event of the utterance; 0 for a dialogue.
    pub seq: u32,
    /// The utterance; of a dialogue nothing.
    pub said: Utterance,
    /// The task, and what came before the utterance; of a dialogue all of it.
    pub context: Vec<ContextLine>,
    /// The fields of a question that are asked of it; none for all.
    pub fields: Option<Vec<&'static str>>,
}

impl Item {
    /// Whether a field is asked of it.
    pub fn has_field(&self, name: &str) -> bool {
        let fields = self.fields.as_ref();
        fields.is_none_or(|fields| fields.contains(&name))
    }
}

/// The items of an episode for a question of a world that says itself what it is about, and for any other
/// [`items`].
pub fn items_of(
    question: Option<&JudgeQuestion>,
    log: &EpisodeLog<'_>,
    kind: ItemKind,
    known: impl Fn(&EpisodeLog<'_>) -> Option<Response>,
) -> Vec<Item> {
    if let Some(parts) = question.and_then(|question| question.parts) {
        return parts(log).into_iter().map(Item::from).collect();
    }
    let Some(about) = question.and_then(|question| question.about) else {
        return items(log, kind, known);
    };
    let Some(notes) = about(log) else {
        return Vec::new();
    };
    let mut found = match kind {
        ItemKind::Dialogues => all_items(log, kind, true),
        _ => items(log, kind, known),
    };
    for item in &mut found {
        let notes = notes.iter().map(|note| cut(Speaker::Note, note, LONGEST_OF_PART));
        item.context.splice(0..0, notes);
    }
    found
}

impl From<JudgePart> for Item {
    fn from(part: JudgePart) -> Self {
        let lines = part.lines.iter().map(|(speaker, text)| cut(*speaker, text, LONGEST_OF_PART));
        Self { seq: part.seq, said: Utterance::default(), context: lines.collect(), fields: Some(part.fields) }
    }
}

/// The items of an episode, in order. What agents thought, how the episode ended, and what only some
/// seat may know is in none of them. Of [`ItemKind::Responses`], the response that its world knows of is
/// asked for.
pub fn items(log: &EpisodeLog<'_>, kind: ItemKind, known: impl Fn(&EpisodeLog<'_>) -> Option<Response>) -> Vec<Item> {
    if kind == ItemKind::Responses {
        return known(log).and_then(response).into_iter().collect();
    }
    all_items(log, kind, false)
}

/// Utterances, or the dialogue: `silent` ones as well, in which nothing was said to a user.
fn all_items(log: &EpisodeLog<'_>, kind: ItemKind, silent: bool) -> Vec<Item> {
    let mut found = Vec::new();
    let mut before: VecDeque<ContextLine> = VecDeque::new();
    let most = match kind {
        ItemKind::Utterances => CONTEXT,
        ItemKind::Dialogues | ItemKind::Responses => MOST_LINES,
    };
    let task = log.opened().map(|opened| &opened.task.text).filter(|text| !text.is_empty());
    let task = task.map(|text| line(Speaker::Task, text));
    let mut spoken = silent;
    for event in &log.events {
        let (speaker, text) = match &event.message {
            Message::Told(said) => {
                spoken = true;
                if kind == ItemKind::Utterances {
                    found.push(Item {
                        seq: event.seq,
                        said: said.clone(),
                        context: task.iter().chain(&before).cloned().collect(),
                        fields: None,
                    });
                }
                (Speaker::Agent, &said.text)
            }
            Message::Replied(reply) => (Speaker::User, &reply.text),
            Message::Perform(action) => (Speaker::Action, &action.text),
            Message::Observed(observed) => (Speaker::Result, &observed.text),
            _ => continue,
        };
        before.push_back(line(speaker, text));
        if before.len() > most {
            before.pop_front();
        }
    }
    if kind == ItemKind::Dialogues && spoken {
        found.push(Item {
            seq: 0,
            said: Utterance::default(),
            context: task.into_iter().chain(before).collect(),
            fields: None,
        });
    }
    found
}

/// The response of an episode with the conversation that it goes on from; none if there was none of
/// either. What was planned, looked up or thought is not shown: it would tell how it was made.
fn response(known: Response) -> Option<Item> {
    // Whoever spoke last waits for the response.
    let (user, _) = known.context.last()?;
    let left_out = known.context.len().saturating_sub(MOST_LINES);
    let context = known.context.iter().skip(left_out).map(|(speaker, text)| {
        let speaker = match speaker == user {
            true => Speaker::User,
            false => Speaker::Agent,
        };
        line(speaker, text)
    });
    Some(Item { seq: known.given?, context: context.collect(), said: Utterance::text(known.text), fields: None })
}

fn line(speaker: Speaker, text: &str) -> ContextLine {
    cut(speaker, text, LONGEST)
}

fn cut(speaker: Speaker, text: &str, longest: usize) -> ContextLine {
    let text = match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    };
    ContextLine { speaker, text }
}

/// The name of an item for raters: it says nothing about the episode by itself, and no program takes it for
/// a number or a formula. The same for the same run, whoever computes it.
pub fn id_of(run: &str, seed: Option<Seed>, episode: &EpisodeId, seq: u32) -> String {
    let seed = seed.unwrap_or(Seed(0));
    let name = format!("{run}\n{episode}");
    let hash = seed.labelled("item to be labelled", &name, seq).0;
    format!("u{:014x}", hash >> 8)
}

/// At most so many of the items, named by their ids: drawn by the seed, each as likely as any other. More of
/// them with the same seed hold the fewer ones.
pub fn chosen(mut ids: Vec<String>, most: Option<usize>, seed: Seed) -> Vec<String> {
    ids.sort_by_cached_key(|id| (seed.labelled("sample of items", id, 0).0, id.clone()));
    ids.truncate(most.unwrap_or(usize::MAX));
    ids
}

/// The items of each rater, each list in an order of its own. A share of them (rounded up) goes to all
/// raters; the others are dealt in turn.
pub fn dealt(ids: &[String], raters: u32, overlap: f64, seed: Seed) -> Vec<Vec<String>> {
    let common = (ids.len() as f64 * overlap.clamp(0.0, 1.0)).ceil() as usize;
    let (common, rest) = ids.split_at(common.min(ids.len()));
    let list = |rater: u32| {
        let dealt = rest.iter().zip((0..raters.max(1)).cycle()).filter(|(_, turn)| *turn == rater).map(|(id, _)| id);
        let mut list: Vec<String> = common.iter().chain(dealt).cloned().collect();
        list.sort_by_cached_key(|id| (seed.labelled("order of items", id, rater).0, id.clone()));
        list
    };
    (0..raters.max(1)).map(list).collect()
}

#[cfg(test)]
mod tests {
    use crate::evaluation::labels::JudgePrompt;
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::*;

    #[test]
    fn a_response_is_shown_with_its_dialogue_and_nothing_of_how_it_was_made() {
        let id: EpisodeId = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, Vec::new());
        let turn = |speaker: &str, text: &str| (speaker.to_owned(), text.to_owned());
        let known = Response {
            given: Some(3),
            text: "Pianta.".to_owned(),
            references: vec!["SECRET".to_owned()],
            context: vec![turn("T", "Box is scatola."), turn("S", "And plant?")],
            planned: Some(vec!["SECRET".to_owned()]),
            ..Response::default()
        };
        let found = |known: Option<Response>| items(&log, ItemKind::Responses, |_| known.clone());
        let items = found(Some(known.clone()));
        let [item] = items.as_slice() else { panic!("{items:?}") };
        assert_eq!((item.seq, item.said.text.as_str()), (3, "Pianta."));
        let lines = item.context.iter().map(|line| line.speaker.label());
        assert_eq!(lines.collect::<Vec<_>>(), ["Agent", "User"]);
        assert!(!format!("{item:?}").contains("SECRET"));
        let never = Response { given: None, ..known };
        assert!(found(Some(never)).is_empty() && found(None).is_empty());
    }

    #[test]
    fn a_question_says_which_episodes_it_is_about_and_what_raters_are_told() {
        let said = ["Where?", "Where there?"].map(|text| Message::Told(Utterance::text(text)));
        let acted = Message::Perform(Action::text("look"));
        let events = Event::numbered([acted].into_iter().chain(said));
        let id: EpisodeId = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, events.iter().collect());
        let whole = items(&log, ItemKind::Dialogues, |_| None);
        let asked = |log: &EpisodeLog<'_>, about| {
            let question = JudgeQuestion {
                name: "why",
                text: "",
                items: ItemKind::Dialogues,
                prompt: JudgePrompt::Shipped("question"),
                fields: &[],
                about,
                parts: None,
            };
            items_of(Some(&question), log, ItemKind::Dialogues, |_| None)
        };
        let about: super::super::About = |_| Some(vec!["reward 0".to_owned()]);
        let noted = asked(&log, Some(about));
        let first = &noted[0].context[0];
        assert_eq!((first.speaker, first.text.as_str()), (Speaker::Note, "reward 0"));
        assert_eq!(noted[0].context[1..], whole[0].context);
        assert!(asked(&log, Some(|_| None)).is_empty() && asked(&log, None) == whole);
        // Silent episodes as well.
        let silent = EpisodeLog::new(&id, events.iter().take(1).collect());
        assert!(asked(&silent, None).is_empty());
        assert_eq!(asked(&silent, Some(about)).len(), 1);
    }

    #[test]
    fn a_question_may_name_parts_with_fields_of_their_own() {
        let question = JudgeQuestion {
            name: "parts",
            text: "",
            items: ItemKind::Dialogues,
            prompt: JudgePrompt::Shipped("question"),
            fields: &[],
            about: None,
            parts: Some(|log| {
                let part = |seq, fields| JudgePart {
                    seq,
                    lines: vec![(Speaker::User, "x".repeat(700 + log.events.len()))],
                    fields,
                };
                vec![part(1, vec!["name"]), part(2, Vec::new())]
            }),
        };
        let id: EpisodeId = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, Vec::new());
        let found = items_of(Some(&question), &log, ItemKind::Dialogues, |_| None);
        assert_eq!(found.iter().map(|item| item.seq).collect::<Vec<_>>(), [1, 2]);
        assert!(found[0].has_field("name") && !found[0].has_field("area"));
        assert!(!found[1].has_field("name") && found[1].context[0].text.len() == 700);
    }

    #[test]
    fn contexts_hold_what_was_said_and_done_and_no_more() {
        let messages = [
            Message::Moved(Move::think("SECRET")),
            Message::Perform(Action::text("look")),
            Message::Observed(Observation::text("A desk 1.")),
            Message::Told(Utterance::text("Where?")),
            Message::Replied(Utterance::text("There.")),
            Message::Told(Utterance::text("Where there?")),
        ];
        let events: Vec<Event> = (1..)
            .zip(messages)
            .map(|(seq, message)| Event { seq, cause: None, from: Seat::Conductor, to: Seat::Conductor, message })
            .collect();
        let id: EpisodeId = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, events.iter().collect());
        let found = items(&log, ItemKind::Utterances, |_| None);
        let shown = |item: &Item| {
            let lines = item.context.iter().map(|line| format!("{}: {}", line.speaker.label(), line.text));
            lines.collect::<Vec<_>>().join("|")
        };
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].seq, shown(&found[0]).as_str()), (4, "Action: look|Result: A desk 1."));
        assert!(shown(&found[1]).ends_with("|Agent: Where?|User: There."));
        let whole = items(&log, ItemKind::Dialogues, |_| None);
        assert_eq!((whole.len(), whole[0].seq), (1, 0));
        assert!(shown(&whole[0]).ends_with("|Agent: Where there?") && !shown(&whole[0]).contains("SECRET"));
        let ids = [id_of("r", None, &id, 1), id_of("r", None, &id, 2), id_of("s", None, &id, 1)];
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[0].len() == 15, "{ids:?}");
    }

    fn ids(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("u{number}")).collect()
    }

    proptest! {
        #[test]
        fn everybody_gets_the_common_ones_and_somebody_each_other(
            count in 0_usize..60, raters in 1_u32..5, overlap in 0.0_f64..=1.0, seed in any::<u64>(),
        ) {
            let sample = chosen(ids(60), Some(count), Seed(seed));
            let more = chosen(ids(60), Some(count + 5), Seed(seed));
            prop_assert_eq!(&more[..count], &sample[..]);
            let lists = dealt(&sample, raters, overlap, Seed(seed));
            let sets: Vec<BTreeSet<&String>> = lists.iter().map(|list| list.iter().collect()).collect();
            let common = (count as f64 * overlap).ceil() as usize;
            for id in &sample {
                let holders = sets.iter().filter(|set| set.contains(id)).count();
                let shared = sample.iter().position(|known| known == id).unwrap() < common;
                prop_assert_eq!(holders, if shared { raters as usize } else { 1 });
            }
            let longest = lists.iter().map(Vec::len).max().unwrap();
            prop_assert!(lists.iter().all(|list| longest - list.len() <= 1));
        }
    }
}
