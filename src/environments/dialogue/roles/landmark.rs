//! Answers to a visitor who asks about a place: a thought, the sources to ask in their order, and an answer
//! made of their texts.

use super::scene::{Known, Scene};
use crate::cues::{Subject, addressed, fits, names, sentences, subject, topic_words, words};
use rolecall_core::text::has_word;

/// The sort of answer that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The name of the place.
    Name,
    When,
    Where,
    Who,
    Why,
    /// A number: how many, how tall.
    Measure,
    Anything,
}

/// The sort of answer that a request asks for, by its words.
pub(super) fn wanted(request: &str) -> Wanted {
    #[rustfmt::skip]
    const NAMELESS: &[&str] = &[
        "remember the name", "remember its name", "name of this", "name of the place", "what is this",
        "what's this", "what place", "which place", "called?", "forgot", "know this place",
    ];
    #[rustfmt::skip]
    const MEASURES: &[&str] = &[
        "how many", "how tall", "how big", "how old", "how long", "how far", "how much", "how high",
        "how deep", "how large", "how wide",
    ];
    let small = request.to_lowercase();
    let holds = |ways: &[&str]| ways.iter().any(|way| small.contains(way));
    let asks = |list: &str| words(&small).any(|word| has_word(list, word));
    match () {
        () if holds(MEASURES) => Wanted::Measure,
        () if asks_when(&small) || holds(&["what year", "which year"]) => Wanted::When,
        () if asks("where located location") => Wanted::Where,
        () if asks("who whom whose") => Wanted::Who,
        () if asks("why") => Wanted::Why,
        () if holds(&["name"]) && holds(&["remember", "forgot", "slipped", "escape"]) => Wanted::Name,
        () if holds(NAMELESS) && says_nothing_else(request) => Wanted::Name,
        () => Wanted::Anything,
    }
}

/// Whether a time is asked for; `when` before a person only opens a clause.
fn asks_when(small: &str) -> bool {
    const PEOPLE: &str = "i you we he she they i'm you're we're";
    let mut all = words(small).peekable();
    while let Some(word) = all.next() {
        if word == "when" && all.peek().is_none_or(|next| !has_word(PEOPLE, next)) {
            return true;
        }
    }
    false
}

/// Words of a request that say nothing about its subject.
const GENERAL: &str = "place places amazing called forgot forgotten landmark beautiful wonderful \
    building somewhere familiar visited pretty lovely interesting seen";

/// Whether only a place without a name is mentioned.
fn says_nothing_else(request: &str) -> bool {
    topic_words(request).iter().all(|word| has_word(GENERAL, word))
}

impl Wanted {
    /// Words that an answer may well hold.
    fn cue_words(self) -> &'static str {
        match self {
            Self::Name | Self::Anything => "",
            Self::When => "built opened founded established completed century",
            Self::Where => "located city county region country",
            Self::Who => "designed built founded owned architect",
            Self::Why => "because named",
            Self::Measure => "total feet metres",
        }
    }

    /// Whether a sentence looks like an answer.
    fn shows_in(self, sentence: &str) -> bool {
        let small = sentence.to_lowercase();
        let has_cue = || words(&small).any(|word| has_word(self.cue_words(), word));
        let has_digits =
            |length: usize| words(sentence).any(|word| word.chars().filter(char::is_ascii_digit).count() >= length);
        match self {
            Self::Name => subject(sentence).is_some(),
            Self::When => has_digits(4) || has_cue(),
            Self::Where => has_cue() || small.contains(" in "),
            Self::Who => has_cue() || small.contains(" by "),
            Self::Why => has_cue(),
            Self::Measure => has_digits(1),
            Self::Anything => false,
        }
    }
}

/// The name of the place: from the dialogue, or else from the thought.
fn landmark(scene: &Scene<'_>) -> Option<String> {
    let is_name = |name: &String| name.to_uppercase() != *name;
    let thought = || names(&scene.thought).into_iter().find(is_name);
    scene.talk.landmark().or_else(thought)
}

/// The subject of a request besides the place.
fn about(request: &str, landmark: Option<&str>) -> String {
    let known = topic_words(landmark.unwrap_or_default());
    let mut words = topic_words(request);
    words.retain(|word| !known.contains(word) && !has_word(GENERAL, word));
    words.join(" ")
}

