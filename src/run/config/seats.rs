//! Who sits where: the roles and the users of a cell.

use std::path::Path;

use super::error::{did_you_mean, instead, listed, nearest, quoted};
use super::fallback;
use super::models::refused;
use super::node::Node;
use super::origin::Origin;
use super::parameters::{as_recorded, find, lacks_model, models_named, named, named_among, names, read, suits};
use super::persona::{Card, check_name, read_card};
use super::plan::{PlannedRole, PlannedUser};
use super::record::{RoleRecord, UserRecord};
use super::recorded::recorded;
use super::search::Agents;
use super::user_context::UserContext;
use super::walk::Section;
use rolecall_core::domain::{CellName, RoleName, UserSees};
use rolecall_core::ports::{
    Cast, GroundTruth, ParameterValue, RoleEntry, RoleSetup, StrategyEntry, UserNeed, UserSetup, World,
};

/// The context that the seats of a cell are checked in.
pub(super) struct SeatContext<'a> {
    /// The cell.
    pub(super) cell: &'a CellName,
    /// The environment, if its name is known.
    pub(super) environment: Option<&'static str>,
    /// The description of it that roles get.
    pub(super) world: World,
    /// The strategy.
    pub(super) strategy: &'static StrategyEntry,
    /// The strategy that this one is played around, if it is.
    pub(super) around: Option<&'static StrategyEntry>,
    /// The roles that take part.
    pub(super) cast: Vec<RoleName>,
    /// The place where the strategy was named.
    pub(super) selector: Origin,
    /// The parameter that lists the roles, if the strategy takes a list.
    pub(super) listed: Option<RoleList>,
    /// The roles that are entrusted with the ground truth of the tasks.
    pub(super) ground_truth: Vec<GroundTruth>,
    /// The folders of the persona cards.
    pub(super) agents: &'a Agents,
}

/// The roles that take part, in the order of their first turn.
pub(super) fn roles(top: &mut Section<'_>, seat_context: &SeatContext<'_>) -> Vec<(PlannedRole, RoleRecord)> {
    let mut section = top.section("roles");
    let mut seats = Vec::new();
    let mut slips: Vec<&str> = Vec::new();
    for name in &seat_context.cast {
        if is_slip(&section, name.as_str(), seat_context) {
            slips.push(name.as_str());
            continue;
        }
        seats.extend(role(section.section_named(name.as_str()), name, seat_context));
    }
    // What is written for a role of the cast cannot be a slip for another one of it, and what was reported in
    // the list need not be here.
    let names = seat_context.cast.iter().map(RoleName::as_str);
    let unwritten: Vec<&str> = names.filter(|name| !section.has(name) && !slips.contains(name)).collect();
    section.finish_but(|key, origin| {
        let name = seat_context.strategy.name;
        let stronger = origin.rank() < seat_context.selector.rank() || origin.point;
        let Some(list) = &seat_context.listed else {
            let elsewhere = stronger && takes_part_elsewhere(&section, key);
            return elsewhere.then(|| format!("`{name}` has no such role"));
        };
        // What was written later than the list, or looks like a role of it, is a slip.
        let (parameter, listed) = (list.parameter, list.origin);
        let later = origin.rank() > listed.rank() && !origin.point;
        let meant = later || nearest(key, unwritten.iter().copied()).is_some();
        // Taking a role off the list is the whole of taking it out of the cast.
        (!meant).then(|| format!("`strategy.{parameter}` does not list this role"))
    });
    seats
}

/// Whether a role is only in the list of the strategy: no table and no card says what sits there. That is
/// reported at the list.
fn is_slip(section: &Section<'_>, role: &str, seat_context: &SeatContext<'_>) -> bool {
    let Some(list) = &seat_context.listed else {
        return false;
    };
    if section.has(role) || seat_context.agents.find(&usual_cards(role, seat_context)).is_some() {
        return false;
    }
    let registry = &section.context.registry;
    let seats = registry.roles.iter().flat_map(|entry| entry.roles).copied();
    let known: Vec<&str> = section.entries().map(|(role, _)| role).chain(seats).collect();
    list.report(section, role, &known)
}

/// Whether the role can take part in another strategy.
fn takes_part_elsewhere(section: &Section<'_>, role: &str) -> bool {
    section.context.registry.strategies.iter().any(|other| match other.roles {
        Cast::Fixed(roles) | Cast::Around(roles) => roles.contains(&role),
        Cast::Listed(_) => true,
    })
}

