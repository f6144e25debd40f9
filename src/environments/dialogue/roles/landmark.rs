//! A visitor asks about a place: what to think of it, which sources to ask in which order, and an answer made
//! of what they gave.

use super::scene::{Known, Scene};
use crate::environments::dialogue::cues::{
    addressed, fits, names, sentences, subject, topic_words, words,
};

/// What sort of answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// What the place is called.
    Name,
    When,
    Where,
    Who,
    Why,
    /// A number: how many, how tall.
    Measure,
    Anything,
}

/// What a request asks for, by its words.
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
    let has = |ways: &[&str]| ways.iter().any(|way| small.contains(way));
    let asks = |list: &[&str]| words(&small).any(|word| list.contains(&word));
    match () {
        () if has(MEASURES) => Wanted::Measure,
        () if asks_when(&small) || has(&["what year", "which year"]) => Wanted::When,
        () if asks(&["where", "located", "location"]) => Wanted::Where,
        () if asks(&["who", "whom", "whose"]) => Wanted::Who,
        () if asks(&["why"]) => Wanted::Why,
        () if has(&["name"]) && has(&["remember", "forgot", "slipped", "escape"]) => Wanted::Name,
        () if has(NAMELESS) && says_nothing_else(request) => Wanted::Name,
        () => Wanted::Anything,
    }
}

/// Whether it is asked when something was, not told what is to be when somebody does something.
fn asks_when(small: &str) -> bool {
    const PEOPLE: &[&str] = &[
        "i", "you", "we", "he", "she", "they", "i'm", "you're", "we're",
    ];
    let all: Vec<&str> = words(small).collect();
    let mut places = all.iter().enumerate().filter(|(_, word)| **word == "when");
    places.any(|(place, _)| all.get(place + 1).is_none_or(|next| !PEOPLE.contains(next)))
}

/// Words of a request that say nothing about what is asked.
#[rustfmt::skip]
const GENERAL: &[&str] = &[
    "place", "places", "amazing", "called", "forgot", "forgotten", "landmark", "beautiful", "wonderful",
    "building", "somewhere", "familiar", "visited", "pretty", "lovely", "interesting", "seen",
];

/// Whether nothing but a place without a name is spoken of.
fn says_nothing_else(request: &str) -> bool {
    let words = topic_words(request);
    words.iter().all(|word| GENERAL.contains(&word.as_str()))
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
        let any = |list: &str| words(&small).any(|word| list.split(' ').any(|own| own == word));
        let digits = |length: usize| {
            words(sentence).any(|word| word.chars().filter(char::is_ascii_digit).count() >= length)
        };
        match self {
            Self::Name => subject(sentence).is_some(),
            Self::When => digits(4) || any(self.cue_words()),
            Self::Where => any(self.cue_words()) || small.contains(" in "),
            Self::Who => any(self.cue_words()) || small.contains(" by "),
            Self::Why => any(self.cue_words()),
            Self::Measure => digits(1),
            Self::Anything => false,
        }
    }
}

/// The name of the place: from the dialogue, or else from the thought.
fn landmark(scene: &Scene<'_>) -> Option<String> {
    let thought = || {
        names(&scene.thought)
            .into_iter()
            .find(|name| name.to_uppercase() != *name)
    };
    scene.talk.landmark().or_else(thought)
}

/// What a request is about besides the place.
fn about(request: &str, landmark: Option<&str>) -> String {
    let own = topic_words(landmark.unwrap_or_default());
    let words = topic_words(request)
        .into_iter()
        .filter(|word| !own.contains(word) && !GENERAL.contains(&word.as_str()));
    words.collect::<Vec<String>>().join(" ")
}

/// The thinker's status and blueprint. It becomes part of queries, so it is made of the place, the words of
/// the question and hardly a word that any text has.
pub(super) fn thought(scene: &Scene<'_>) -> String {
    let request = scene.talk.request();
    let place = landmark(scene);
    let about = about(request, place.as_deref());
    let status = match place {
        Some(place) => format!("USER sees {place}."),
        None => "Unnamed sight.".to_owned(),
    };
    let signs = Some(wanted(request).cue_words()).filter(|_| scene.habits.anticipates);
    let said = |what: &str, words: &str| {
        let some = !words.is_empty();
        some.then(|| format!("{what}: {words}."))
    };
    let question = said("Question", &about);
    let expected = said("Expected", signs.unwrap_or_default());
    let parts: Vec<String> = [Some(status), question, expected]
        .into_iter()
        .flatten()
        .collect();
    parts.join(" ")
}

/// Whether what is known of the user may matter: not if a bare fact is asked for by somebody who does not
/// speak of themselves.
fn asks_persona(scene: &Scene<'_>) -> bool {
    let request = scene.talk.request();
    let personal = words(request).any(|word| ["I", "I'm", "my", "me", "My"].contains(&word));
    let bare = matches!(wanted(request), Wanted::Measure | Wanted::When);
    scene.habits.asks_persona.unwrap_or(personal || !bare)
}

/// One question to a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lookup {
    pub(super) why: &'static str,
    pub(super) source: &'static str,
    /// What is looked for: words, `context`, or the variable of the step before.
    pub(super) input: String,
}

