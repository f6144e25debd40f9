//! Tests of the tutor over lessons of all kinds: nothing false is stated, and nothing wrong is confirmed.

use proptest::prelude::*;

use super::*;
use crate::cues::TalkLine;
use crate::language::Dataset;
use crate::roles::Habits;
use rolecall_core::domain::Brief;

const STRATEGIES: [&str; 5] = ["Hint", "Question", "Correction", "Confirmation", "Others"];

/// Rows of the course as somebody else wrote them down: English, Italian and Spanish, with their articles.
const THINGS: [(&str, &str, &str); 6] = [
    ("chair", "la sedia", "la silla"),
    ("box", "la scatola", "la caja"),
    ("table", "il tavolo", "la mesa"),
    ("tree", "l'albero", "el árbol"),
    ("cat", "il gatto", "el gato"),
    ("flower", "il fiore", "la flor"),
];
const COLOURS: [(&str, [&str; 2], [&str; 2]); 3] = [
    ("red", ["rosso", "rossa"], ["rojo", "roja"]),
    ("blue", ["blu", "blu"], ["azul", "azul"]),
    ("yellow", ["giallo", "gialla"], ["amarillo", "amarilla"]),
];
const RELATIONS: [(&str, &str, &str); 2] = [("under", "sotto", "debajo de"), ("behind", "dietro", "detrás de")];

/// Lessons, none of them true.
const FALSE: [&str; 10] = [
    "The sky is the limit.",
    "\"Nobody\" is \"perfect\".",
    "\"red\" is \"verde\".",
    "'box' is 'caixa'",
    "That word is difficult.",
    "My name is Anna and \"tree\" is \"tavolo\".",
    "is behind the is e sotto il",
    "Red means danger.",
    "tree = Baum",
    "The cat is under the red chair is easy.",
];

/// The words of every strategy.
fn all_words(lines: &[(bool, String)], knows_course: bool) -> Vec<String> {
    let line = |(user, text): &(bool, String)| TalkLine { user: *user, text: text.clone() };
    let scene = Scene {
        talk: Talk::new("cima", lines.iter().map(line).collect()),
        brief: &Brief::default(),
        habits: Habits { course: knows_course, ..Habits::default() },
        dataset: Dataset::Cima,
        tools: Vec::new(),
        thought: String::new(),
        known: Vec::new(),
        plan: None,
        lookups: 0,
    };
    let tutor = Tutor::new(&scene);
    assert!(!tutor.strategies().is_empty());
    STRATEGIES.map(|strategy| tutor.says(strategy)).into_iter().chain([tutor.thought()]).collect()
}

fn confirms(words: &[String]) -> bool {
    let right = ["correct", "right", "perfect", "well done", "closer"];
    let said = words.iter().take(STRATEGIES.len());
    let mut said = said.map(|said| said.to_lowercase());
    said.any(|said| right.iter().any(|word| said.contains(word)))
}

/// The pairs that are stated: `"box" is "scatola"`, `It is "rossa"`.
fn pairs(words: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for said in words.iter().take(STRATEGIES.len()) {
        let parts: Vec<&str> = said.split('"').collect();
        for part in parts.windows(3).filter(|part| part[1] == " is ") {
            found.push((part[0].to_owned(), part[2].to_owned()));
        }
    }
    found
}

/// Whether a pair is one of the rows above, in that language.
fn is_true(word: &str, said: &str, spanish: bool) -> bool {
    let side = |(_, italian, es): &(&str, &'static str, &'static str)| {
        if spanish { *es } else { *italian }
    };
    let noun = |written: &'static str| written.rsplit([' ', '\'']).next().unwrap();
    let bare = word.trim_start_matches("is ").trim_end_matches(" the");
    let thing = THINGS.iter().find(|row| row.0 == bare);
    let colour = COLOURS.iter().find(|row| row.0 == bare);
    let relation = RELATIONS.iter().find(|row| row.0 == bare);
    thing.is_some_and(|row| [side(row), noun(side(row))].contains(&said))
        || colour.is_some_and(|row| if spanish { row.2 } else { row.1 }.contains(&said))
        || relation.is_some_and(|row| said.contains(side(row).trim_end_matches(" de")))
}

/// A right sentence for the rows.
fn right(cat: usize, relation: usize, thing: usize, colour: Option<usize>, spanish: bool) -> String {
    let pick = |row: &(&str, &'static str, &'static str)| if spanish { row.2 } else { row.1 };
    let (subject, relation, place) = (pick(&THINGS[cat]), pick(&RELATIONS[relation]), pick(&THINGS[thing]));
    let verb = if spanish { "está" } else { "è" };
    let feminine = place.starts_with("la ");
    let colour = colour.map(|colour| {
        let row = COLOURS[colour];
        format!(" {}", if spanish { row.2 } else { row.1 }[usize::from(feminine)])
    });
    let whole = format!("{subject} {verb} {relation} {place}{}", colour.unwrap_or_default());
    whole.replace("de el ", "del ")
}

