//! The rule-based casts over built-in games: who asks before it acts, in ambiguous games, over several
//! rounds and trials, with inner monologue and with declared dialogue acts.

use crate::support::{shipped, toy};
use rolecall::config::Plan;
use rolecall::domain::{Event, Message, Move};
use rolecall::environments::household::memory::Query;
use rolecall::evaluation::EpisodeResult;
use rolecall::runtime::verify;

/// ABA's agent and the owner of the room.
const ABA: &str = "strategy.name=aba roles.executor.manner=aba user.kind=owner";
/// Trial after trial, with lessons.
const REFLEXION: &str = "strategy.name=reflexion roles.reflector.implementation=rules";
/// One object of the class counts.
const AMBIGUOUS: &str = "environment.variant=ambiguous";
/// Task after task in one room.
const ROUNDS: &str = "environment.variant=multi-round strategy.rounds=20";
/// Rooms in which a search takes more steps than there are.
const LARGE: &str = "environment.receptacles='30..40' environment.games=16";

/// The shipped config with further settings: pairs of a key and a value, with spaces in between.
fn plan(config: &str, settings: &[&str]) -> Result<Plan, String> {
    let settings = settings.iter().flat_map(|text| text.split(' '));
    let usual = ["environment.games=12", "limits.steps=49"];
    let sets: Vec<&str> = usual.into_iter().chain(settings).collect();
    let resolved = shipped::resolved(&format!("household/{config}"), &sets);
    resolved.map(|it| it.plan).map_err(|errors| errors.to_string())
}

/// Episodes of one cast, in the order of tasks.
struct Episodes(Vec<(EpisodeResult, Vec<Event>)>);

fn play(config: &str, settings: &[&str]) -> Episodes {
    let plan = plan(config, settings).unwrap();
    let played = Episodes(toy::play(plan).in_order());
    println!(
        "{config} {settings:?}: solved {} rounds {} steps {} questions {}",
        played.solved(),
        played.rounds(),
        played.steps(),
        played.questions(),
    );
    for (result, _) in &played.0 {
        let broken = result.ending.as_ref().is_none_or(|ending| ending.is_broken());
        assert!(!broken && result.counts.faults == 0, "{result:?}");
    }
    played
}

impl Episodes {
    fn count(&self, fits: impl Fn(&EpisodeResult) -> bool) -> usize {
        self.0.iter().filter(|(result, _)| fits(result)).count()
    }

    fn solved(&self) -> usize {
        self.count(|result| result.success)
    }

    fn steps(&self) -> u32 {
        self.0.iter().map(|(result, _)| result.counts.steps).sum()
    }

    fn questions(&self) -> u32 {
        let questions = self.0.iter().map(|(result, _)| result.counts.questions);
        questions.sum()
    }

    fn rounds(&self) -> usize {
        let solved = |event: &&Event| matches!(&event.message, Message::Scored(it) if it.score.success);
        self.events().filter(solved).count()
    }

    fn events(&self) -> impl Iterator<Item = &Event> {
        self.0.iter().flat_map(|(_, events)| events)
    }

    fn moves(&self) -> impl Iterator<Item = &Move> {
        self.events().filter_map(|event| match &event.message {
            Message::Moved(made) => Some(made),
            _ => None,
        })
    }

    /// What is thought, said and answered, one line each, an episode in a text.
    fn talks(&self) -> Vec<String> {
        let line = |event: &Event| match &event.message {
            Message::Moved(Move::Think { text }) => Some(format!("think: {text}\n")),
            Message::Told(said) => Some(format!("ask: {}\n", said.text)),
            Message::Replied(said) => Some(format!("reply: {}\n", said.text)),
            Message::Moved(Move::Act { action }) => Some(format!("> {}\n", action.text)),
            _ => None,
        };
        let episodes = self.0.iter();
        episodes.map(|(_, events)| events.iter().filter_map(line).collect()).collect()
    }
}

#[test]
fn in_ambiguous_games_asking_pays_most() {
    let [standard, ambiguous] = ["environment.variant=standard", AMBIGUOUS].map(|variant| {
        let react = play("react", &[variant, LARGE]);
        let aba = play("respact", &[variant, LARGE, ABA]);
        assert_eq!(aba.solved(), aba.0.len());
        assert!(react.steps() > 2 * aba.steps());
        (react, aba)
    });
    assert!(ambiguous.0.solved() < standard.0.solved());
    assert!(standard.0.solved() < standard.1.solved());
    let more = |one: u32, other: u32| one.saturating_sub(other);
    assert!(more(ambiguous.0.steps(), standard.0.steps()) > more(ambiguous.1.steps(), standard.1.steps()));
}