fn role(
    mut section: Section<'_>,
    role: &RoleName,
    seat_context: &SeatContext<'_>,
) -> Option<(PlannedRole, RoleRecord)> {
    let name = role.as_str();
    let card = card(&mut section, name, seat_context)?;
    let hide_thoughts = section.flag("hide_thoughts").unwrap_or(false);
    let selector = section.origin_of("implementation");
    let entry = implementation(&mut section, name, seat_context, &card)?;
    check_ground_truth(&section, name, entry, &seat_context.ground_truth);
    let context = section.context;
    let refused = refused(&mut section, entry.name, entry.parameters, "implementation");
    let written = section.has("shots");
    let mut parameters = read(&mut section, entry, &context.registry.roles, selector);
    let shown = entry.parameters.iter().find(|known| known.name == "shots");
    if let (false, Some(shown), Some(shots)) = (written, shown, card.shots) {
        parameters = parameters.with(shown.name, ParameterValue::Integer(shots));
    }
    let recorded_role = context.recorded_role(seat_context.cell, name, entry.name);
    let parameters = as_recorded(&section, entry.parameters, parameters, recorded_role);
    if refused || lacks_model(&section, entry, &parameters) {
        return None;
    }
    let setup = RoleSetup {
        role: role.clone(),
        parameters,
        persona: card.persona,
        models: context.models(),
        world: seat_context.world.clone(),
    };
    let record = RoleRecord {
        role: name.to_owned(),
        implementation: entry.name.to_owned(),
        hide_thoughts,
        parameters: recorded(&setup.parameters),
        models: models_named(entry, &setup.parameters),
        persona: card.record,
        program: None,
    };
    let planned = PlannedRole {
        factory: fallback::role(&section, &setup, entry, seat_context.environment)?,
        role: setup.role,
        implementation: entry.name.to_owned(),
    };
    Some((planned, record))
}

/// The role's card: the one that the config names, and else the strategy's own if there is one (in this
/// environment, or anywhere), or that of the strategy that it is played around.
fn card(section: &mut Section<'_>, role: &str, seat_context: &SeatContext<'_>) -> Option<Card> {
    let named = section.text("persona");
    if named.is_none() && section.has("persona") {
        return None;
    }
    if let Some(name) = named {
        return named_card(section, name, seat_context.agents);
    }
    // Without a word about personas, a role needs none.
    match seat_context.agents.find(&usual_cards(role, seat_context)) {
        Some((name, file)) => read_named(section, name, &file),
        None => Some(Card::default()),
    }
}

/// The cards that a role takes without a word about personas, the first that is there.
fn usual_cards(role: &str, seat_context: &SeatContext<'_>) -> Vec<String> {
    let strategies = [seat_context.strategy.name].into_iter().chain(seat_context.around.map(|around| around.name));
    strategies
        .flat_map(|strategy| {
            let here = seat_context.environment.map(|name| format!("{strategy}-{name}/{role}"));
            here.into_iter().chain([format!("{strategy}/{role}")])
        })
        .collect()
}

/// The card that the config names.
fn named_card(section: &Section<'_>, name: &str, agents: &Agents) -> Option<Card> {
    let cards = [name.to_owned()];
    let found = check_name(name).and_then(|()| {
        let nowhere = || format!("is {}, {}", quoted(name), agents.nowhere(name));
        agents.find(&cards).ok_or_else(nowhere)
    });
    match found {
        Ok((name, file)) => read_named(section, name, &file),
        Err(problem) => {
            section.wrong("persona", problem);
            None
        }
    }
}

fn read_named(section: &Section<'_>, name: &str, file: &Path) -> Option<Card> {
    read_card(section.context, name, file).map_err(|problem| section.wrong("persona", problem)).ok()
}

