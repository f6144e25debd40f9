//! The words of a first course of Italian, German and Spanish: colours, things, and relations in space.

use super::english::has;

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

/// English, Italian, German, Spanish.
type Row = (&'static str, [&'static str; 3]);

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
];

#[rustfmt::skip]
const RELATIONS: &[Row] = &[
    ("next to", ["accanto a", "neben", "al lado de"]), ("behind", ["dietro", "hinter", "detrás de"]),
    ("in front of", ["di fronte a", "vor", "delante de"]), ("on top of", ["in cima a", "auf", "encima de"]),
    ("inside", ["dentro", "in", "dentro de"]), ("under", ["sotto", "unter", "debajo de"]),
    ("on", ["su", "auf", "sobre"]), ("near", ["vicino a", "bei", "cerca de"]),
];

const TABLES: [(Kind, &[Row]); 3] = [
    (Kind::Relation, RELATIONS),
    (Kind::Quality, QUALITIES),
    (Kind::Thing, THINGS),
];

/// The entry of an English word or phrase, which may have `is`, `of` and articles around it.
fn entry(english: &str) -> Option<(Kind, &'static Row)> {
    let small = english.to_lowercase();
    let words = small.split_whitespace();
    let kept = words.filter(|word| !has("is the a an", word));
    let bare = kept.collect::<Vec<_>>().join(" ");
    let bare = if bare == "inside of" { "inside" } else { &bare };
    let same = |row: &&Row| row.0 == bare || row.0.strip_suffix(" of") == Some(bare);
    let mut tables = TABLES.iter();
    tables.find_map(|(kind, rows)| Some((*kind, rows.iter().find(same)?)))
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

/// The word in a language (`Italian`, `German` or `Spanish`), if it belongs to the first course.
pub fn translation(english: &str, language: &str) -> Option<&'static str> {
    let (_, (_, [italian, german, spanish])) = entry(english)?;
    match language.to_lowercase().as_str() {
        "italian" => Some(italian),
        "german" => Some(german),
        "spanish" => Some(spanish),
        _ => None,
    }
}

/// Whether the course has the English word or phrase.
pub(super) fn is_known(english: &str) -> bool {
    entry(english).is_some()
}

/// Whether the course has the word in another language, in small letters. Feminine endings count too.
pub(super) fn is_foreign(word: &str) -> bool {
    let stem = word.strip_suffix('a');
    let mut rows = TABLES.iter().flat_map(|(_, rows)| *rows);
    rows.any(|(_, translations)| {
        let mut small = translations.iter().map(|own| own.to_lowercase());
        small.any(|own| own == word || (stem.is_some() && own.strip_suffix('o') == stem))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_with_what_stands_around_them() {
        assert_eq!(translation("Is Behind The", "Italian"), Some("dietro"));
        assert_eq!(
            translation("is inside of the", "Spanish"),
            Some("dentro de")
        );
        assert_eq!(translation("the tree", "German"), Some("Baum"));
        assert_eq!(translation("top secret", "Italian"), None);
        assert_eq!(translation("tree", "Latin"), None);
        assert_eq!(kind_of("yellow"), Kind::Quality);
        assert_eq!(kind_of("is at the foot of the"), Kind::Relation);
        assert_eq!(kind_of("ladder"), Kind::Thing);
    }
}
