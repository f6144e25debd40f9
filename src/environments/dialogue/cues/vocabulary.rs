//! The words of a first course of Italian, German and Spanish: colours, things, and relations in space.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use rolecall_core::text::has_word;

/// The sort of a word, which decides on its place in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A relation in space: `is behind the`.
    Relation,
    /// A thing or an animal.
    Thing,
    /// A colour or another quality.
    Quality,
}

/// A language that is taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Italian.
    Italian,
    /// German.
    German,
    /// Spanish.
    Spanish,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Italian, Self::German, Self::Spanish];

    /// Its English name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Italian => "Italian",
            Self::German => "German",
            Self::Spanish => "Spanish",
        }
    }

    /// The word of a row in it.
    pub(super) fn of(self, row: &Row) -> &'static str {
        let [italian, german, spanish] = row.1;
        match self {
            Self::Italian => italian,
            Self::German => german,
            Self::Spanish => spanish,
        }
    }
}

/// English, Italian, German, Spanish.
pub(super) type Row = (&'static str, [&'static str; 3]);

#[rustfmt::skip]
const QUALITIES: &[Row] = &[
    ("red", ["rosso", "rot", "rojo"]), ("blue", ["blu", "blau", "azul"]),
    ("green", ["verde", "grün", "verde"]), ("yellow", ["giallo", "gelb", "amarillo"]),
    ("pink", ["rosa", "rosa", "rosa"]), ("purple", ["viola", "lila", "morado"]),
    ("black", ["nero", "schwarz", "negro"]), ("white", ["bianco", "weiß", "blanco"]),
    ("orange", ["arancione", "orange", "naranja"]), ("brown", ["marrone", "braun", "marrón"]),
    ("grey", ["grigio", "grau", "gris"]), ("big", ["grande", "groß", "grande"]),
    ("small", ["piccolo", "klein", "pequeño"]), ("old", ["vecchio", "alt", "viejo"]),
    ("new", ["nuovo", "neu", "nuevo"]),
];

#[rustfmt::skip]
const THINGS: &[Row] = &[
    ("box", ["scatola", "Kiste", "caja"]), ("table", ["tavolo", "Tisch", "mesa"]),
    ("bed", ["letto", "Bett", "cama"]), ("tree", ["albero", "Baum", "árbol"]),
    ("plant", ["pianta", "Pflanze", "planta"]), ("cat", ["gatto", "Katze", "gato"]),
    ("dog", ["cane", "Hund", "perro"]), ("bunny", ["coniglio", "Kaninchen", "conejo"]),
    ("bag", ["borsa", "Tasche", "bolsa"]), ("chair", ["sedia", "Stuhl", "silla"]),
    ("house", ["casa", "Haus", "casa"]), ("book", ["libro", "Buch", "libro"]),
    ("bird", ["uccello", "Vogel", "pájaro"]), ("horse", ["cavallo", "Pferd", "caballo"]),
    ("door", ["porta", "Tür", "puerta"]), ("window", ["finestra", "Fenster", "ventana"]),
    ("garden", ["giardino", "Garten", "jardín"]), ("bridge", ["ponte", "Brücke", "puente"]),
    ("lamp", ["lampada", "Lampe", "lámpara"]), ("cup", ["tazza", "Tasse", "taza"]),
    ("rabbit", ["coniglio", "Kaninchen", "conejo"]), ("mouse", ["topo", "Maus", "ratón"]),
    ("fish", ["pesce", "Fisch", "pez"]), ("bottle", ["bottiglia", "Flasche", "botella"]),
    ("cow", ["mucca", "Kuh", "vaca"]), ("owl", ["gufo", "Eule", "búho"]),
    ("pig", ["maiale", "Schwein", "cerdo"]), ("shoe", ["scarpa", "Schuh", "zapato"]),
    ("bee", ["ape", "Biene", "abeja"]), ("flower", ["fiore", "Blume", "flor"]),
    ("duck", ["anatra", "Ente", "pato"]), ("boat", ["barca", "Boot", "barco"]),
    ("elephant", ["elefante", "Elefant", "elefante"]), ("sheep", ["pecora", "Schaf", "oveja"]),
    ("frog", ["rana", "Frosch", "rana"]), ("turtle", ["tartaruga", "Schildkröte", "tortuga"]),
    ("stone", ["pietra", "Stein", "piedra"]), ("hen", ["gallina", "Henne", "gallina"]),
    ("goose", ["oca", "Gans", "ganso"]), ("roof", ["tetto", "Dach", "techo"]),
    ("squirrel", ["scoiattolo", "Eichhörnchen", "ardilla"]),
];

#[rustfmt::skip]
const RELATIONS: &[Row] = &[
    ("next to", ["accanto a", "neben", "al lado de"]), ("behind", ["dietro", "hinter", "detrás de"]),
    ("in front of", ["di fronte a", "vor", "delante de"]), ("on top of", ["in cima a", "auf", "encima de"]),
    ("inside", ["dentro", "in", "dentro de"]), ("under", ["sotto", "unter", "debajo de"]),
    ("on", ["su", "auf", "sobre"]), ("near", ["vicino a", "bei", "cerca de"]),
    ("above", ["sopra", "über", "encima de"]),
];

