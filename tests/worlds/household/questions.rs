//! What the helpful users answer to natural questions about one small room, in which the first of two cds was taken and
//! the safe opened.

use super::users::Episode;
use rolecall::domain::UserSees;

/// Questions with the same facts in the answer: words that it has, and words that it has not (after `!`), with `|`
/// between alternatives.
type Group = (&'static [&'static str], &'static [&'static str]);

/// No answer that is not about places tells where the task goes on.
const NO_PLACE: &str = "!drawer 4";

const TABLE: &[Group] = &[
    (
        &["drawer 4", "!understand"],
        &[
            "Where should I look for the cd first?",
            "Where is the cd?",
            "where is the cd",
            "WHERE IS THE CD",
            "Where's the cd?",
            "Where are the CDs?",
            "where can i find the second cd",
            "Where could the other cd be?",
            "Do you know where the other cd is?",
            "I do not know where the cd is.",
            "I wonder where the cd is.",
            "Could you tell me the location of the cd?",
            "Can you tell me where the cd is",
            "Please tell me where I can find the cd",
            "In which drawer is the cd?",
            "Which drawer is the cd in?",
            "What place is the cd in?",
            "Have you seen the cd?",
            "Have you seen my cd",
            "Can you help me find the cd?",
            "I need the cd. Where is it?",
            "The cd, where is it?",
            "Any idea where the cd is?",
            "Sorry, where did you say the cd was?",
            "Where should I look next?",
            "Where do I go now?",
            "Where should I search?",
            "Where do I start?",
            "Can you suggest another location?",
            "Can you give me a hint?",
            "Any ideas?",
            "There is no cd in/on the desk 2. Where else should I look for the cd?",
            "What is cd 1 in?",
            "Where is cd 1?",
            "Please help me. Where is the cd?",
        ],
    ),
    (&["shelf 1", NO_PLACE], &["Where is cd 2?", "where did you leave cd 2", "Have you seen cd number 2?"]),
    (
        &["desk 2", NO_PLACE],
        &[
            "Where is the desklamp?",
            "where is the desk lamp",
            "Where are the desk lamps?",
            "And where is the lamp, I mean the desklamp?",
            "I have the cd. Where is the desklamp?",
            "Do you know where the desklamp is?",
        ],
    ),
    (
        &["hold|hands", NO_PLACE, "!not holding"],
        &[
            "What am I holding?",
            "what am i carrying",
            "What is in my hands?",
            "What do I have in my hand?",
            "Am I holding something?",
            "Am I holding a cd?",
            "Do I have the cd?",
            "do i have cd 3",
            "Did I take cd 3?",
            "Where is cd 3?",
            "Which cd am I holding?",
            "Which cd did I take?",
            "What did I just pick up?",
            "Do I still have the cd?",
            "Do I already have a cd?",
            "Where did I put cd 3?",
        ],
    ),
    (
        &["No, you are not holding", NO_PLACE],
        &[
            "Am I holding cd 1?",
            "Do I have the desklamp?",
            "Am I carrying the desk lamp?",
            "Have I taken the desklamp?",
        ],
    ),
    (
        &["safe 1", "!understand"],
        &[
            "Where is the safe?",
            "where do i find the safe",
            "Where should I put it?",
            "Where should I put the cd?",
            "Where do I put them?",
            "Where does the cd belong?",
            "Where must the cd be placed?",
            "Which place should I bring it to?",
            "What should I do next?",
            "What should I do now?",
            "what do i do next",
            "What now?",
            "And now?",
            "How should I proceed?",
            "Which step comes next?",
            "What do I do with the cd?",
            "Can you tell me the next step?",
            "Should I open the safe now?",
            "Do I need to open the safe?",
            "Do I have to close the safe afterwards?",
            "Must I clean the cd first?",
            "Is there anything else to do?",
            "Anything else?",
            "Do I put both cds in the safe?",
            "Where should these go?",
            "Where does the cd go?",
        ],
    ),
    (
        &["two cd in safe", NO_PLACE, "!safe 1"],
        &[
            "What is the task again?",
            "what is the task again",
            "What is my task?",
            "What was the goal?",
            "Can you repeat the task?",
            "Remind me of the task, please.",
            "Tell me the task again.",
            "Could you explain the task once more?",
            "What am I supposed to do?",
            "What do I have to do?",
            "What do you want me to do?",
            "What was I asked to do?",
            "What are we doing?",
            "What am I looking for?",
            "What should I look for?",
            "What is the objective?",
            "How many do I need?",
            "How many cds do I have to bring?",
            "I forgot what the task is. What is it, the task?",
        ],
    ),
    (
        &["not yet|more to do", NO_PLACE],
        &[
            "Am I done?",
            "Is that all?",
            "Is the task done?",
            "Is the task finished?",
            "Have I finished?",
            "Are we done?",
            "Is everything done?",
            "Did I do everything?",
        ],
    ),
    (
        &["Yes, the safe 1 is open"],
        &[
            "Is safe 1 open?",
            "is safe 1 open",
            "Is the safe 1 still open?",
            "Did I open safe 1?",
            "Have I opened safe 1?",
            "Do you know if safe 1 is open?",
            "I wonder whether safe 1 is open.",
        ],
    ),
    (
        &["No, the safe 1 is open"],
        &["Is safe 1 closed?", "Did I close safe 1?", "Is safe 1 shut?", "Is the safe number 1 closed?"],
    ),
    (&["Yes, the safe is open"], &["Is the safe open?", "Was the safe opened?"]),
    (
        &["No, the drawer 4 is closed"],
        &["Is drawer 4 open?", "Is drawer (4) open?", "Have I opened drawer 4?", "is the drawer 4 open"],
    ),
    (
        &["Yes, the drawer 4 is closed"],
        &["Is drawer 4 closed?", "Is drawer 4 still shut?", "Do I know whether drawer 4 is closed?"],
    ),
    (
        &["do not know|no idea|cannot say", NO_PLACE],
        &[
            "Is shelf 1 open?",
            "Is the desk closed?",
            "What time is it?",
            "What colour is the cd?",
            "What color is the desklamp?",
            "How heavy is the cd?",
            "Why is the cd there?",
            "Who owns the cd?",
            "How old is the desklamp?",
            "Is the cd clean?",
            "Is the desklamp hot?",
            "Was the cd washed?",
            "What is your name?",
            "When did you buy the cd?",
            "How much did the safe cost?",
            "What is the weather like?",
            "Is the cd broken?",
            "Whose cd is it?",
            "What day is it today?",
            "Does the cd work?",
            "Where should I clean it?",
            "Where can I heat the cd?",
            "How many steps are left?",
            "Where am I?",
            "Where are you?",
            "What room am I in?",
            "Is the cd in the kitchen?",
            "What is a cd?",
            "What is cd 2 for?",
            "How many objects are there in the room?",
            "Is the cd dirty?",
            "Was the cd on desk 2?",
        ],
    ),
    (
        &["no unicorn here|any unicorn here", NO_PLACE, "!safe", "!desk"],
        &[
            "Where is the unicorn?",
            "where is the unicorn",
            "Where are the unicorn and its friends?",
            "Where can I find a unicorn?",
            "Is there a unicorn?",
            "Is there a unicorn in the drawer?",
            "Have you seen the unicorn?",
            "Do you have a unicorn?",
            "How many unicorn are there?",
            "I have the cd. Where is the unicorn?",
            "Which unicorn do you prefer?",
            "Do you know where the unicorn is?",
            "Can you help me find the unicorn?",
        ],
    ),
    (
        &["no drawer 9 here|any drawer 9 here", NO_PLACE],
        &["Is drawer 9 open?", "What is in drawer 9?", "Is the cd in drawer 9?"],
    ),
    (
        &["no fridge here|any fridge here", NO_PLACE],
        &["Is there a fridge in this room?", "Where is the fridge?", "Do you own a fridge?"],
    ),
    (&["know of the safe 1", "!drawer"], &["Which receptacles are open?", "What is open?", "Is anything open?"]),
    (&["drawer 4", "shelf 1"], &["Where are cd 1 and cd 2?"]),
    (&["Yes, the drawer is closed"], &["Which drawers are closed?", "Is the drawer closed?"]),
    (&["cd", NO_PLACE, "!nothing"], &["What goes into the safe?"]),
    (
        &["a cd 2", "In/on the shelf 1", NO_PLACE],
        &[
            "What is on shelf 1?",
            "what is on the shelf 1",
            "What's on shelf 1?",
            "What can I find on shelf 1?",
            "Is there anything on shelf 1?",
            "Is shelf 1 empty?",
            "What does shelf 1 hold?",
            "Which objects are on shelf 1?",
            "What things are on shelf 1?",
            "Anything on shelf 1?",
            "Tell me what is on shelf 1.",
            "How many things are on shelf 1?",
        ],
    ),
    (
        &["a cd 1", "In/on the drawer 4", "!shelf"],
        &[
            "What is inside drawer 4?",
            "What does drawer 4 contain?",
            "What is in the drawer 4?",
            "what is in drawer (4)",
            "Do you know what is in drawer 4?",
            "I opened drawer 4. Is it empty?",
            "I stand at drawer 4. What is in it?",
        ],
    ),
    (
        &["desklamp 1", "!cd 3", NO_PLACE],
        &[
            "What is on desk 2?",
            "What lies on desk 2?",
            "List everything on desk 2.",
            "Name the things on desk 2.",
            "What is on desk 2 now?",
        ],
    ),
    (
        &["nothing|empty", NO_PLACE],
        &[
            "What is inside safe 1?",
            "What is in the safe?",
            "Is there anything in the safe?",
            "Is the safe empty?",
            "What is on desk 1?",
            "Does the safe contain anything?",
            "Is anything on desk 1?",
        ],
    ),
    (
        &["Yes, the cd 2 is in/on the shelf 1"],
        &[
            "Is the cd on the shelf?",
            "Is there a cd on shelf 1?",
            "Are there any cds on shelf 1?",
            "Does shelf 1 hold a cd?",
            "Is cd 2 on shelf 1?",
            "is cd 2 on shelf 1",
            "Which cds are on shelf 1?",
            "What about shelf 1?",
        ],
    ),
    (
        &["No, the cd", "is not in/on the desk 1", NO_PLACE, "!shelf"],
        &["Is the cd on desk 1?", "Is there a cd on desk 1?", "Are there cds on desk 1?", "Is cd 2 on desk 1?"],
    ),
    (
        &["is not in/on the safe", NO_PLACE],
        &[
            "Is the cd in the safe?",
            "Is cd 3 in safe 1 already?",
            "Should I look in the safe?",
            "Is the desklamp in the safe?",
        ],
    ),
    (
        &["Yes, the cd 1 is in/on the drawer 4"],
        &[
            "Is the cd in drawer 4?",
            "Should I look in drawer 4?",
            "Is there a cd in the drawer?",
            "Could it be in drawer 4?",
            "I went to drawer 4. Is there a cd in it?",
            "And drawer 4?",
        ],
    ),
    (
        &["Yes, there is a cd here", NO_PLACE],
        &["Is there a cd?", "Are there any cds here?", "Is there a cd in this room?", "Is the cd in the house?"],
    ),
    (
        &["3 of the kind cd", NO_PLACE],
        &[
            "How many cds are there?",
            "how many cd are there",
            "How many CDs do you have?",
            "What is the number of cds?",
            "Is there more than one cd?",
            "Are there two cds?",
        ],
    ),
    (
        &["one desklamp"],
        &[
            "How many desklamps are there?",
            "How many desk lamps do you own?",
            "Are there two desklamps?",
            "Is there more than one desk lamp?",
        ],
    ),
    (&["2 of the kind desk"], &["How many desks are there?", "how many desks are in this room"]),
    (&["one cd in/on the shelf 1"], &["How many cds are on shelf 1?"]),
    (&["no cd in/on the desk 1"], &["How many cds are on desk 1?"]),
    (
        &["cd 1", "!drawer", "!cd 2"],
        &[
            "I found cd 1, cd 2. Which one should I take?",
            "Should I take cd 1 or cd 2?",
            "Do you mean cd 1 or cd 2?",
            "Cd 1 or cd 2?",
            "which one should I take, cd 2 or cd 1",
        ],
    ),
    (
        &["cd 3 and cd 1", "!drawer"],
        &["I know of cd 1, cd 2, cd 3. Which two should I take?", "Which two cds do you want?"],
    ),
    (
        &["understand", NO_PLACE, "!safe", "!desk", "!shelf"],
        &[
            "Do you like music?",
            "Can you sing?",
            "What is love?",
            "Is it raining?",
            "Are you happy?",
            "Do bananas dream?",
            "?",
            "Hm?",
            "Could you please dance with me?",
            "Would you marry me?",
            "Did you sleep well?",
        ],
    ),
    (
        &["Thank you|All right|Good, go", NO_PLACE],
        &[
            "I have found a cd.",
            "Thanks!",
            "I know where the cd is.",
            "I will look in the drawer next.",
            "I have opened the safe.",
            "Okay, I go on.",
        ],
    ),
];

