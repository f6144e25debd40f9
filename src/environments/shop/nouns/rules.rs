//! Nouns of titles by rules: a title is cut into words about as spaCy does, and every word is a noun or a name that is
//! not known to be something else. Titles are strings of nouns, so that this comes close.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::Tagger;

/// Finds nouns by lists of words and by endings.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleTagger;

impl Tagger for RuleTagger {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn nouns(&self, _asin: &str, title: &str) -> Vec<String> {
        let words = words(title).into_iter().map(str::to_lowercase);
        words.filter(|word| is_noun(word)).collect()
    }
}

/// Articles, pronouns, prepositions, conjunctions, auxiliaries, particles and adverbs.
const SMALL_WORDS: &str = "
    's a about above across after again against all almost along already also although always am among an and
    another any anytime anywhere are around as at away back be because been before behind being below beneath beside
    besides between beyond both but by can cannot could did do does doing don done down due during each either else
    enough even ever every everyone everything everywhere except extra few for forever from further get gets had has
    have having he her here hers him his how however i if in inside instead into is it its itself just least less
    like lot lots many may maybe me mine more most much must my n't near need needs neither never no non none nor
    not nothing now of off often on once only onto or other others our ours out outside over own per please plus
    quite rather really same she should since so some something soon still such than that the their theirs them then
    there these they this those through throughout till to together too toward towards ultra under underneath unless
    until up upon us very via was we well were what when where whether which while who whom whose why will with
    within without would yes yet you your yours ’s";

/// Numbers in words.
const NUMBERS: &str = "
    double dozen eight eighteen eighty eleven fifteen fifth fifty first five forty four fourteen fourth half hundred
    million nine nineteen ninety one quadruple second seven seventeen seventy six sixteen sixth sixty ten third
    thirteen thirty thousand three triple twelve twenty two zero";

/// Adjectives, colours among them, that no ending tells.
const ADJECTIVES: &str = "
    active actual adult advanced airtight alternative amazing ancient anti antique attractive authentic automatic
    bare basic beautiful best better big bitter black bland blank blue bold brave bright brilliant broad brown calm
    casual cheap chic chilly chunky classic clean clear clever close cold comfy common compact compatible complete
    contemporary convenient cool correct cozy crazy creamy creative crimson crisp crispy crunchy curly current cute
    daily damaged damp dark decorative deep deluxe dense dental different digital direct dirty distinct domestic dry
    dual dull early easy eco effective elastic electric electrical electronic elegant elite empty entire equal
    essential ethnic everyday exact excellent exclusive exotic expensive expert external fair familiar fancy fast
    fat fatty favorite female final fine firm fit fixed flat flexible floral fluffy folding formal fragile free
    fresh friendly frosty frozen full fun funny furry fuzzy general generous gentle genuine giant glossy gold golden
    good grand gray great green grey gross handsome handy happy hard healthy heavy hidden high higher hollow holy
    hot huge human hypoallergenic ideal identical illegal indoor inner instant intense internal jumbo junior kosher
    large larger late lazy lean left legal light lightweight little local long longer loose loud lovely low lower
    loyal lucky luxe main male manual massive matte mature maximum medical medium mega mild mini minimal minimum
    minor mint modern moist moisturizing multi multicolor multiple musical narrow natural navy neat neutral new nice
    noble normal novel odd official oily old olde open optical optimal oral orange ordinary organic original oval
    overall oversized pale patriotic perfect permanent personal petite pink plain plush polite poor popular portable
    premium pretty prime private professional proper protective public pure purple quick quiet rapid rare raw ready
    real rear red refreshing regular renewed retro rich right rigid ripe romantic rough round royal rustic sad safe
    salty same seamless secure sensitive separate serious several sexy sharp sheer shiny short shy silent silky
    silly similar simple single skinny sleek slick slim slippery slow small smaller smart smoky smooth snug soft
    solid sour spare special specific spicy square stable standard steady stiff straight strict strong sturdy
    stylish sudden super superb superior sweet swift synthetic tall tan tart tempered tender thick thicker thin
    tight tiny total tough traditional transparent trendy true unique universal unscented upper urban useful usual
    vacant various vegan vegetarian vertical vintage virgin visible vital vivid warm weak wealthy weird wet white
    whole wide wild wise wonderful wooden worldwide yellow young yummy";

/// Verbs as titles use them, where no ending tells them.
const VERBS: &str = "
    add adds allow allows applies apply become bring brings buy carry choose clean cleans come comes create creates
    deliver delivers eat enhance enhances enjoy ensure feel find fits follow gave give gives go goes grow grown hold
    holds hydrate improve improves include includes increase increases keep keeps kept know known leave let lets
    made make makes nourish prevent prevents promote promotes protect protects provide provides reduce reduces
    regrow remove removes restore restores soothe soothes stimulate strengthen strengthens take takes try use used
    uses vary wear worn";

