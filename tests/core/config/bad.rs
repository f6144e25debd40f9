//! Every kind of bad config, with the message that it gets.

use rolecall::config::load;

use super::support::{GOOD, folder, problems, registry, request, resolve, write};

/// Replaces a line of the good config and gives the problems of the result.
fn with(line: &str, replacement: &str) -> Vec<String> {
    assert!(GOOD.contains(line), "{line}");
    problems(resolve(&GOOD.replacen(line, replacement, 1), &[]))
}

/// The problems of the good config with something before it.
fn after(start: &str) -> Vec<String> {
    problems(resolve(&format!("{start}{GOOD}"), &[]))
}

#[test]
fn names_that_do_not_exist() {
    assert_eq!(
        with("\"respact\"", "\"respcat\""),
        ["run.toml:5: `strategy.name` is `respcat`, which is no strategy (did you mean `respact`?); \
          allowed: `react`, `respact`, `relay`, `sequence`"]
    );
    assert_eq!(
        with("\"household\"", "\"moon\""),
        ["run.toml:3: `environment.name` is `moon`, which is no environment; \
          allowed: `household`, `shop`"]
    );
    assert_eq!(
        with("\"rules\"", "\"rule\""),
        ["run.toml:7: `roles.executor.implementation` is `rule`, which is no implementation of \
          `executor` (did you mean `rules`?); allowed: `rules`, `scripted`"]
    );
    assert_eq!(
        with("\"helpful\"", "\"helpfull\""),
        ["run.toml:9: `user.kind` is `helpfull`, which is no kind of user (did you mean \
          `helpful`?); allowed: `helpful`, `perturbed`, `unhelpful`, `human`"]
    );
}

#[test]
fn names_that_are_missing() {
    assert_eq!(
        with("name = \"household\"", "size = 3"),
        ["run.toml:3: `environment.name` is missing: write one of `household`, `shop`"]
    );
    // A key that was written and that nobody knows is the likely reason.
    assert_eq!(
        with("kind = \"helpful\"", "knid = \"helpful\""),
        ["run.toml:9: `user.kind` is missing (did you mean it by `knid`?): write one of `helpful`, \
          `perturbed`, `unhelpful`, `human`"]
    );
    assert_eq!(
        with("[user]\nkind = \"helpful\"", ""),
        ["run.toml: `user` is missing: `respact` needs a user; write `[user]` with a `kind`, one \
          of `helpful`, `perturbed`, `unhelpful`, `human`"]
    );
    // There is no shipped card for this strategy.
    let text = GOOD.replace("\"respact\"", "\"sequence\"\norder = [\"executor\"]");
    let text = text.replace("implementation = \"rules\"", "hide_thoughts = true");
    assert_eq!(
        problems(resolve(&text, &[])),
        ["run.toml:8: `roles.executor.implementation` is missing: write one of `rules`, `scripted`"]
    );
}

#[test]
fn keys_that_do_not_exist() {
    assert_eq!(
        with("[user]", "[limits]\nstpes = 3\n[user]"),
        ["run.toml:9: `limits.stpes` is unknown (did you mean `steps`?); allowed: `steps`, \
          `questions`, `model_calls`, `attempts`, `answer_bytes`, `repeats`, `tokens`, `cost`, `turn_seconds`, `episode_seconds`"]
    );
    assert_eq!(
        with("[user]", "[roles.\"a b\"]\nx = 1\n[user]"),
        ["run.toml:9: `roles.\"a b\"` is unknown; allowed: `executor`"]
    );
    let unknown = after("sead = 1\n");
    assert_eq!(unknown.len(), 1);
    assert!(unknown[0].starts_with("run.toml:1: `sead` is unknown (did you mean `seed`?); allowed:"));
    // Several readers ask for some of the keys; each is listed once.
    let (_, allowed) = unknown[0].split_once("allowed: ").unwrap();
    let mut keys: Vec<&str> = allowed.split(", ").collect();
    assert!(keys.contains(&"`table`") && keys.contains(&"`cells`"), "{keys:?}");
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all, "{allowed}");
    let unknown = with("kind = \"helpful\"", "kind = \"helpful\"\nwrong_rat = 1");
    assert_eq!(
        unknown,
        ["run.toml:10: `user.wrong_rat` is unknown (did you mean `wrong_rate`?); allowed: `kind`, \
          `sees`, `persona`, `wrong_rate`"]
    );
}