fn episode(sees: UserSees) -> Episode {
    let mut episode = Episode::begin(sees);
    episode.take_first_cd();
    episode.open_safe();
    episode
}

/// Whether the answer has, or has not, what is expected.
fn fits(answer: &str, fact: &str) -> bool {
    match fact.strip_prefix('!') {
        Some(absent) => !absent.split('|').any(|word| answer.contains(word)),
        None => fact.split('|').any(|word| answer.contains(word)),
    }
}

#[test]
fn two_hundred_natural_questions_are_answered_by_what_was_asked() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (facts, questions) in TABLE {
        for question in *questions {
            count += 1;
            for seed in 0..4 {
                let answer = episode(UserSees::DialogueAndObservations).ask("helpful", question, seed).unwrap();
                if !facts.iter().all(|fact| fits(&answer, fact)) {
                    wrong.push(format!("{question} -> {answer} (expected {facts:?})"));
                    break;
                }
            }
        }
    }
    assert!(count >= 200, "{count}");
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
}

#[test]
fn a_vague_user_understands_the_same_and_says_no_number() {
    let mut wrong = Vec::new();
    for (facts, questions) in TABLE {
        // What it says is what the exact user says without numbers; two of the groups have other words.
        let told: Vec<String> =
            facts.iter().map(|fact| fact.replace(|letter: char| letter.is_ascii_digit(), "")).collect();
        for question in *questions {
            let answer = episode(UserSees::DialogueAndObservations).ask("perturbed", question, 1).unwrap();
            let digits = answer.contains(|letter: char| letter.is_ascii_digit());
            let understood = answer.contains("understand") == told.iter().any(|fact| fact == "understand");
            if digits || !understood {
                wrong.push(format!("{question} -> {answer}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn who_sees_nothing_of_the_room_does_not_say_how_it_is_now() {
    let mut episode = episode(UserSees::Question);
    let table = [
        ("Is safe 1 open?", "No, the safe 1 is closed"),
        ("What am I holding?", "do not know"),
        ("How many desks are there?", "do not know"),
        ("Am I done?", "do not know"),
        ("What is the task again?", "put two cd in safe"),
        ("What is on desk 2?", "a cd 3, and a desklamp 1"),
        ("How many cds are there?", "3 of the kind cd"),
    ];
    for (question, fact) in table {
        let answer = episode.ask("helpful", question, 0).unwrap();
        assert!(answer.contains(fact), "{question} -> {answer}");
    }
}

#[test]
fn who_knows_nothing_guesses_places_and_objects_and_nothing_else() {
    let mut episode = episode(UserSees::DialogueAndObservations);
    let mut ask = |question: &str, seed: u64| episode.ask("unhelpful", question, seed << 16).unwrap();
    for seed in 0..24 {
        let which = ask("Do you want cd 1 and cd 2, or which one do you mean?", seed);
        assert!(["cd 1", "cd 2", "cd 3"].iter().any(|name| which.contains(name)), "{which}");
        assert!(!which.contains("and") && !which.contains("or"), "{which}");
        let place = ask("Where is the unicorn?", seed);
        assert!(place.contains(|letter: char| letter.is_ascii_digit()), "{place}");
    }
    for question in ["Is safe 1 open?", "What is in safe 1?", "How many cds are there?", "What is the task?"] {
        assert_eq!(ask(question, 0), "Sorry, I do not know.", "{question}");
    }
    assert!(ask("Do you like music?", 0).contains("understand"));
}

#[test]
fn what_is_cooled_is_hot_no_more() {
    let mut episode = episode(UserSees::DialogueAndObservations);
    let ask = |episode: &mut Episode, question| episode.ask("helpful", question, 0).unwrap();
    episode.act("heat cd 3 with microwave 1", "You heat the cd 3 using the microwave 1.");
    let heated = "Yes, you have heated the cd 3.";
    assert_eq!(ask(&mut episode, "Is the cd hot?"), heated);
    episode.act("cool cd 3 with fridge 1", "You cool the cd 3 using the fridge 1.");
    assert_eq!(ask(&mut episode, "Is the cd hot?"), "Sorry, I do not know.");
    let cooled = "Yes, you have cooled the cd 3.";
    assert_eq!(ask(&mut episode, "Is the cd cold?"), cooled);
}