/// The sources to ask, in order. `variable` names what the first one gave, if later ones may use it.
pub(super) fn lookups(scene: &Scene<'_>, variable: Option<&str>) -> Vec<Lookup> {
    const WORLD: &str = "Search for more about the place.";
    const OWN: &str = "Search for what the USER likes about it.";
    const MEMORY: &str = "Search for the places that the USER has in mind.";
    let place = landmark(scene);
    let input = place
        .as_ref()
        .map(|place| format!("{place} {}", about(scene.talk.request(), Some(place))));
    let input = input.map_or_else(|| "context".to_owned(), |input| input.trim().to_owned());
    let earlier = variable.map_or_else(|| input.clone(), |variable| format!("#{variable}"));
    let lookup = |why, source, input: &str| Lookup {
        why,
        source,
        input: input.to_owned(),
    };
    let mut steps = match (asks_persona(scene), place) {
        // Wishes often name the place that somebody has come to.
        (true, None) if wanted(scene.talk.request()) == Wanted::Name => vec![
            lookup(MEMORY, "PERSONA", "context"),
            lookup(WORLD, "DOCUMENT", &earlier),
        ],
        (true, _) => vec![
            lookup(WORLD, "DOCUMENT", &input),
            lookup(OWN, "PERSONA", &earlier),
        ],
        (false, _) => vec![lookup(WORLD, "DOCUMENT", &input)],
    };
    steps.retain(|step| {
        scene
            .tools
            .iter()
            .any(|tool| tool.eq_ignore_ascii_case(step.source))
    });
    steps
}

/// The answer, from what the sources gave; what the user has been told already only if there is nothing else.
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

/// That there is nothing to add, not twice running in the same words.
fn nothing_new(scene: &Scene<'_>) -> String {
    const WAYS: [&str; 2] = [
        "I found nothing new about that.",
        "I have told you all that I could find about that.",
    ];
    let last = scene.talk.of_agent().next().unwrap_or_default();
    let way = WAYS.into_iter().find(|way| !last.contains(way));
    way.unwrap_or_default().to_owned()
}

/// A sentence of a document.
struct Said {
    text: String,
    /// The user has been told it before, in these words.
    is_known: bool,
}

/// The sentence of the documents that answers best, by shared words and signs; the earliest of equal ones, and
/// one that was told before only if all were.
fn best_sentence(scene: &Scene<'_>, wanted: Wanted) -> Option<Said> {
    let request = scene.talk.request();
    let documents = scene.known.iter().filter(|known| !known.persona);
    let mut best: Option<((bool, usize), &str)> = None;
    for sentence in documents.flat_map(|known| sentences(&known.text)) {
        let shown = usize::from(wanted.shows_in(sentence));
        let score = 2 * fits(request, sentence) + 3 * shown + fits(&scene.thought, sentence).min(2);
        let score = (!scene.talk.has_told(sentence), score);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, sentence));
        }
    }
    best.map(|((new, _), sentence)| Said {
        text: sentence.to_owned(),
        is_known: !new,
    })
}

/// What the user likes or is, said to them, if it has to do with the answer or with the place and was not said
/// before.
fn fitting_wish(scene: &Scene<'_>, said: Option<&str>) -> Option<String> {
    let about = format!(
        "{} {}",
        said.unwrap_or_default(),
        landmark(scene).unwrap_or_default()
    );
    let wishes = scene.known.iter().filter(|known| known.persona);
    let sentences = wishes.flat_map(|Known { text, .. }| sentences(text));
    let mut best: Option<(usize, String)> = None;
    for text in sentences {
        let score = fits(text, &about) + fits(text, scene.talk.request());
        let text = addressed(text);
        let fitting = score > 0 || said.is_none();
        let better = best.as_ref().is_none_or(|(most, _)| score > *most);
        if fitting && better && !scene.talk.has_told(&text) {
            best = Some((score, text));
        }
    }
    let (_, text) = best?;
    Some(text.trim_end_matches(['.', '!', ' ']).to_owned())
}

/// `This is the Orsa Lighthouse, and you ...`
fn named(said: &str, wish: Option<&str>) -> String {
    let name = subject(said).or_else(|| names(said).into_iter().next());
    let Some(name) = name else {
        return said.to_owned();
    };
    let name = name
        .strip_prefix("The ")
        .map_or(name.clone(), |bare| format!("the {bare}"));
    match wish {
        Some(wish) => format!("This is {name}, and {wish}."),
        None => format!("This is {name}."),
    }
}

/// A sentence that stands inside another one: its first word, if it is no name, in small letters.
fn inside(sentence: &str) -> String {
    const SMALL: &str =
        "The This That It Its In On At A An There They These Those During After From Over Its";
    let first = sentence.split_whitespace().next().unwrap_or_default();
    if SMALL.split(' ').any(|word| word == first) {
        return sentence.replacen(first, &first.to_lowercase(), 1);
    }
    sentence.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_told_by_words() {
        let table = [
            (
                "I know this place, but I don't remember the name of this place.",
                Wanted::Name,
            ),
            ("Wow, this is amazing! What is this?", Wanted::Name),
            (
                "I know this dome, but the name has slipped my mind.",
                Wanted::Name,
            ),
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
        assert_eq!(
            named(said, Some("you hope to see it")),
            "This is the Orsa Lighthouse, and you hope to see it."
        );
        assert_eq!(named("Nobody knows.", None), "Nobody knows.");
        assert_eq!(inside("The city is old."), "the city is old.");
        assert_eq!(inside("Łódź is old."), "Łódź is old.");
    }
}