/// The thinker's status and blueprint. It becomes part of queries, so it is made of the place, the words of
/// the question and hardly a word that any text has.
pub(super) fn thought(scene: &Scene<'_>) -> String {
    let request = scene.talk.request();
    let place = landmark(scene);
    let about = about(request, place.as_deref());
    let mut thought = match (place, scene.talk.subject) {
        (Some(place), Subject::Other) => format!("It is about {place}."),
        (None, Subject::Other) => String::new(),
        (Some(place), _) => format!("USER sees {place}."),
        (None, _) => "Unnamed sight.".to_owned(),
    };
    if !about.is_empty() {
        thought.push_str(&format!(" Question: {about}."));
    }
    let cues = wanted(request).cue_words();
    if scene.habits.anticipates && !cues.is_empty() {
        thought.push_str(&format!(" Expected: {cues}."));
    }
    match thought.trim() {
        // An empty thought is none.
        "" => request.to_owned(),
        thought => thought.to_owned(),
    }
}

/// Whether knowledge about the user may matter: not if a bare fact is asked for by a user who does not speak of
/// themselves.
fn asks_persona(scene: &Scene<'_>) -> bool {
    let request = scene.talk.request();
    let personal = words(request).any(|word| has_word("I I'm my me My", word));
    let bare = matches!(wanted(request), Wanted::Measure | Wanted::When);
    scene.habits.asks_persona.unwrap_or(personal || !bare)
}

/// One question to a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lookup {
    pub(super) why: &'static str,
    pub(super) source: String,
    /// The words to look for, `context`, or the variable of the step before.
    pub(super) input: String,
}

/// The sources to ask, in order. `variable` names the texts of the first one, if later ones may use them.
pub(super) fn lookups(scene: &Scene<'_>, variable: Option<&str>) -> Vec<Lookup> {
    const WORLD: &str = "Search for more about the place.";
    const OWN: &str = "Search for what the USER likes about it.";
    const MEMORY: &str = "Search for the places that the USER has in mind.";
    let (world, persona) = match scene.talk.subject {
        Subject::Other => ("Search for what answers it.", "Search for what matters to them."),
        _ => (WORLD, OWN),
    };
    let landmark = landmark(scene);
    let request = scene.talk.request();
    let input = match &landmark {
        Some(name) => format!("{name} {}", about(request, Some(name))),
        None => "context".to_owned(),
    };
    let input = input.trim().to_owned();
    let earlier = variable.map_or_else(|| input.clone(), |variable| format!("#{variable}"));
    let known = |name: &String| match scene.dataset.source(name) {
        Some((source, _)) => source.name().to_owned(),
        None => name.clone(),
    };
    let ask = |about_user: bool, why, input: &str| {
        let is_wanted = |tool: &&String| tool.eq_ignore_ascii_case("PERSONA") == about_user;
        let sources = scene.tools.iter().filter(is_wanted);
        let lookup = |source: &String| Lookup { why, source: known(source), input: input.to_owned() };
        sources.map(lookup).collect::<Vec<_>>()
    };
    match (asks_persona(scene), landmark) {
        // Wishes often name the place where somebody is.
        (true, None) if wanted(request) == Wanted::Name => {
            [ask(true, MEMORY, "context"), ask(false, world, &earlier)].concat()
        }
        (true, _) => [ask(false, world, &input), ask(true, persona, &earlier)].concat(),
        (false, _) => ask(false, world, &input),
    }
}

/// The answer, from the texts of the sources; a sentence that the user has heard only if there is no other.
pub(super) fn response(scene: &Scene<'_>) -> String {
    let wanted = wanted(scene.talk.request());
    let said = best_sentence(scene, wanted);
    let wish = fitting_wish(scene, said.as_ref().map(|said| said.text.as_str()));
    match (said, wish) {
        (Some(said), Some(wish)) if said.is_known => {
            format!("I found nothing new about that, but I remember that {wish}.")
        }
        (Some(said), None) if said.is_known => nothing_new(scene),
        (Some(said), wish) if wanted == Wanted::Name => named(&said.text, wish.as_deref()),
        (Some(said), Some(wish)) => format!("As {wish}, {}", inside(&said.text)),
        (Some(said), None) => said.text,
        (None, Some(wish)) => format!("I found nothing about that, but I remember that {wish}."),
        (None, None) => "I am sorry, I found nothing about that.".to_owned(),
    }
}