const TABLES: [(Kind, &[Row]); 3] = [(Kind::Relation, RELATIONS), (Kind::Quality, QUALITIES), (Kind::Thing, THINGS)];

/// The rows by their English words, with and without an `of` at the end.
static ENTRIES: LazyLock<HashMap<&str, (Kind, &Row)>> = LazyLock::new(|| {
    let mut entries = HashMap::new();
    for (kind, row) in TABLES.iter().flat_map(|(kind, rows)| rows.iter().map(move |row| (*kind, row))) {
        for english in [row.0, row.0.strip_suffix(" of").unwrap_or(row.0)] {
            entries.entry(english).or_insert((kind, row));
        }
    }
    entries.extend(entries.get("inside").map(|inside| ("inside of", *inside)));
    entries
});

/// The words of a language in small letters, and those of its phrases that are long enough to tell.
struct Lexis {
    whole: HashSet<String>,
    parts: HashSet<String>,
}

impl Lexis {
    fn of(language: Language) -> Self {
        let whole: HashSet<String> =
            TABLES.iter().flat_map(|(_, rows)| *rows).map(|row| language.of(row).to_lowercase()).collect();
        let parts = whole.iter().flat_map(|text| text.split(' ')).filter(|part| part.chars().count() > 2);
        let parts = parts.map(str::to_owned).collect();
        Self { whole, parts }
    }

    /// Whether it has the word. Feminine endings count too.
    fn has(&self, word: &str) -> bool {
        let masculine = |stem: &str| self.whole.contains(&format!("{stem}o"));
        self.whole.contains(word) || self.parts.contains(word) || word.strip_suffix('a').is_some_and(masculine)
    }
}

/// Small words of the languages, which an attempt is made of besides the words of lessons.
pub(super) const SMALL: &str = "il la lo gli le l e è un una uno al alla allo all del della di der die das den dem ist ein eine \
    einem einer el los las es está esta de en";

/// Whether it is a small word of one of the languages.
pub(super) fn is_small(word: &str) -> bool {
    has_word(SMALL, word)
}

/// The words in small letters, cut at apostrophes; `è` loses its accent, which students leave out.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let small = text.to_lowercase().replace('è', "e");
    small.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// All relations.
pub(super) fn relations() -> impl Iterator<Item = &'static Row> {
    RELATIONS.iter()
}

/// All things.
pub(super) fn nouns() -> impl Iterator<Item = &'static Row> {
    THINGS.iter()
}

/// Whether a quality is a colour, whose place in a sentence is fixed: `big`, `old` and the like may stand elsewhere.
pub(super) fn is_colour(english: &str) -> bool {
    !has_word("big small old new", english)
}

/// The entry of an English word or phrase, which may have `is`, `of` and articles around it.
pub(super) fn entry(english: &str) -> Option<(Kind, &'static Row)> {
    let small = english.to_lowercase();
    let bare = small.split_whitespace().filter(|word| !has_word("is the a an", word)).collect::<Vec<_>>().join(" ");
    ENTRIES.get(bare.as_str()).copied()
}

/// The sort of an English word or phrase: a relation begins with `is`, and an unknown word is a thing.
pub fn kind_of(english: &str) -> Kind {
    let relation = english.to_lowercase().starts_with("is ");
    match entry(english) {
        Some((kind, _)) => kind,
        None if relation => Kind::Relation,
        None => Kind::Thing,
    }
}

/// The word in a language, if it belongs to the first course.
pub fn translation(english: &str, language: Language) -> Option<&'static str> {
    Some(language.of(entry(english)?.1))
}

/// Whether the course has the English word or phrase.
pub(super) fn is_known(english: &str) -> bool {
    entry(english).is_some()
}

/// Whether the course has the word in a language, or in any, in small letters. Feminine endings count too.
pub(super) fn is_foreign(word: &str, language: Option<Language>) -> bool {
    static LEXES: LazyLock<[(Language, Lexis); 3]> =
        LazyLock::new(|| Language::ALL.map(|language| (language, Lexis::of(language))));
    let asked = |other: Language| language.is_none_or(|language| language == other);
    LEXES.iter().any(|(other, lexis)| asked(*other) && lexis.has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_with_what_stands_around_them() {
        assert_eq!(translation("Is Behind The", Language::Italian), Some("dietro"));
        assert_eq!(translation("is inside of the", Language::Spanish), Some("dentro de"));
        assert_eq!(translation("the tree", Language::German), Some("Baum"));
        assert_eq!(translation("top secret", Language::Italian), None);
        assert_eq!(kind_of("yellow"), Kind::Quality);
        assert_eq!(kind_of("is at the foot of the"), Kind::Relation);
        assert_eq!(kind_of("ladder"), Kind::Thing);
    }
}