#[test]
fn an_aba_player_asks_in_the_form_of_the_paper() {
    let played = play("respact", &[AMBIGUOUS, ABA]);
    let talks = played.talks();
    let asks_twice = talks.iter().find(|talk| talk.contains(" do you prefer?"));
    let lines: Vec<&str> = asks_twice.unwrap().lines().collect();
    assert!(lines[0].starts_with("think: To solve this I have to take "), "{lines:#?}");
    assert!(lines[0].ends_with("I ask the owner of this room."), "{lines:#?}");
    assert!(lines[1].starts_with("ask: Where is the "), "{lines:#?}");
    assert!(lines[2].starts_with("reply: ") && lines[2].contains(" is in "), "{lines:#?}");
    assert!(lines[3].starts_with("think: There are multiple "), "{lines:#?}");
    assert!(lines[4].starts_with("ask: Which "), "{lines:#?}");
    let meant = lines[5].strip_prefix("reply: I mean ").unwrap();
    let first = meant.trim_end_matches('.').split(" and ").next().unwrap();
    assert!(lines[6].starts_with("think: I can go to "), "{lines:#?}");
    assert!(lines[7].starts_with("> go to "), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with(&format!("> take {first} "))), "{lines:#?}");
}

#[test]
fn who_may_not_ask_tries_one_object_after_the_other_and_none_twice() {
    let played = play("react", &[AMBIGUOUS, "limits.steps=120"]);
    let mut tried_several = 0;
    for (result, events) in &played.0 {
        let puts = events.iter().filter_map(|event| match &event.message {
            Message::Observed(seen) => {
                let put = seen.text.strip_prefix("You move the ")?;
                put.split_once(" to the ")
            }
            _ => None,
        });
        let mut puts: Vec<_> = puts.collect();
        let all = puts.len();
        tried_several += usize::from(all > 1);
        puts.sort_unstable();
        puts.dedup();
        assert_eq!(puts.len(), all, "{result:?}: {puts:?}");
        assert!(result.success, "{result:?}");
    }
    assert!(tried_several > 3, "{tried_several}");
}

#[test]
fn an_owner_that_errs_costs_steps_and_not_the_task() {
    let right = play("respact", &[AMBIGUOUS, ABA]);
    let wrong = play("respact", &[AMBIGUOUS, ABA, "user.wrong_rate=0.5"]);
    assert!(wrong.steps() > right.steps() && wrong.questions() > right.questions());
    assert!(wrong.solved() * 10 >= wrong.0.len() * 9);
}

#[test]
fn the_respact_player_understands_the_owner_and_the_aba_player_the_helpful_user() {
    for settings in [["user.kind=owner", AMBIGUOUS], ["strategy.name=aba roles.executor.manner=aba", AMBIGUOUS]] {
        let played = play("respact", &settings);
        assert_eq!(played.solved(), played.0.len());
        assert!(played.steps() < 20 * played.0.len() as u32);
    }
}

#[test]
fn what_is_recalled_is_not_asked_again_and_asking_beats_searching() {
    let with = |recall: &str| format!("roles.executor.recall={recall}");
    let [none, model, module] =
        ["none", "model", "module"].map(|recall| play("respact", &[ROUNDS, ABA, &with(recall)]));
    assert!(module.rounds() > none.rounds() && model.rounds() >= none.rounds());
    assert!(module.questions() < model.questions() && model.questions() < none.questions());
    let react = play("react", &[ROUNDS, &with("module")]);
    assert!(react.rounds() < module.rounds());
    let mut never = 0;
    let mut known = 0;
    for made in module.moves() {
        let Move::Think { text } = made else {
            continue;
        };
        let Some(query) = Query::read(text) else {
            continue;
        };
        if query.answer == format!("I have never seen {} before.", query.class) {
            never += 1;
        } else {
            assert!(query.is_known(), "{text}");
            known += 1;
        }
    }
    assert!(never >= module.0.len() && known > 5, "{never} {known}");
    assert!(none.moves().all(|made| !matches!(made, Move::Think { text } if text.contains("###"))));
}

