use super::*;
use proptest::prelude::*;

#[derive(Clone)]
struct Words;

impl Tagger for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn nouns(&self, _: &str, title: &str) -> Vec<String> {
        title.split(' ').map(str::to_lowercase).collect()
    }
}

fn goal(attributes: &[&str], options: &[&str]) -> Goal {
    Goal {
        asin: "A".to_owned(),
        category: "garden".to_owned(),
        query: "lamps".to_owned(),
        name: "oak lamp".to_owned(),
        product_category: "Home › Light › Lamps".to_owned(),
        instruction: String::new(),
        attributes: attributes.iter().map(|it| (*it).to_owned()).collect(),
        price_upper: 50.0,
        options: GoalOptions::Values(options.iter().map(|it| (*it).to_owned()).collect()),
        weight: 1.0,
        disclosures: None,
    }
}

fn product(attributes: &[&str]) -> Product {
    Product {
        title: "oak lamp".to_owned(),
        query: "lamps".to_owned(),
        product_category: "Home › Light › Lamps".to_owned(),
        price: 50.0,
        attributes: attributes.iter().map(|it| (*it).to_owned()).collect(),
        ..Product::default()
    }
}

fn chosen(values: &[&str]) -> Vec<String> {
    values.iter().map(|it| (*it).to_owned()).collect()
}

#[test]
fn attributes_options_and_price_count_alike() {
    let goal = goal(&["easy clean"], &["standard", "6 pack"]);
    let found = reward(&goal, &product(&["clean easy"]), &chosen(&["light tan"]), &Words);
    // `standard` holds `tan`, but `light` comes before `tan`.
    assert_eq!((found.total, found.options_matched), (0.5, 0));
    let found = reward(&goal, &product(&["clean easy"]), &chosen(&["tan"]), &Words);
    assert_eq!(found.total, 0.75);
    assert_eq!((found.r_option, found.w_option), (Some(0.5), Some(0.5)));
    // One that was chosen may serve several that are wanted.
    let goal = self::goal(&["easy clean"], &["rose red", "dark red"]);
    let found = reward(&goal, &product(&[]), &chosen(&["red"]), &Words);
    assert_eq!((found.options_matched, found.attributes_matched), (1, 0));
}

#[test]
fn attributes_are_looked_for_in_the_texts_as_they_are_written() {
    let mut product = product(&["dummy_attr"]);
    product.bullets = vec!["Very EASY".to_owned(), "clean".to_owned()];
    let matched = |attribute: &str| reward(&goal(&[attribute], &[]), &product, &[], &Words).attributes_matched;
    assert_eq!(matched("easy clean"), 1);
    assert_eq!(matched("Easy clean"), 0);
    assert_eq!(matched("easy cleaning"), 0);
}

#[test]
fn a_price_at_the_bound_is_kept() {
    let goal = goal(&["none"], &[]);
    let mut product = product(&[]);
    assert_eq!(reward(&goal, &product, &[], &Words).total, 0.5);
    product.price = 50.000_000_1;
    assert_eq!(reward(&goal, &product, &[], &Words).total, 0.0);
}

#[test]
fn the_title_decides_over_query_and_category() {
    let kind = |name: &str, title: &str, query: &str| {
        let goal = Goal { name: name.to_owned(), ..goal(&[], &[]) };
        let product = Product {
            title: title.to_owned(),
            query: query.to_owned(),
            product_category: " Light ›Rugs".to_owned(),
            ..product(&[])
        };
        let found = reward(&goal, &product, &[], &Words);
        (found.r_type, found.title_score)
    };
    assert_eq!(kind("lamp lamp lamp shade", "lamp", "x"), (1.0, 0.25));
    // A fifth is not more than a fifth.
    assert_eq!(kind("a b c d e", "a", "x"), (0.5, 0.2));
    assert_eq!(kind("a b c d e", "a", "lamps"), (1.0, 0.2));
    assert_eq!(kind("a b c d e f g h i j k l", "a", "lamps"), (0.1, 1.0 / 12.0));
    assert_eq!(kind("a", "b", "lamps"), (0.0, 0.0));
}

#[test]
fn named_options_are_compared_with_their_names() {
    let options = [("size", "medium"), ("color", "red"), ("color", "dark red")];
    let pairs = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let goal = Goal { options: GoalOptions::Named(pairs.to_vec()), ..goal(&[], &[]) };
    let matched = |value: &str| reward(&goal, &product(&[]), &chosen(&[value]), &Words).options_matched;
    assert_eq!(matched("medium"), 1);
    // The pair of `dark red`, which is no colour of the list, has the word too; and names are words like values.
    assert_eq!(matched("red"), 2);
    assert_eq!(matched("large"), 0);
    assert_eq!(matched("size"), 1);
}

#[test]
fn a_judge_gives_the_same_reward() {
    let goal = goal(&["easy clean"], &["red"]);
    let judge = Judge::new(&goal, Arc::new(Words));
    let mut product = product(&["easy clean"]);
    product.options =
        vec![super::super::catalogue::OptionGroup { name: "color".to_owned(), values: chosen(&["blue", "red"]) }];
    let all = chosen(&["blue", "red"]);
    let expected = reward(&goal, &product, &all, &Words);
    assert_eq!(judge.reward(&product, &all), expected);
    assert_eq!(judge.reward_of_any(&product), expected);
    assert_eq!(expected.total, 1.0);
}

#[test]
fn the_first_colour_of_the_list_counts() {
    let cases = [
        ("standard", "tan"),
        ("white rose", "rose"),
        ("navy blue", "blue"),
        ("White", "White"),
        ("48 count", "48 count"),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(normalize_color(text), expected);
    }
    assert!(COLORS.lines().is_sorted());
    assert_eq!(COLORS.lines().count(), 102);
}

proptest! {
    #[test]
    fn colours_are_found_as_in_the_whole_list(parts in prop::collection::vec(0_usize..102, 0..3), glue in "[a-z é]{0,3}") {
        let parts: Vec<&str> = parts.iter().map(|it| COLORS.lines().nth(*it).unwrap()).collect();
        let text = parts.join(&glue) + &glue;
        let plain = COLORS.lines().find(|it| text.contains(it)).unwrap_or(&text);
        prop_assert_eq!(normalize_color(&text), plain);
    }
}
