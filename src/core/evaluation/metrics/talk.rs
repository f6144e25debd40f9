//! Counts of the talk between agents and users, as a notebook of ReSpAct counts it. Functions for the
//! tables of worlds in which these figures are of use.

use super::super::normalise::{holds, normalise};
use crate::domain::{Message, Utterance};
use crate::ports::{EpisodeLog, Measurement};

/// Parts of words by which a user contradicts; as in the program, they may stand anywhere (`know`).
const CORRECTIONS: [&str; 4] = ["no", "not", "incorrect", "wrong"];

/// Parts of words of somebody who is content, and of somebody who is not.
const CONTENT: &str = include_str!("content.txt");
const DISCONTENT: &str = include_str!("discontent.txt");

/// The last lines of a conversation that satisfaction is read from, those of the agent included.
const LAST_LINES: usize = 3;

/// The mean number of words of the user's replies. Absent without a reply.
pub fn answer_words(log: &EpisodeLog<'_>) -> Option<Measurement> {
    let words = replies(log).map(|reply| reply.text.split_whitespace().count());
    let (sum, n) = words.fold((0, 0_u32), |(sum, n), words| (sum + words, n + 1));
    (n > 0).then(|| Measurement::Value(sum as f64 / f64::from(n)))
}

/// The share of the user's replies that were longer than it may speak, and were cut.
pub fn cut_answers(log: &EpisodeLog<'_>) -> Option<Measurement> {
    share(replies(log).map(|reply| reply.cut))
}

/// Utterances to the user with a question mark. Absent where there is no user.
pub fn clarifications(log: &EpisodeLog<'_>) -> Option<Measurement> {
    log.opened()?.user.as_ref()?;
    let asked = log
        .events
        .iter()
        .filter(|event| matches!(&event.message, Message::Told(said) if said.text.contains(['?', '？'])));
    Some(Measurement::Value(asked.count() as f64))
}

/// Replies of the user with `no`, `not`, `incorrect` or `wrong` anywhere in them. Absent where there is no user.
pub fn corrections(log: &EpisodeLog<'_>) -> Option<Measurement> {
    log.opened()?.user.as_ref()?;
    let corrects = |reply: &&Utterance| {
        let small = reply.text.to_lowercase();
        CORRECTIONS.iter().any(|part| small.contains(part))
    };
    Some(Measurement::Value(replies(log).filter(corrects).count() as f64))
}

/// How content the user was at the end, from 1 to 5: 3, and one more for each cue of content and one less for each
/// of discontent, over its lines among the last three of the conversation. Absent without a reply.
pub fn satisfaction(log: &EpisodeLog<'_>) -> Option<Measurement> {
    replies(log).next()?;
    let lines = log.events.iter().rev().filter_map(|event| match &event.message {
        Message::Told(_) => Some(None),
        Message::Replied(reply) => Some(Some(reply)),
        _ => None,
    });
    let points = lines.take(LAST_LINES).flatten().map(|reply| {
        let small = reply.text.to_lowercase();
        let found = |cues: &str| cues.lines().filter(|cue| small.contains(cue)).count() as i64;
        found(CONTENT) - found(DISCONTENT)
    });
    let points = 3 + points.sum::<i64>();
    Some(Measurement::Value(points.clamp(1, 5) as f64))
}

/// The share of the user's replies that hold one of these phrases, as [`normalise`] writes them. What the agent
/// said itself just before is no secret. Absent without a reply.
pub fn telling(log: &EpisodeLog<'_>, secrets: &[String]) -> Option<Measurement> {
    let mut told = String::new();
    let mut hits = Vec::new();
    for event in &log.events {
        match &event.message {
            Message::Told(said) => told = normalise(&said.text),
            Message::Replied(reply) => {
                let reply = normalise(&reply.text);
                let tells = |secret: &&String| holds(&reply, secret) && !holds(&told, secret);
                hits.push(secrets.iter().any(|secret| tells(&secret)));
            }
            _ => {}
        }
    }
    share(hits.into_iter())
}

fn replies<'a>(log: &EpisodeLog<'a>) -> impl Iterator<Item = &'a Utterance> {
    log.events.iter().filter_map(|event| match &event.message {
        Message::Replied(reply) => Some(reply),
        _ => None,
    })
}

fn share(hits: impl Iterator<Item = bool>) -> Option<Measurement> {
    let (hits, n) = hits.fold((0, 0), |(hits, n), hit| (hits + u64::from(hit), n + 1));
    (n > 0).then_some(Measurement::Share { hits, n })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CellName, Event, Opened, PublicTask};

    /// A conversation: what the agent says begins with `>`.
    fn measured(lines: &[&str], metric: impl Fn(&EpisodeLog<'_>) -> Option<Measurement>) -> Option<f64> {
        let opened = Message::Opened(Box::new(Opened {
            task: PublicTask::new("t", "", "").into(),
            cell: CellName::new("c").unwrap(),
            strategy: String::new(),
            roles: Vec::new(),
            user: Some("model".to_owned()),
            fork: None,
            served: None,
        }));
        let said = lines.iter().map(|line| match line.strip_prefix('>') {
            Some(told) => Message::Told(Utterance::text(told)),
            None => Message::Replied(Utterance { cut: line.ends_with('…'), ..Utterance::text(*line) }),
        });
        let events = Event::numbered(std::iter::once(opened).chain(said));
        let id = "main:0:0".parse().unwrap();
        metric(&EpisodeLog::new(&id, events.iter().collect()))?.number()
    }

    #[test]
    fn words_questions_and_corrections_are_counted() {
        let talk = &[">Blue?", "No, dark green", ">I see.", "I know…", ">Large or small?", "large"];
        assert_eq!(measured(talk, answer_words), Some(2.0));
        assert_eq!(measured(talk, cut_answers), Some(1.0 / 3.0));
        assert_eq!(measured(talk, clarifications), Some(2.0));
        // `know` has a `no` in it, as in the original program.
        assert_eq!(measured(talk, corrections), Some(2.0));
        for metric in [answer_words, cut_answers, satisfaction] {
            assert_eq!(measured(&[">Hello."], metric), None);
        }
    }

    #[test]
    fn satisfaction_is_read_from_the_last_three_lines() {
        let of = |talk: &[&str]| measured(talk, satisfaction);
        assert_eq!(of(&[">a", "Blue."]), Some(3.0));
        assert_eq!(of(&[">a", "Great, thank you!"]), Some(5.0));
        assert_eq!(of(&[">a", "That is WRONG."]), Some(2.0));
        // Of four lines the first does not count any more.
        assert_eq!(of(&["Great!", ">a", "Terrible.", ">b"]), Some(2.0));
        let worst = "wrong, terrible, useless, disappointing and annoying";
        assert_eq!(of(&[">a", worst]), Some(1.0));
    }

    #[test]
    fn a_secret_is_told_unless_the_agent_said_it_first() {
        let secrets = ["cold brew coffee".to_owned(), "owyn".to_owned()];
        let telling = |log: &EpisodeLog<'_>| telling(log, &secrets);
        let of = |talk: &[&str]| measured(talk, telling);
        assert_eq!(of(&[">Which?", "Cold-Brew, coffee!"]), Some(1.0));
        assert_eq!(of(&[">Which?", "Cold coffee", ">Owyn?", "Yes, Owyn."]), Some(0.0));
        assert_eq!(of(&[">Owyn?", "Yes", ">So?", "From Owyn"]), Some(0.5));
        assert_eq!(of(&[">Which?"]), None);
    }
}