#[test]
fn values_of_another_type_are_not_converted() {
    assert_eq!(
        after("seed = \"5\"\n"),
        ["run.toml:1: `seed` is the text `5`; it must be a whole number from 0 to \
          9223372036854775807"]
    );
    assert_eq!(after("name = 5\n"), ["run.toml:1: `name` is the whole number `5`; it must be a text in quotes"]);
    assert_eq!(
        with("kind = \"helpful\"", "kind = \"helpful\"\nwrong_rate = \"0.5\""),
        ["run.toml:10: `user.wrong_rate` is the text `0.5`; it must be a number from 0 to 1"]
    );
    assert_eq!(
        with("implementation = \"rules\"", "implementation = \"rules\"\nhide_thoughts = 1"),
        ["run.toml:8: `roles.executor.hide_thoughts` is the whole number `1`; it must be `true` \
          or `false`"]
    );
    assert_eq!(
        with("[environment]\nname = \"household\"", "environment = \"household\""),
        ["run.toml:2: `environment` is the text `household`; it must be a table"]
    );
    assert_eq!(after("seed = 2020-01-01\n"), ["run.toml:1: `seed` is a date; write a text in quotes"]);
}

#[test]
fn values_out_of_bounds() {
    assert_eq!(
        after("repeats = 0\n"),
        ["run.toml:1: `repeats` is the whole number `0`; it must be a whole number from 1 to 1000000"]
    );
    for wrong in ["1.5", "-0.1", "nan", "inf"] {
        let found = with("kind = \"helpful\"", &format!("kind = \"helpful\"\nwrong_rate = {wrong}"));
        assert_eq!(found.len(), 1, "{wrong}");
        assert!(found[0].ends_with("it must be a number from 0 to 1"), "{found:?}");
    }
    assert_eq!(after("seed = 99999999999999999999\n"), ["run.toml:1: `seed` is a whole number beyond 64 bits"]);
    assert_eq!(
        with("kind = \"helpful\"", "kind = \"helpful\"\nsees = \"dialog\""),
        ["run.toml:10: `user.sees` is `dialog` (did you mean `dialogue`?); allowed: `question`, \
          `dialogue`, `dialogue+observations`"]
    );
    assert_eq!(
        after("[tasks]\noffset = 3\n"),
        ["run.toml:2: `tasks.offset` is `3`; it must be a whole number from 0 to 2, for there are \
          3 tasks"]
    );
    assert_eq!(
        with("name = \"household\"", "name = \"household\"\nsize = 0"),
        ["run.toml:3: `environment` has no tasks"]
    );
}

#[test]
fn what_an_implementation_cannot_do() {
    assert_eq!(
        with("\"household\"", "\"shop\""),
        [
            "run.toml:7: `roles.executor.implementation` is `rules`, which does not understand \
             `shop`, only `household`",
            "run.toml:9: `user.kind` is `helpful`, which does not understand `shop`, only `household`",
        ]
    );
    assert_eq!(
        with("implementation = \"rules\"", "implementation = \"rules\"\npatience = 9"),
        ["run.toml:8: `roles.executor.patience` cannot be used: nine is too many"]
    );
}

#[test]
fn files_that_are_not_there() {
    assert_eq!(
        with("name = \"household\"", "name = \"household\"\ndata = \"builtn\""),
        ["run.toml:4: `environment.data` is `builtn`: there is no file or folder `builtn` (did you \
          mean `builtin`?); allowed: `builtin`, or a path"]
    );
    assert_eq!(
        with("\"rules\"", "\"scripted\""),
        ["run.toml:7: `roles.executor.script` is missing: the file with its answers"]
    );
    assert_eq!(after("agents = \"nowhere\"\n"), ["run.toml:1: `agents` is `nowhere`: there is no folder `nowhere`"]);
    let lost = after("extends = \"base.toml\"\n").concat();
    let start = "run.toml:1: `extends` names `base.toml`, which does not exist; looked in `/";
    assert!(lost.starts_with(start), "{lost}");
    assert!(lost.contains("among the shipped configs"), "{lost}");
}

#[test]
fn a_config_that_cannot_be_read() {
    let folder = folder(&[]);
    let load = || problems(load(&request(folder.path(), &[]), registry()));
    let place = folder.path().canonicalize().unwrap();
    let place = place.display();
    assert_eq!(
        load(),
        [format!(
            "run.toml: does not exist; looked in `{place}`, for a folder `configs` in `{place}` and \
             above (there is none) and among the shipped configs; `rolecall list configs` lists them"
        )]
    );
    write(folder.path(), "run.toml", b"name = \"\xff\"");
    assert_eq!(load(), ["run.toml: is not UTF-8: the bytes from 8 on are no text"]);
    write(folder.path(), "run.toml", b"\nname = = 1");
    let found = load();
    assert!(found[0].starts_with("run.toml:2:8: this is not TOML: "), "{found:?}");
    // A column is what an editor shows: letters, not bytes.
    let column = |letter: char| {
        write(folder.path(), "run.toml", format!("name = \"{letter}\" = 1").as_bytes());
        load()[0].split(": ").next().unwrap().to_owned()
    };
    assert_eq!(column('e'), column('\u{4e16}'));
    write(folder.path(), "run.toml", &vec![b'#'; 1024 * 1024 + 1]);
    assert_eq!(load(), ["run.toml: is larger than 1024 KiB"]);
    std::fs::remove_file(folder.path().join("run.toml")).unwrap();
    std::fs::create_dir(folder.path().join("run.toml")).unwrap();
    assert_eq!(load(), ["run.toml: is a folder, not a file"]);
}