/// Nouns that end as other words do.
const STILL_NOUNS: &str = "
    assembly belly bible breed butterfly cable collectable collectible consumable
    doily dragonfly fable family feed filly firefly fly gully handful
    holly housefly jelly july kelly lily mouthful need reed reply seed shed sled
    speed spoonful supply syllable table timetable turntable vegetable wearable weed";

static OTHERS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lists = [SMALL_WORDS, NUMBERS, ADJECTIVES, VERBS];
    let words = lists.into_iter().flat_map(str::split_whitespace);
    words.collect()
});

static NOUNS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| STILL_NOUNS.split_whitespace().collect());

/// Whether a word in small letters is a noun or a name, as far as the word alone tells.
fn is_noun(word: &str) -> bool {
    let number = word.trim_start_matches(['.', ',', '+', '-', '\'']);
    if number.starts_with(|letter: char| letter.is_numeric()) || OTHERS.contains(word) {
        return false;
    }
    let ending = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let other = ending(&[
        "able", "ible", "less", "ful", "ous", "proof", "ly", "friendly",
    ]) || (word.len() > 4 && ending(&["ed"]));
    !other || NOUNS.contains(word)
}

/// The words of a title, without punctuation: cut at blanks, at marks around words, and at hyphens, slashes and the
/// like inside.
fn words(title: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for chunk in title.split_whitespace() {
        if POSSESSIVES.contains(&chunk) {
            continue;
        }
        let chunk = chunk.trim_matches(|letter: char| !letter.is_alphanumeric());
        let mut start = 0;
        let mut before: Option<char> = None;
        let mut letters = chunk.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let after = letters.peek().map(|(_, after)| *after);
            if let (Some(before), Some(after)) = (before, after)
                && separates(before, letter, after)
            {
                push(&mut words, &chunk[start..at]);
                start = at + letter.len_utf8();
            }
            before = Some(letter);
        }
        push(&mut words, &chunk[start..]);
    }
    words
}

/// Whether a letter between two others separates two words.
fn separates(before: char, letter: char, after: char) -> bool {
    let (word, number) = (after.is_alphabetic(), after.is_ascii_digit());
    match letter {
        '-' | '–' | '—' | '~' => {
            before.is_alphanumeric() && (word || (before.is_ascii_digit() && number))
        }
        ':' | '<' | '>' | '=' | '/' => before.is_alphanumeric() && word,
        ',' => before.is_alphabetic() && word,
        '.' => before.is_lowercase() && after.is_uppercase(),
        '+' | '*' | '^' => before.is_ascii_digit() && number,
        '(' | ')' | '[' | ']' | '"' | '“' | '”' | '|' | '（' | '）' => true,
        _ => false,
    }
}

/// Units that are cut off the number before them.
const UNITS: &[&str] = &[
    "mm", "cm", "dm", "km", "m", "yd", "in", "ft", "kg", "mg", "g", "t", "lb", "oz", "mph", "MB",
    "mb", "KB", "kb", "GB", "gb", "TB", "tb",
];

/// What makes an owner of a word.
const POSSESSIVES: [&str; 4] = ["'s", "’s", "'S", "’S"];

/// Adds a word, with a possessive ending or a unit cut off.
fn push<'a>(words: &mut Vec<&'a str>, word: &'a str) {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let owner = POSSESSIVES.iter().find_map(|it| word.strip_suffix(it));
    if let Some(owner) = owner {
        words.push(owner);
        return;
    }
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    match unit.len() < word.len() && UNITS.contains(&unit) {
        true => words.push(unit),
        false if word.is_empty() => {}
        false => words.push(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_names_are_left() {
        let cases = [
            (
                "Canditree Modern 4-Tier Bookcase with Drawers, Tall Storage Cabinet (White)",
                "canditree tier bookcase drawers storage cabinet",
            ),
            (
                "Spyder Men’s Waterproof Pull-On Shoe, 1.5mm Thick, 24x24, Pack of 6",
                "spyder men pull shoe mm pack",
            ),
            (
                "Shea Butter Lotion|Paraben-Free, 12.5oz (2 Pack, Lightly Scented) for the Family",
                "shea butter lotion paraben oz pack family",
            ),
            ("", ""),
            ("- & ’s () 100%", ""),
        ];
        for (title, expected) in cases {
            assert_eq!(RuleTagger.nouns("", title).join(" "), expected, "{title}");
        }
    }
}