#[test]
fn hints_shorten_a_search() {
    let [none, classes, places] =
        ["none", "classes", "places"].map(|hints| play("react", &[&format!("environment.hints={hints}")]));
    assert!(places.steps() < classes.steps() && classes.steps() < none.steps());
}

#[test]
fn inner_monologue_costs_steps_most_where_it_is_voiced_to_a_user() {
    let react = play("react", &["strategy.name=react-im", LARGE]);
    let plain = play("react", &[LARGE]);
    assert!(react.solved() < plain.solved());
    let respact = play("respact", &[LARGE]);
    let chatty = play("respact", &["strategy.name=respact-im", LARGE]);
    let quiet = "strategy.name=respact-im roles.executor.chatter=each-success";
    let quiet = play("respact", &[quiet, LARGE]);
    assert!(respact.steps() < quiet.steps() && quiet.steps() < chatty.steps());
    assert!(respact.questions() < quiet.questions() && quiet.questions() < chatty.questions());
    for played in [&react, &chatty] {
        for made in played.moves() {
            if let Move::Think { text } = made {
                assert!(text.contains("sub-goal is to"), "{text}");
            }
        }
    }
}

#[test]
fn with_a_schema_every_utterance_declares_a_fitting_act() {
    let more = "environment.games=24";
    let plain = play("respact", &[more]);
    let schema = play("respact", &["strategy.name=respact-schema", more]);
    assert!(schema.questions() > plain.questions());
    assert!(schema.questions() < 2 * plain.questions());
    let perturbed = play("respact", &["strategy.name=respact-schema user.kind=unhelpful"]);
    let mut acts = std::collections::BTreeSet::new();
    for made in schema.moves().chain(perturbed.moves()) {
        if let Move::Speak { text, act } = made {
            let act = act.as_ref().unwrap().as_str();
            assert_eq!(act == "ReqForObjLocAndOD", text.contains("here"), "{act}: {text}");
            acts.insert(act.to_owned());
        }
    }
    for act in ["ReqForObjLocAndOD", "AlternateQuestions", "Affirm", "NotifyFailure"] {
        assert!(acts.contains(act), "{act} is not in {acts:?}");
    }
}

#[test]
fn lessons_help_the_next_trial() {
    let once = play("react", &[LARGE]);
    let again = play("react", &[REFLEXION, LARGE]);
    assert!(once.solved() < once.0.len());
    assert_eq!(again.solved(), again.0.len());
    let lessons = again.moves().filter_map(|made| match made {
        Move::Learn { lesson } => Some(lesson.as_str()),
        _ => None,
    });
    let lessons: Vec<&str> = lessons.collect();
    assert!(lessons.len() >= once.0.len() - once.solved());
    for lesson in lessons {
        let tells = lesson.contains(" is not in ") || lesson.contains(" was in ");
        assert!(tells && !lesson.contains('\n') && lesson.len() < 400, "{lesson}");
    }
}

#[test]
fn fresh_participants_go_on_where_others_stopped() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let module = "roles.executor.recall=module limits.steps=40 environment.games=3";
    let model = "roles.executor.recall=model limits.steps=40 environment.games=3";
    let few = "environment.games=4 limits.steps=30";
    let current = "user.placements=current user.sees=dialogue+observations user.wrong_rate=0.3";
    let casts: [(&str, &[&str]); 7] = [
        ("respact", &[ROUNDS, ABA, module]),
        ("respact", &[ROUNDS, ABA, model, current]),
        ("respact", &[AMBIGUOUS, "user.kind=unhelpful", few]),
        ("respact", &["strategy.name=respact-im", few]),
        ("respact", &["strategy.name=respact-schema", few]),
        ("react", &[REFLEXION, AMBIGUOUS, few, "strategy.trials=3"]),
        ("react", &["environment.hints=classes", few]),
    ];
    for (config, settings) in casts {
        let plan = plan(config, settings).unwrap();
        for (result, events) in play(config, settings).0 {
            let again = runtime.block_on(verify(&plan, &result.episode, &events));
            assert_eq!(again, Ok(()), "{settings:?} {}", result.episode);
        }
    }
}

#[test]
fn an_owner_that_follows_the_world_has_to_see_it() {
    let refused = plan("respact", &[ABA, "user.placements=current"]);
    let error = refused.err().unwrap();
    assert!(error.contains("user.sees = \"dialogue+observations\""), "{error}");
}
