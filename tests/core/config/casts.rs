//! Strategies that list their roles, and implementations that share a name.

use super::support::{folder, problems, registry, request, resolve};
use rolecall::config::load;

const SEQUENCE: &str = r#"
environment.name = "household"
strategy.name = "sequence"
roles.thinker.implementation = "rules"
roles.executor.implementation = "rules"
"#;

fn cast(text: &str, sets: &[&str]) -> Vec<String> {
    let plan = resolve(text, sets).unwrap().plan;
    let roles = plan.cells[0].roles.iter();
    roles.map(|seat| seat.role.as_str().to_owned()).collect()
}

#[test]
fn a_strategy_may_list_its_roles() {
    assert_eq!(cast(SEQUENCE, &[]), ["thinker", "executor"]);
    let swapped = ["strategy.order=[\"executor\", \"thinker\", \"executor\"]"];
    assert_eq!(cast(SEQUENCE, &swapped), ["executor", "thinker"]);
    let record = resolve(SEQUENCE, &swapped).unwrap().record;
    let order = record.cells[0].strategy.parameters["order"].to_string();
    assert_eq!(order, r#"["executor", "thinker", "executor"]"#);
    // The user is optional.
    let with_user = format!("{SEQUENCE}user.kind = \"helpful\"\n");
    let plan = resolve(&with_user, &[]).unwrap().plan;
    assert_eq!(plan.cells[0].users.len(), 1);
}

#[test]
fn taking_a_role_off_the_list_is_the_whole_of_it() {
    let shorter = SEQUENCE.replace("\"sequence\"", "\"sequence\"\nstrategy.order = [\"executor\"]");
    let resolved = resolve(&shorter, &[]).unwrap();
    assert_eq!(resolved.plan.cells[0].roles.len(), 1);
    assert_eq!(resolved.notes.len(), 1, "{:?}", resolved.notes);
    assert!(resolved.notes[0].starts_with("run.toml:5: `roles.thinker`"), "{:?}", resolved.notes);
    // A table that looks like a slip for a role without one is a mistake.
    let slip = SEQUENCE.replace("thinker", "thinkr");
    let found = problems(resolve(&slip, &[]));
    assert!(
        found
            .iter()
            .any(|problem| problem.starts_with("run.toml:4: `roles.thinkr` is unknown (did you mean `thinker`?)")),
        "{found:?}"
    );
}

#[test]
fn a_role_that_was_written_after_the_list_must_stand_in_it() {
    let found = problems(resolve(SEQUENCE, &["roles.thinkr.implementation=rules"]));
    let problem = "`--set`: `roles.thinkr` is unknown (did you mean `thinker`?)";
    assert!(found.iter().any(|found| found.starts_with(problem)), "{found:?}");
    let cell = format!("{SEQUENCE}[[cells]]\nname = \"a\"\nroles.critic.implementation = \"rules\"\n");
    let found = problems(resolve(&cell, &[]));
    let problem = "`cells.a.roles.critic` is unknown";
    assert!(found.iter().any(|found| found.contains(problem)), "{found:?}");
    // The list may be overridden later still.
    let set = ["roles.critic.implementation=rules", "strategy.order=[\"critic\"]"];
    assert_eq!(cast(SEQUENCE, &set), ["critic"]);
}

#[test]
fn lists_that_are_no_lists_of_roles() {
    for (value, problem) in [
        ("[]", "is empty; it must name at least one role"),
        ("\"executor\"", "is the text `executor`; it must be a list, written as `[\"one\", \"two\"]`"),
        ("[3]", "lists what cannot be a role: the whole number `3` is no name of a role"),
        ("[\"user\"]", "lists what cannot be a role: `user` is not a valid name"),
        ("[\"Executor\"]", "lists what cannot be a role: `Executor` is not a valid name"),
    ] {
        let found = problems(resolve(SEQUENCE, &[&format!("strategy.order={value}")]));
        assert!(found.iter().any(|found| found.contains(&format!("`strategy.order` {problem}"))), "{value}: {found:?}");
    }
    // A role that is listed needs an implementation, from the config or its card.
    let found = problems(resolve(SEQUENCE, &["strategy.order=[\"critic\"]"]));
    assert!(
        found.iter().any(|found| found.contains("`strategy.order.0` is `critic`, of which nothing is said")),
        "{found:?}"
    );
}

#[test]
fn a_slip_in_the_list_of_roles_is_reported_at_its_line_and_nowhere_else() {
    let listed = |order: &str| {
        let strategy = format!("\"sequence\"\nstrategy.order = {order}");
        problems(resolve(&SEQUENCE.replace("\"sequence\"", &strategy), &[]))
    };
    // There is a table of the role that was meant.
    assert_eq!(
        listed("[\n\"thinker\",\n\"executer\"]"),
        ["run.toml:6: `strategy.order.1` is `executer`, of which nothing is said (did you mean \
             `executor`?); write a table `[roles.executer]` with an `implementation`"]
    );
    assert_eq!(
        listed("[\n\"thinker\",\n\"Executor\"]"),
        ["run.toml:6: `strategy.order` lists what cannot be a role: `Executor` is not a valid \
             name: it must begin with a lower-case letter"]
    );
    // In a cell the path has its name.
    let cell = format!("{SEQUENCE}[[cells]]\nname = \"a\"\nstrategy.order = [\"thinkr\"]\n");
    let found = problems(resolve(&cell, &[]));
    let problem = "`cells.a.strategy.order.0` is `thinkr`, of which nothing is said (did you mean \
                   `thinker`?)";
    assert!(found.iter().any(|found| found.contains(problem)), "{found:?}");
}

#[test]
fn implementations_may_share_a_name() {
    let shared = SEQUENCE
        .replace("thinker.implementation = \"rules\"", "thinker = { implementation = \"twice\", depth = true }");
    let plan = resolve(&shared, &[]).unwrap().plan;
    assert_eq!(plan.cells[0].roles[0].implementation, "twice");
    // Right role, wrong environment; wrong role.
    let found = problems(resolve(&shared, &["environment.name=shop", "roles.executor.implementation=twice"]));
    assert_eq!(
        found,
        ["run.toml:4: `roles.thinker.implementation` is `twice`, which does not understand `shop`, only `household`"]
    );
    let found = problems(resolve(&shared, &["strategy.order=[\"executor\"]", "roles.executor.implementation=twice"]));
    assert_eq!(
        found,
        ["`--set`: `roles.executor.implementation` is `twice`, which does not understand `household`, only `shop`"]
    );
    let found = problems(resolve(&shared, &["strategy.order=[\"planner\"]", "roles.planner.implementation=twice"]));
    assert_eq!(found, ["`--set`: `roles.planner.implementation` is `twice`, which can only be `thinker`, `executor`"]);
}

#[test]
fn a_card_may_propose_a_shared_name() {
    let text = SEQUENCE.replace("roles.thinker.implementation = \"rules\"\n", "");
    let folder = folder(&[("run.toml", &text), ("agents/sequence/thinker.toml", "implementation = \"twice\"\n")]);
    let plan = load(&request(folder.path(), &[]), registry()).unwrap().plan;
    assert_eq!(plan.cells[0].roles[0].implementation, "twice");
}

#[test]
fn a_strategy_that_is_made_for_the_environment_is_meant_before_one_for_any() {
    let shop = "[environment]\nname = \"shop\"\n[strategy]\nname = \"react\"\n\
                [roles.executor]\nimplementation = \"twice\"\n";
    resolve(shop, &["strategy.depth=true"]).unwrap();
    let household = shop.replace("shop", "household").replace("twice", "rules");
    assert_eq!(
        problems(resolve(&household, &["strategy.depth=true"])),
        ["`--set`: `strategy.depth` is unknown; allowed: `name`, `commands`"]
    );
    let found = problems(resolve(&household, &["strategy.name=haggle"]));
    let expected = "`--set`: `strategy.name` is `haggle`, which does not understand `household`, only `shop`";
    assert_eq!(found, [expected]);
}