#[cfg(unix)]
#[test]
fn a_config_that_is_no_regular_file() {
    let folder = folder(&[]);
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("run.toml")).unwrap();
    let found = problems(load(&request(folder.path(), &[]), registry()));
    assert_eq!(found, ["run.toml: is not a regular file"]);
}

#[test]
fn every_problem_is_reported_at_once_in_the_order_of_lines() {
    let text = "seed = -1\n[environment]\nname = \"hose\"\n[strategy]\nname = \"respact\"\n\
                [limits]\nsteps = 0\n[roles.executor]\nimplementation = \"rules\"\n[user]\n\
                kind = \"helpful\"\nsees = 3\n";
    let places: Vec<String> = problems(resolve(text, &["run.arbiters=0", "x=1", "y"]))
        .iter()
        .map(|problem| problem.split(": ").next().unwrap().to_owned())
        .collect();
    let expected = ["run.toml:1", "run.toml:3", "run.toml:7", "run.toml:12", "`--set`", "`--set`", "`--set`"];
    assert_eq!(places, expected);
}

#[test]
fn problems_of_cells_name_the_cell_and_common_ones_come_once() {
    let text = format!(
        "{GOOD}[[cells]]\nname = \"a\"\nlimits.steps = 0\nlimit = 3\n[[cells]]\nname = \"a\"\n\
         user.kind = \"x\"\n[[cells]]\nname = \"B\"\n[[cells]]\n[limits]\nattempts = 0\n"
    );
    let found = problems(resolve(&text, &[]));
    let expected = [
        "run.toml:12: `cells.a.limits.steps` is the whole number `0`; it must be a whole number \
         from 1 to 1000000",
        "run.toml:13: `cells.0.limit` is unknown",
        "run.toml:14: `cells.1.name` is `a`, like that of an earlier cell",
        "run.toml:16: `cells.a.user.kind` is `x`, which is no kind of user",
        "run.toml:18: `cells.2.name` is no name for a cell: `B` is not a valid name",
        "run.toml:19: `cells.3.name` is missing: every cell needs one",
        "run.toml:21: `limits.attempts`",
    ];
    // The last table is the config's, not the cell's: TOML's `[limits]` closes the cell.
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

#[test]
fn every_cell_must_be_left_with_tasks() {
    let text = format!("{GOOD}[[cells]]\nname = \"a\"\n[[cells]]\nname = \"b\"\nenvironment.size = 5\n");
    assert_eq!(
        problems(resolve(&text, &["tasks.offset=3"])),
        ["`--set`: `tasks.offset` is `3`; it must be a whole number from 0 to 2, for there are 3 \
             tasks of the cell `a`"]
    );
    assert_eq!(
        problems(resolve(&text, &["cells.b.environment.size=0"])),
        ["run.toml:3: `environment` of the cell `b` has no tasks"]
    );
}

#[test]
fn one_user_or_several() {
    let both = format!("{GOOD}[[users]]\nkind = \"helpful\"\n");
    assert_eq!(problems(resolve(&both, &[])), ["run.toml:9: `user` stands beside `users`; write one of the two"]);
    let users = GOOD.replace("[user]", "[[users]]\nkind = \"helpful\"\nweight = 0\n[[users]]");
    assert_eq!(
        problems(resolve(&users, &[])),
        [
            "run.toml:8: `users` names `helpful` more than once; results are grouped by kind: use \
             `[[cells]]` instead",
            "run.toml:10: `users.0.weight` is the whole number `0`; it must be a number from \
             0.000000001 to 1000000000",
        ]
    );
}

#[test]
fn very_many_problems_are_counted_and_not_all_listed() {
    let mut text = GOOD.to_owned();
    text.push_str("[limits]\n");
    (0..50_000).for_each(|key| text.push_str(&format!("key{key} = 1\n")));
    let errors = resolve(&text, &[]).err().unwrap();
    assert_eq!(errors.0.len(), 50_000);
    let message = errors.to_string();
    assert_eq!(message.lines().count(), 102);
    assert!(message.ends_with("\n  and 49900 more"));
}

#[test]
fn users_are_checked_even_if_the_strategy_is_unknown() {
    let text = GOOD.replace("\"respact\"", "\"x\"").replace("\"helpful\"", "\"y\"");
    let places: Vec<String> = problems(resolve(&text, &[]))
        .iter()
        .map(|problem| problem.split_whitespace().nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(places, ["`strategy.name`", "`user.kind`"]);
}

#[test]
fn secrets_are_not_shown() {
    let set = "roles.executor.api_key=12345";
    assert_eq!(
        problems(resolve(GOOD, &[set])),
        ["`--set`: `roles.executor.api_key` is a value that is not shown; it must be a text in quotes"]
    );
    let record = resolve(GOOD, &["roles.executor.api_key=sesame"]).unwrap().plan.record;
    assert!(record.contains("api_key = \"(not written)\"") && !record.contains("sesame"));
}