fn any_answer() -> impl Strategy<Value = (usize, usize, usize, Option<usize>, bool)> {
    (0..THINGS.len(), 0..RELATIONS.len(), 0..THINGS.len(), prop::option::of(0..COLOURS.len()), any::<bool>())
}

proptest! {
    #[test]
    fn only_the_right_sentence_is_confirmed_and_only_what_is_true_is_taught(
        wanted in any_answer(),
        tried in any_answer(),
        damage in prop::option::of(0..7_usize),
        odd in prop::collection::vec(prop::sample::select(FALSE.to_vec()), 0..2),
        course in any::<bool>(),
    ) {
        let (subject, relation, thing, colour, spanish) = wanted;
        let english = |row: Option<usize>| row.map_or(String::new(), |row| format!("{} ", COLOURS[row].0));
        let phrase = format!(
            "the {} is {} the {}{}", THINGS[subject].0, RELATIONS[relation].0, english(colour), THINGS[thing].0
        );
        let language = if spanish { "Spanish" } else { "Italian" };
        let mut said = right(tried.0, tried.1, tried.2, tried.3, tried.4);
        let expected = right(subject, relation, thing, colour, spanish);
        let words: Vec<String> = said.split(' ').map(str::to_owned).collect();
        match damage {
            Some(0) => said = words[..words.len() - 1].join(" "),
            Some(1) => said.push_str(" brutto"),
            Some(2) => said = words.iter().rev().cloned().collect::<Vec<_>>().join(" "),
            Some(3) => said = said.replace("rossa", "rosso").replace("roja", "rojo"),
            Some(4) => said = said.replace("la ", "il "),
            Some(5) => said = format!("It is not {said}"),
            Some(6) => said.clone_from(&expected),
            _ => {}
        }
        // The wish is said literally, or followed by something else.
        let mut lines = vec![(false, format!("Please say it in {language}: {phrase}."))];
        for text in &odd {
            lines.push((true, "Okay.".to_owned()));
            lines.push((false, (*text).to_owned()));
        }
        lines.push((true, format!("Is it \"{said}\"?")));
        let spoken = all_words(&lines, course);
        if said != expected {
            prop_assert!(!confirms(&spoken), "{lines:?} {spoken:?}");
        } else if odd.is_empty() {
            prop_assert!(spoken[3].contains("that is correct"), "{lines:?} {spoken:?}");
        }
        for (word, translation) in pairs(&spoken) {
            prop_assert!(is_true(&word, &translation, spanish), "{word} = {translation} {lines:?}");
            prop_assert!(course, "{word} was not taught: {lines:?}");
        }
    }

    #[test]
    fn nothing_that_anybody_says_is_confirmed_without_a_phrase(
        told in ".{0,60}",
        asked in prop::sample::select(vec!["", "What is ", "How do you say ", "Thank you, ", "\""]),
        said in ".{0,60}",
    ) {
        let lines = vec![(false, told), (true, format!("{asked}{said}"))];
        let spoken = all_words(&lines, true);
        prop_assert!(!spoken[3].contains("correct"), "{spoken:?}");
        prop_assert!(spoken.iter().all(|text| !text.trim().is_empty()));
    }
}

#[test]
fn what_people_met_is_mended() {
    let lines = |lines: &[&str]| -> Vec<(bool, String)> {
        lines.iter().enumerate().map(|(place, text)| (place % 2 == 1, (*text).to_owned())).collect()
    };
    let phrase = "Please try: the cat is under the red chair.";
    // The phrase is no pair of words.
    let spoken = all_words(&lines(&[phrase, "Can you give me a hint?"]), true);
    assert_eq!(pairs(&spoken), []);
    // A lesson of Spanish, which nobody names, teaches no Italian; one of nothing teaches nothing.
    let spanish = ["Say: the cat is under the red chair.", "I think it is debajo de la mesa. What is red?"];
    assert_eq!(pairs(&all_words(&lines(&spanish), true)), [("red".to_owned(), "roja".to_owned())]);
    let silent = ["The bird is behind the box. Where would you begin?", "I have forgotten the word."];
    assert_eq!(pairs(&all_words(&lines(&silent), true)), []);
    // A sentence that is not Italian is not confirmed.
    for wrong in [
        "el gato está debajo de la silla roja",
        "Katze Stuhl",
        "il gatto is sotto la chair rossa",
        "gatto",
        "e sotto la",
    ] {
        let lesson = ["Say it in Italian: the cat is under the red chair.", wrong];
        assert!(!confirms(&all_words(&lines(&lesson), true)), "{wrong}");
    }
    let thanks = ["Say it in Italian: the cat is under the red chair.", "Thank you!"];
    assert!(!confirms(&all_words(&lines(&thanks), true)));
}