/// The implementation that the config names, and else the card: of all that share the name, the
/// one for this role and environment.
fn implementation(
    section: &mut Section<'_>,
    role: &str,
    seat_context: &SeatContext<'_>,
    card: &Card,
) -> Option<&'static RoleEntry> {
    let first = first_named(section, role, seat_context, card)?;
    let same_name: Vec<&RoleEntry> =
        section.context.registry.roles.iter().copied().filter(|entry| entry.name == first.name).collect();
    let for_role = |entry: &&&RoleEntry| suits(entry.roles, role);
    let Some(one_for_role) = same_name.iter().find(for_role) else {
        let others = listed(same_name.iter().flat_map(|entry| entry.roles).copied());
        section.wrong("implementation", format!("is `{}`, which can only be {others}", first.name));
        return Some(first);
    };
    let environment = seat_context.environment;
    let for_both = |entry: &&&RoleEntry| for_role(entry) && suits(entry.environments, environment);
    if let Some(entry) = same_name.iter().find(for_both) {
        return Some(entry);
    }
    let made_for = same_name.iter().filter(for_role).flat_map(|entry| entry.environments).copied();
    check_environment(section, "implementation", first.name, &Vec::from_iter(made_for), environment);
    Some(one_for_role)
}

/// The first implementation that has the name which the config or the card gives.
fn first_named(
    section: &mut Section<'_>,
    role: &str,
    seat_context: &SeatContext<'_>,
    card: &Card,
) -> Option<&'static RoleEntry> {
    let context = section.context;
    let entries = &context.registry.roles;
    let fits = |entry: &&RoleEntry| suits(entry.environments, seat_context.environment) && suits(entry.roles, role);
    let fitting = names(entries.iter().copied().filter(fits));
    let key = "implementation";
    let Some(name) = card.implementation.as_ref().filter(|_| !section.has(key)) else {
        return named_among(section, key, entries, &fitting, &format!("no implementation of `{role}`"));
    };
    section.node(key);
    let entry = find(entries, name);
    if entry.is_none() {
        let (name, card, known) = (quoted(name), &card.persona.name, instead(name, &fitting));
        section.wrong(key, format!("is {name} by `{card}`, which does not exist{known}"));
    }
    entry
}

/// Reports that what a key names is not made for the environment, if that is so.
pub(super) fn check_environment(
    section: &Section<'_>,
    key: &str,
    name: &str,
    made_for: &[&str],
    environment: Option<&str>,
) {
    if let Some(environment) = environment.filter(|name| !suits(made_for, *name)) {
        let others = listed(made_for.iter().copied());
        section.wrong(key, format!("is `{name}`, which does not understand `{environment}`, only {others}"));
    }
}

/// The users: one `[user]`, or several `[[users]]` with weights; none if neither is written.
pub(super) fn users(
    top: &mut Section<'_>,
    user_context: &UserContext,
    agents: &Agents,
) -> Vec<(PlannedUser, UserRecord)> {
    if top.has("user") && top.has("users") {
        top.wrong("user", "stands beside `users`; write one of the two");
    }
    let mut seats: Vec<(PlannedUser, UserRecord)> = Vec::new();
    if top.has("users") {
        let items = top.list("users");
        if items.is_some_and(<[_]>::is_empty) {
            top.wrong("users", "must hold at least one `[[users]]` table");
        }
        let all = top.section_of("users", None);
        for (index, item) in items.unwrap_or_default().iter().enumerate() {
            let mut section = all.section_of(&index.to_string(), Some(item));
            let weight = section.number("weight", 1e-9, 1e9).unwrap_or(1.0);
            seats.extend(user(&mut section, user_context, agents, weight));
        }
    } else if top.has("user") {
        seats.extend(user(&mut top.section("user"), user_context, agents, 1.0));
    }
    for (index, (seat, _)) in seats.iter().enumerate() {
        let mut earlier = seats.iter().take(index);
        if earlier.any(|(earlier, _)| earlier.kind == seat.kind) {
            let problem = "more than once; results are grouped by kind: use `[[cells]]` instead";
            top.wrong("users", format!("names `{}` {problem}", seat.kind));
        }
    }
    seats
}

