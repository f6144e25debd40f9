use super::*;

fn read(text: &str) -> Question {
    let objects = ["creditcard", "mug", "desklamp"];
    let receptacles = ["drawer", "countertop", "dresser", "sinkbasin"];
    Question::read(text, &|word| objects.contains(&word), &|word| receptacles.contains(&word))
}

fn mentions(class: &str, numbers: &[u32]) -> Vec<Mention> {
    vec![Mention { class: class.to_owned(), numbers: numbers.to_vec(), position: 0 }]
}

fn asked_where(class: &str, another: bool) -> Asked {
    Asked::Where { things: mentions(class, &[]), another }
}

#[test]
fn questions_are_understood_in_many_wordings() {
    let which = |numbers: &[u32], count| Asked::Which {
        class: Some("creditcard".to_owned()),
        numbers: numbers.to_vec(),
        count,
    };
    let nothing_named = |another| Asked::Where { things: Vec::new(), another };
    let table = [
        ("Where should I look for the mug first?", asked_where("mug", false)),
        (
            "A creditcard is more likely in drawer (1-2), countertop (1). Where do you suggest I should look for \
             the creditcard first?",
            asked_where("creditcard", false),
        ),
        ("Do you know where the second credit card is?", asked_where("creditcard", true)),
        ("where is the desk lamp", asked_where("desklamp", false)),
        ("I need a mug. Where should I look first?", asked_where("mug", false)),
        ("Can you suggest another location?", nothing_named(true)),
        ("I found creditcard (4), creditcard (3). Which two should I put in the dresser?", which(&[4, 3], 2)),
        ("I see creditcard 1, creditcard 2. Which one should I take?", which(&[1, 2], 1)),
        ("Which creditcard do you prefer?", which(&[], 1)),
        ("Do you mean credit card 2 or 3?", which(&[2, 3], 1)),
        ("Which two creditcard do you prefer?", which(&[], 2)),
        ("Where is the mug that you mean?", asked_where("mug", false)),
        ("Where should I clean this mug?", Asked::WhereToDo { verb: "clean" }),
        ("Where should I put it?", Asked::WhereToDo { verb: "put" }),
        ("I have heated the mug. What should I do next?", Asked::Next),
        ("What is the task again", Asked::Task),
        ("Where is the unicorn?", Asked::Stranger("unicorn".to_owned())),
        ("Do you like music?", Asked::NotUnderstood),
        ("What colour is the mug?", Asked::Unknowable),
    ];
    for (text, asked) in table {
        assert_eq!(read(text).asked, [asked], "{text}");
    }
}

#[test]
fn reports_ask_nothing() {
    for report in [
        "I have heated the mug.",
        "Thank you! If you need more help, feel free to ask.",
        "I know where the mug is.",
        "",
    ] {
        assert_eq!(read(report).asked, [], "{report}");
    }
}

#[test]
fn all_that_is_asked_is_read_once() {
    let asked = read("Where is the mug? And where is the desklamp? Where is the mug?").asked;
    assert_eq!(asked, [asked_where("mug", false), asked_where("desklamp", false)]);
    // What was not understood beside it is nothing to speak of.
    assert_eq!(read("Please help me out! Do sing. Where is the mug?").asked, [asked_where("mug", false)]);
}

#[test]
fn what_was_tried_in_vain_is_ruled_out() {
    let question = read("There is no mug in/on the drawer 2. I could try dresser (1). Where else?");
    let ruled_out: Vec<_> = question.ruled_out.iter().map(|mention| (&*mention.class, &*mention.numbers)).collect();
    assert_eq!(ruled_out, [("drawer", [2].as_slice())]);
}