/// Words that say there is nothing to add, not twice running the same.
fn nothing_new(scene: &Scene<'_>) -> String {
    const WAYS: [&str; 2] = ["I found nothing new about that.", "I have told you all that I could find about that."];
    let last = scene.talk.of_agent().next().unwrap_or_default();
    WAYS.into_iter().find(|way| !last.contains(way)).unwrap_or_default().to_owned()
}

/// A sentence of a document.
struct Said {
    text: String,
    /// The user has heard it before, in these words.
    is_known: bool,
}

/// The sentence of the documents that answers best, by shared words and cues; the earliest of equal ones, and
/// one that the user has heard only if all were heard.
fn best_sentence(scene: &Scene<'_>, wanted: Wanted) -> Option<Said> {
    let request = scene.talk.request();
    let scored =
        scene.known.iter().filter(|known| !known.persona).flat_map(|known| sentences(&known.text)).map(|sentence| {
            let shown = usize::from(wanted.shows_in(sentence));
            let score = 2 * fits(request, sentence) + 3 * shown + fits(&scene.thought, sentence).min(2);
            ((!scene.talk.has_told(sentence), score), sentence)
        });
    let ((is_new, _), sentence) = first_best(scored)?;
    Some(Said { text: sentence.to_owned(), is_known: !is_new })
}

/// The first of those with the highest score.
fn first_best<S: PartialOrd, T>(scored: impl Iterator<Item = (S, T)>) -> Option<(S, T)> {
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// A wish or trait of the user, said to them, if it has to do with the answer or with the place and was not
/// said before.
fn fitting_wish(scene: &Scene<'_>, said: Option<&str>) -> Option<String> {
    let landmark = landmark(scene).unwrap_or_default();
    let about = format!("{} {landmark}", said.unwrap_or_default());
    let sentences = scene.known.iter().filter(|known| known.persona).flat_map(|Known { text, .. }| sentences(text));
    let fitting = sentences
        .map(|text| (fits(text, &about) + fits(text, scene.talk.request()), addressed(text)))
        .filter(|(score, text)| (*score > 0 || said.is_none()) && !scene.talk.has_told(text));
    let (_, text) = first_best(fitting)?;
    Some(text.trim_end_matches(['.', '!', ' ']).to_owned())
}

/// `This is the Orsa Lighthouse, and you ...`
fn named(said: &str, wish: Option<&str>) -> String {
    let name = subject(said).or_else(|| names(said).into_iter().next());
    let Some(name) = name else {
        return said.to_owned();
    };
    let bare = name.strip_prefix("The ").map(|bare| format!("the {bare}"));
    format!("This is {}{}.", bare.unwrap_or(name), wish.map(|wish| format!(", and {wish}")).unwrap_or_default())
}

/// A sentence that stands inside another one: its first word, if it is no name, in small letters.
fn inside(sentence: &str) -> String {
    const SMALL: &str = "The This That It Its In On At A An There They These Those During After From Over Its";
    let first = sentence.split_whitespace().next().unwrap_or_default();
    if has_word(SMALL, first) { sentence.replacen(first, &first.to_lowercase(), 1) } else { sentence.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_told_by_words() {
        let table = [
            ("I know this place, but I don't remember the name of this place.", Wanted::Name),
            ("Wow, this is amazing! What is this?", Wanted::Name),
            ("I know this dome, but the name has slipped my mind.", Wanted::Name),
            ("When was it built?", Wanted::When),
            ("Will it be open when I get there?", Wanted::Anything),
            ("Where is this place?", Wanted::Where),
            ("Who designed it?", Wanted::Who),
            ("How tall is the tower?", Wanted::Measure),
            ("What is the history of this house?", Wanted::Anything),
            ("", Wanted::Anything),
        ];
        for (request, expected) in table {
            assert_eq!(wanted(request), expected, "{request}");
        }
    }

    #[test]
    fn a_name_is_said_with_what_the_user_wishes() {
        let said = "The Orsa Lighthouse is a granite tower.";
        assert_eq!(named(said, Some("you hope to see it")), "This is the Orsa Lighthouse, and you hope to see it.");
        assert_eq!(named("Nobody knows.", None), "Nobody knows.");
        assert_eq!(inside("The city is old."), "the city is old.");
        assert_eq!(inside("Łódź is old."), "Łódź is old.");
    }
}
