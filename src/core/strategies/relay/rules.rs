//! A relay's rules, as the config gives them.

use crate::domain::{MoveKind, MoveKinds, RoleName};
use crate::ports::{Parameter, ParameterKind, ParameterValue, Parameters, SetupError};

/// The parameters of the strategy.
pub const RELAY_PARAMETERS: &[Parameter] = &[
    Parameter::roles(
        "order",
        &["thinker", "clarifier", "planner", "executor"],
        "the roles in the order of their turns; one may come more than once",
    ),
    Parameter::roles("keep", &[], "keep the turn until they finish, which ends it, or judge that all is clear"),
    Parameter::roles("skip_when_clear", &[], "passed over while the last judgement is that all is clear"),
    Parameter::roles("skip_when_unclear", &[], "passed over while the last judgement is that somebody must ask"),
    Parameter::table(
        "open",
        &ParameterKind::List { words: &["think", "plan", "act", "speak", "judge", "finish"] },
        "moves that are open, by role; to others those of their name",
    ),
];

/// The moves that are open to the roles of these names.
pub(super) const OPEN: &[(&str, MoveKinds)] = &[
    ("thinker", MoveKinds::of(&[MoveKind::Think])),
    ("clarifier", MoveKinds::of(&[MoveKind::Judge, MoveKind::Speak])),
    ("planner", MoveKinds::of(&[MoveKind::Plan])),
    ("executor", MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Finish])),
];

/// The moves that are open to a role of any other name.
pub(super) const OPEN_TO_OTHERS: MoveKinds = MoveKinds::of(&[
    MoveKind::Think,
    MoveKind::Plan,
    MoveKind::Act,
    MoveKind::Speak,
    MoveKind::Judge,
    MoveKind::Finish,
]);

/// The moves that the config opens, by role.
fn opened(order: &[RoleName], parameters: &Parameters) -> Result<Vec<(RoleName, MoveKinds)>, SetupError> {
    let entries = parameters.table("open").map(|(name, value)| {
        let ParameterValue::List(words) = value else {
            return Err(SetupError::at("open", "write a list of moves for each role"));
        };
        let kinds: Vec<MoveKind> =
            MoveKind::ALL.into_iter().filter(|kind| words.iter().any(|word| word == kind.as_str())).collect();
        let role = order.iter().find(|role| role.as_str() == name);
        match role {
            Some(role) if !kinds.is_empty() => Ok((role.clone(), kinds.into())),
            Some(_) => Err(SetupError::at("open", format!("opens no move to `{name}`"))),
            None => {
                let problem = format!("`{}` is not in `order`", name.escape_debug());
                Err(SetupError::at("open", problem))
            }
        }
    });
    entries.collect()
}

/// The rules that the config gives.
#[derive(Default)]
pub(super) struct Rules {
    pub(super) order: Vec<RoleName>,
    pub(super) keep: Vec<RoleName>,
    pub(super) skip_when_clear: Vec<RoleName>,
    pub(super) skip_when_unclear: Vec<RoleName>,
    pub(super) open: Vec<(RoleName, MoveKinds)>,
}

impl Rules {
    /// Reads what the config says of the roles of the cast.
    pub(super) fn new(roles: &[RoleName], parameters: &Parameters) -> Result<Self, SetupError> {
        let order = parameters.roles("order");
        if order.is_empty() {
            return Err(SetupError::at("order", "name at least one role"));
        }
        if let Some(missing) = order.iter().find(|role| !roles.contains(role)) {
            let problem = format!("`{missing}` is not in the cast");
            return Err(SetupError::at("order", problem));
        }
        let among = |key: &str| {
            let roles = parameters.roles(key).to_vec();
            match roles.iter().find(|role| !order.contains(role)) {
                Some(other) => Err(SetupError::at(key, format!("`{other}` is not in `order`"))),
                None => Ok(roles),
            }
        };
        Ok(Self {
            order: order.to_vec(),
            keep: among("keep")?,
            skip_when_clear: among("skip_when_clear")?,
            skip_when_unclear: among("skip_when_unclear")?,
            open: opened(order, parameters)?,
        })
    }
}
