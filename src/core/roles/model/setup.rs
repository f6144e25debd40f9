//! The parameters of a role that a model plays, and the parts that it is built from.

use std::sync::{Arc, Once};

use super::choose::Rule;
use super::role::ModelRole;
use super::schema::{Bounds, Form};
use super::shared::{Choosing, Scored, Shared};
use super::structure::Structures;
use crate::ports::model::{Capabilities, ModelProfile};
use crate::ports::settings::parameters;
use crate::ports::{Earlier, ModelClient, Parameter, Parameters, Role, RoleFactory, RoleSetup, SetupError};
use crate::prompts::{Context, Exemplars, LineNotation, Prompter, SAME_SPEAKER, Summarising, TurnOptions, spelled};
use crate::text::template::Template;

/// The words after an answer that could not be read.
const CORRECTION: &str = include_str!("correction.md");

/// The parameters of the role.
pub const PARAMETERS: &[Parameter] = parameters![
    model("model"), "the model that plays the role, one of `[models]`";
    choice("moves", &["text", "json", "tools"]),
        "how it answers: running text, JSON by a schema, or calls of tools";
    choice("style", &["papers", "labels"]),
        "labels of the transcript: `> think: ...` as in ReAct's files, or `Think: ...`";
    choice("speech", &["speak", "ask"]), "the word for speaking: ReSpAct's or ABA's";
    choice("recall", &["model", "module"]),
        "who answers what the role asks itself in a thought, as in `### query: mug >` (ABA appendix \
            E): its model, or what it has seen and was told";
    choice("choose", &["generate", "sample", "score"]),
        "one answer, the best of several, or the likeliest of the possible actions (ABA)";
    integer("samples", Some(5), 1..=64), "how many answers `choose = \"sample\"` draws";
    choice("choice", &["first", "majority", "likeliest", "longest", "new", "new-or-last"]),
        "which of the samples is taken; `new`: the first that is not the action or utterance before, else the \
            first; `new-or-last`: the first of these that calls a tool where it has to, else the last, and at the \
            beginning the last too";
    choice("candidates", &["lines", "commands"]).before(Earlier::Word("commands")),
        "what `choose = \"score\"` scores of a command: the line with its end, or the command alone (ABA's \
            equation 4 to the letter), of which one that begins another always beats it";
    flag("normalise", false), "log-probabilities are divided by the number of tokens";
    integer("shots", Some(2), 0..=20), "how many exemplars of the task's kind stand in the prompt";
    integer("permutation", Some(0), 0..=5),
        "which two of three exemplars, in which order: 12, 13, 21, 23, 31, 32";
    choice("context", &["fit", "all", "last", "drop-observations", "summary"]).before(Earlier::Word("all")),
        "what is left out when the prompt does not fit: old observations and then old turns, a quarter of the window at \
            a time; nothing; old turns; old observations; or old turns with a summary in their place";
    integer("keep", Some(6), 0..=100_000), "turns at the end that are never left out";
    model("summary_model"), "the model that sums up; absent: the role's own";
    choice("replies", &["moves", "raw"]),
        "what the role's own messages of a part `--- turns ---` are: its moves as lines, or the \
            replies of its model as they came";
    choice("same_speaker", &["apart", "joined"]), SAME_SPEAKER.help;
    integer("observations_kept", None, 0..=100_000),
        "the newest observations that prompts show; absent: all";
    text("old_observation", Some("(not shown any more)")),
        "what stands for each observation that is older than those";
    choice("reader", &["natural", "plain"]).before(Earlier::Word("plain")),
        "how answers are read: `natural` as models write them, where an action is a command of the world or none; \
            `plain` as versions up to 0.2 did, which took other texts for actions";
    flag("cue", true).before(Earlier::Flag(false)),
        "prompts end with what to write now: a line of words, or `>` for a model with `endpoint = \"completions\"`; the \
            ranges of exemplars are spelled as people write them";
    flag("thought_with_move", true).before(Earlier::Flag(false)),
        "where one move is wanted, a thought and the move after it in one answer are both made; else the first alone";
    integer("retries_unreadable", Some(1), 0..=10),
        "how often it is told what was wrong with its answer and asked once more";
    flag("finish", false).before(Earlier::Flag(true)),
        "structured answers may give up by `finish` where one acts move by move; where a brief wants several moves, \
            an answer format or the world's own tools, they always may";
    choice("letters", &["ascii", "any"]),
        "letters in the texts of structured answers; servers fail on half letters of weak models";
    integer("longest", Some(300), 20..=10_000), "the most letters of a text in a structured answer";
];