/// The users that the strategy takes: it may need one that is missing, or have no use for any.
pub(super) fn needed_users(
    top: &Section<'_>,
    strategy: &StrategyEntry,
    inner: Option<&StrategyEntry>,
    seats: Vec<(PlannedUser, UserRecord)>,
) -> Vec<(PlannedUser, UserRecord)> {
    let keys = ["user", "users"];
    let need = strategy.user_need(inner);
    if need == UserNeed::Required && !keys.iter().any(|key| top.has(key)) {
        let kinds = listed(names(top.context.registry.users.iter().copied()));
        let around = inner.map_or(String::new(), |inner| format!(" around `{}`", inner.name));
        let remedy = format!("`{}`{around} needs a user; write `[user]` with a `kind`, one of {kinds}", strategy.name);
        top.missing("user", &remedy);
    }
    if need != UserNeed::None {
        return seats;
    }
    for key in keys.into_iter().filter(|key| top.has(key)) {
        let origin = top.origin_of(key);
        let text = format!("`{}` is left out: `{}` has no user", top.path_to(key, origin), strategy.name);
        top.context.remark(origin, &text);
    }
    Vec::new()
}

fn user(
    section: &mut Section<'_>,
    user_context: &UserContext,
    agents: &Agents,
    weight: f64,
) -> Option<(PlannedUser, UserRecord)> {
    let entries = &section.context.registry.users;
    let entry = named(section, "kind", entries, "no kind of user")?;
    let here = user_context.name();
    check_environment(section, "kind", entry.name, entry.environments, here);
    user_context.check_user(section, entry);
    let sees =
        section.choice("sees", &UserSees::ALL.map(UserSees::as_str)).and_then(UserSees::named).unwrap_or(entry.sees);
    let sees = user_context.seen(section, sees);
    let selector = section.origin_of("kind");
    let card = match section.text("persona") {
        Some(name) => named_card(section, name, agents)?,
        None if section.has("persona") => return None,
        None => Card::default(),
    };
    let refused = refused(section, entry.name, entry.parameters, "kind");
    let parameters = read(section, entry, entries, selector);
    if refused || lacks_model(section, entry, &parameters) {
        return None;
    }
    let record = UserRecord {
        kind: entry.name.to_owned(),
        weight,
        sees: sees.as_str(),
        parameters: recorded(&parameters),
        models: models_named(entry, &parameters),
        persona: card.record,
        program: None,
    };
    let setup = UserSetup {
        parameters,
        sees,
        persona: card.persona,
        models: section.context.models(),
        world: user_context.world(&section.context.registry),
    };
    let planned = PlannedUser {
        kind: entry.name.to_owned(),
        weight,
        sees,
        factory: fallback::user(section, &setup, entry, here)?,
    };
    Some((planned, record))
}

/// Refuses an implementation that would get the ground truth of the tasks by accident.
fn check_ground_truth(section: &Section<'_>, role: &str, entry: &RoleEntry, all: &[GroundTruth]) {
    let mut entrusted = all.iter().filter(|truth| truth.role == role);
    if let Some(truth) = entrusted.next().filter(|truth| !truth.implementations.contains(&entry.name)) {
        let may = listed(truth.implementations.iter().copied());
        let problem = format!(
            "is `{}`, but this seat is entrusted with the ground truth of the tasks, which only {may} may have; {}",
            entry.name, truth.remedy
        );
        section.wrong("implementation", problem);
    }
}

/// A parameter that lists roles.
pub(super) struct RoleList {
    /// Its name.
    pub(super) parameter: &'static str,
    /// The place where it was written.
    pub(super) origin: Origin,
    /// Each role with its place and its path from the top of the file.
    pub(super) items: Vec<(String, Origin, String)>,
}

impl RoleList {
    /// The list, as the section of the strategy has it.
    pub(super) fn of(section: &mut Section<'_>, parameter: &'static str) -> Self {
        let origin = section.origin_of(parameter);
        let items = section.node(parameter).and_then(Node::list).unwrap_or_default().iter().enumerate();
        let item = |(index, item): (usize, &Node)| {
            let path = section.path_to(parameter, item.origin);
            Some((item.text()?.to_owned(), item.origin, format!("{path}.{index}")))
        };
        Self { parameter, origin, items: items.filter_map(item).collect() }
    }

    /// Reports a role of the list of which nothing else is known. False if the list was not written.
    pub(super) fn report(&self, section: &Section<'_>, role: &str, known: &[&str]) -> bool {
        let Some((_, origin, path)) = self.items.iter().find(|(name, ..)| name == role) else {
            return false;
        };
        let near = did_you_mean(role, known.iter().copied());
        let problem = format!(
            "is {}, of which nothing is said{near}; write a table `[roles.{role}]` with an \
             `implementation`",
            quoted(role)
        );
        section.context.report(*origin, Some(path), problem);
        true
    }
}