/// Builds the role (registry entry `model`).
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let parameters = &setup.parameters;
    let model = parameters.model("model", &setup.models)?.ok_or_else(|| {
        let problem = "is not written; name one of the tables `[models.<name>]`";
        SetupError::at("model", problem)
    })?;
    let form = parameters.choice("moves");
    let choosing = choosing(parameters);
    check(form, choosing, model.profile())?;
    let notation = LineNotation { style: parameters.choice("style"), speech: parameters.choice("speech") };
    let (shots, permutation) = (size(parameters, "shots"), size(parameters, "permutation"));
    let files = &setup.persona.exemplars;
    let exemplars = match parameters.flag("cue") {
        true => Exemplars::new(&spelled(files), shots, permutation),
        false => Exemplars::new(files, shots, permutation),
    };
    let keep = parameters.whole("keep").unwrap_or(u32::MAX);
    let context = context(setup, &model)?;
    let recalls = parameters.text("recall") == Some("module");
    let mut prompter = Prompter::new(&setup.persona, exemplars, notation, context, keep, &setup.world)?;
    prompter = prompter.with_turns(TurnOptions {
        raw: parameters.text("replies") == Some("raw"),
        joined: parameters.text("same_speaker") == Some("joined"),
        // Candidates that are scored go on from the prompt as it is.
        cue: parameters.flag("cue") && !matches!(choosing, Choosing::Score(_)),
        observations: parameters.whole("observations_kept").map(|kept| {
            let text = parameters.text("old_observation").unwrap_or_default();
            (kept, text.to_owned())
        }),
    });
    if recalls {
        prompter.remember();
    }
    let correction = Template::compile("correction.md", CORRECTION, |name| name == "reason");
    let shared = Arc::new(Shared {
        prompter,
        model,
        form,
        choosing,
        correction: correction.map_err(|error| SetupError::at("model", error))?,
        retries: size(parameters, "retries_unreadable"),
        recalls,
        finishes: parameters.flag("finish"),
        bounds: Bounds { longest: size(parameters, "longest"), ascii: parameters.text("letters") != Some("any") },
        structures: Structures::default(),
        told_of_logprobs: Once::new(),
        natural: parameters.text("reader") != Some("plain"),
        thinks_first: parameters.flag("thought_with_move"),
        world: setup.world.clone(),
    });
    Ok(Arc::new(move || Box::new(ModelRole::new(Arc::clone(&shared))) as Box<dyn Role>))
}

fn size(parameters: &Parameters, name: &str) -> usize {
    parameters.whole(name).unwrap_or_default()
}

fn choosing(parameters: &Parameters) -> Choosing {
    let normalise = parameters.flag("normalise");
    let rule = match parameters.text("choice") {
        Some("majority") => Rule::Majority,
        Some("likeliest") => Rule::Likeliest { normalise },
        Some("longest") => Rule::Longest,
        Some("new") => Rule::New,
        Some("new-or-last") => Rule::NewOrLast,
        _ => Rule::First,
    };
    match parameters.text("choose") {
        Some("sample") => Choosing::Sample { samples: parameters.whole("samples").unwrap_or(1), rule },
        Some("score") => Choosing::Score(Scored { normalise, candidates: parameters.choice("candidates") }),
        _ => Choosing::Generate,
    }
}

fn context(setup: &RoleSetup, model: &Arc<dyn ModelClient>) -> Result<Context, SetupError> {
    Ok(match setup.parameters.text("context") {
        Some("last") => Context::Last,
        Some("drop-observations") => Context::DropObservations,
        Some("summary") => {
            let other = setup.parameters.model("summary_model", &setup.models)?;
            let model = other.unwrap_or_else(|| Arc::clone(model));
            Context::Summary(Summarising::new(model)?)
        }
        Some("all") => Context::All,
        _ => Context::Fit,
    })
}

/// Refuses what the model is not declared to be able to do.
fn check(form: Form, choosing: Choosing, profile: &ModelProfile) -> Result<(), SetupError> {
    let Capabilities { json_schema, tools, logprobs, scoring, .. } = profile.capabilities;
    let name = &profile.name;
    let lacks = |key: &str, what: &str, capability: &str| {
        Err(SetupError::at(
            key,
            format!(
                "needs {what}, and `{name}` is not said to have it; write `{capability}` into its \
                 `capabilities` if it does (`rolecall models probe {name}`)"
            ),
        ))
    };
    match (form, choosing) {
        (Form::Json, _) if !json_schema => lacks("moves", "a JSON schema", "json_schema"),
        (Form::Tools, _) if !tools => lacks("moves", "tools", "tools"),
        (Form::Json | Form::Tools, Choosing::Score(_)) => {
            let problem = "is `score`, which works with `moves = \"text\"` only";
            Err(SetupError::at("choose", problem))
        }
        (_, Choosing::Score(_)) if scoring.is_none() => lacks("choose", "log-probabilities of texts", "scoring"),
        (_, Choosing::Score(_)) if profile.chat => Err(SetupError::at(
            "choose",
            format!(
                "is `score`: candidates are scored as they go on from a text, so `{name}` needs \
                 `endpoint = \"completions\"`"
            ),
        )),
        (_, Choosing::Sample { rule: Rule::Likeliest { .. }, .. }) if !logprobs => {
            lacks("choice", "log-probabilities", "logprobs")
        }
        (_, Choosing::Generate | Choosing::Sample { .. } | Choosing::Score(_)) => Ok(()),
    }
}
