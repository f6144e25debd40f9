//! `[matrix]`: cells as a product of axes.

use rolecall::config::{Resolved, load};

use super::support::{GOOD, folder, problems, registry, request, resolve};

/// Two axes whose points stand in no alphabetical order.
const AXES: &str = r#"
[matrix.method]
respact = { limits.steps = 20 }
react = { strategy.name = "react" }
[matrix.effort]
plain = {}
deep = { roles.executor.depth = true, user.wrong_rate = 0.5 }
[matrix.data]
small = { environment.size = 2 }
"#;

fn with(text: &str) -> String {
    format!("{GOOD}{text}")
}

fn names(resolved: &Resolved) -> Vec<&str> {
    let cells = resolved.plan.cells.iter();
    cells.map(|cell| cell.name.as_str()).collect()
}

#[test]
fn axes_are_crossed_in_the_order_of_the_file() {
    let resolved = resolve(&with(AXES), &[]).unwrap();
    let expected = ["respact-plain-small", "respact-deep-small", "react-plain-small", "react-deep-small"];
    assert_eq!(names(&resolved), expected);
    let steps: Vec<u32> = resolved.plan.cells.iter().map(|cell| cell.limits.steps).collect();
    assert_eq!(steps, [20, 20, 50, 50]);
    let record: toml::Table = resolved.plan.record.parse().unwrap();
    let cells = record["cells"].as_array().unwrap();
    let written: Vec<_> = cells.iter().map(|cell| cell["name"].as_str()).collect();
    assert_eq!(written, expected.map(Some));
    let rate = &cells[1]["users"][0]["parameters"]["wrong_rate"];
    assert_eq!(rate.as_float(), Some(0.5));
}

#[test]
fn what_another_implementation_would_take_is_left_out_with_a_note() {
    let resolved = resolve(&with(AXES), &[]).unwrap();
    let notes = &resolved.notes;
    let about = |part: &str| notes.iter().filter(|note| note.contains(part)).count();
    // Both cells of `deep` have rules, which do not know it: it is said once.
    assert_eq!(about("run.toml:16: `roles.executor.depth`"), 1, "{notes:#?}");
    assert_eq!(about("`react` has no user"), 2, "{notes:#?}");
    let slip = with("[matrix.a]\nb = { roles.executor.dpeth = true }\n");
    let found = problems(resolve(&slip, &[]));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("run.toml:11: `roles.executor.dpeth` is unknown"), "{found:?}");
}

#[test]
fn settings_change_points_and_single_cells() {
    let sets = [
        "cells.react-deep-small.limits.steps=3",
        "matrix.method.react.limits.steps=9",
        "matrix.method.respact.limits.steps=8",
        "matrix.data.large={environment.size=7}",
    ];
    let resolved = resolve(&with(AXES), &sets).unwrap();
    let steps: Vec<(&str, u32)> =
        resolved.plan.cells.iter().map(|cell| (cell.name.as_str(), cell.limits.steps)).collect();
    let expected = [
        ("respact-plain-small", 8),
        ("respact-plain-large", 8),
        ("respact-deep-small", 8),
        ("respact-deep-large", 8),
        ("react-plain-small", 9),
        ("react-plain-large", 9),
        ("react-deep-small", 3),
        ("react-deep-large", 9),
    ];
    assert_eq!(steps, expected);
    let lost = problems(resolve(&with(AXES), &["cells.reakt.limits.steps=3"]));
    assert!(lost[0].contains("`reakt` is no item of the list"), "{lost:?}");
}

#[test]
fn written_cells_are_crossed_with_the_axes() {
    let text = with(
        "[[cells]]\nname = \"a\"\nlimits.steps = 5\nlimits.questions = 1\n[[cells]]\nname = \"b\"\n\
         [matrix.x]\nlong = { limits.steps = 70 }\nshort = {}\n",
    );
    let resolved = resolve(&text, &["cells.a.limits.questions=2"]).unwrap();
    assert_eq!(names(&resolved), ["a-long", "a-short", "b-long", "b-short"]);
    let limits = |cell: usize| {
        let limits = &resolved.plan.cells[cell].limits;
        (limits.steps, limits.questions)
    };
    assert_eq!((limits(0), limits(1)), ((70, Some(2)), (5, Some(2))));
    assert_eq!((limits(2), limits(3)), ((70, None), (50, None)));
}

#[test]
fn axes_of_a_file_that_is_extended_come_first_and_files_may_be_laid_over() {
    let run = "extends = \"base.toml\"\n[matrix.seats]\nrules = {}\n[matrix.method]\nmore = {}\n";
    let files = [
        ("base.toml", &*with(AXES)),
        ("run.toml", run),
        ("over.toml", "limits.attempts = 7\n[matrix.method.respact]\nlimits.steps = 6\n"),
    ];
    let folder = folder(&files);
    let mut request = request(folder.path(), &[]);
    request.with = vec!["over.toml".into()];
    let resolved = load(&request, registry()).unwrap();
    let names = names(&resolved);
    assert_eq!(names.len(), 6);
    assert_eq!(names[0], "respact-plain-small-rules");
    assert_eq!(names[5], "more-deep-small-rules");
    let first = &resolved.plan.cells[0].limits;
    assert_eq!((first.steps, first.attempts), (6, 7));
    assert_eq!(resolved.record.invocation.with, ["over.toml"]);
    let configs = resolved.record.files.iter().filter(|file| file.kind == "config");
    assert_eq!(configs.count(), 3);
}

#[test]
fn cells_may_have_different_numbers_of_tasks() {
    let text = with("[matrix.data]\nsmall = { environment.size = 2 }\nlarge = { environment.size = 6 }\n");
    let resolved = resolve(&text, &["tasks.offset=1", "tasks.limit=3", "repeats=2"]).unwrap();
    let plan = &resolved.plan;
    assert_eq!((plan.tasks.clone(), plan.episodes()), (vec![1, 2, 3], 8));
    let [small, large] = &plan.cells[..] else {
        panic!("two cells");
    };
    let of = |cell| plan.tasks_of(cell).collect::<Vec<_>>();
    assert_eq!((of(small), of(large)), (vec![1], vec![1, 2, 3]));
    assert_eq!(plan.index_of(small, 0), Some(1));
    assert_eq!((plan.index_of(small, 1), plan.index_of(large, 3)), (None, None));
    let openings = [(0, vec![0]), (0, vec![1]), (1, vec![1]), (2, vec![1])];
    assert_eq!(plan.openings(), openings);
    let counts: Vec<Option<usize>> = resolved.record.cells.iter().map(|cell| cell.tasks).collect();
    assert_eq!((counts, resolved.record.episodes), (vec![Some(1), Some(3)], Some(8)));
    let equal = resolve(&text, &["tasks.limit=2"]).unwrap();
    assert!(equal.record.cells.iter().all(|cell| cell.tasks.is_none()));
}

#[test]
fn what_is_wrong_with_axes_is_said() {
    let cases = [
        ("[matrix]\n", "run.toml:10: `matrix` is empty; it must hold at least one axis"),
        ("[matrix.a]\n", "run.toml:10: `matrix.a` is empty; it must hold at least one point"),
        ("[matrix]\na = 3\n", "run.toml:11: `matrix.a` is the whole number `3`; it must be a table"),
        ("[matrix.a]\nb = 3\n", "run.toml:11: `matrix.a.b` is the whole number `3`; it must be a table"),
        (
            "[matrix.a]\nb.limit.steps = 3\n",
            "run.toml:11: `matrix.a.b.limit` is unknown (did you mean `limits`?); allowed: \
             `environment`",
        ),
        (
            "[matrix.a]\nB = {}\n",
            "run.toml:11: `matrix` makes a cell whose name cannot be one: `B` is not a valid name",
        ),
        (
            "[matrix.a]\nx = {}\nx-y = {}\n[matrix.b]\ny-z = {}\nz = {}\n",
            "run.toml:11: `matrix` makes several cells of one name: `x-y-z`;",
        ),
    ];
    for (text, expected) in cases {
        let found = problems(resolve(&with(text), &[]));
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        let (place, message) = expected.split_once(": ").unwrap();
        assert!(found[0].contains(message), "{}\n{expected}", found[0]);
        let file = place.split(':').next().unwrap();
        assert!(found[0].starts_with(file), "{}\n{expected}", found[0]);
    }
    let axis = |name: &str| {
        let points: String = (0..22).map(|point| format!("p{point} = {{}}\n")).collect();
        format!("[matrix.{name}]\n{points}")
    };
    let many = with(&[axis("a"), axis("b"), axis("c")].concat());
    let found = problems(resolve(&many, &[]));
    assert!(found[0].contains("`matrix` makes more than 10000 cells"), "{found:?}");
}

#[test]
fn a_slip_in_a_point_is_told_once_for_all_its_cells() {
    let text = with("[matrix.a]\nx = { limits.steps = 0 }\n[matrix.b]\ny = {}\nz = {}\n");
    let found = problems(resolve(&text, &[]));
    assert_eq!(
        found,
        ["run.toml:11: `limits.steps` is the whole number `0`; it must be a whole number from 1 \
             to 1000000"]
    );
}

#[test]
fn cells_that_differ_in_their_names_alone_are_noted() {
    let notes = |text: &str, sets: &[&str]| resolve(&with(text), sets).unwrap().notes;
    let twice = "[matrix.effort]\nshort = { limits.steps = 20 }\nbrief = { limits.steps = 20 }\n";
    let found = notes(twice, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(["run.toml:11: ", "`brief`", "`short`"].iter().all(|part| found[0].contains(part)), "{found:?}");
    let apart = ["cells.brief.limits.steps=21"];
    assert_eq!(notes(twice, &apart), Vec::<String>::new());
    assert_eq!(notes(&twice.replacen("20", "21", 1), &[]), Vec::<String>::new());
    let written: String = ('a'..='f').map(|name| format!("[[cells]]\nname = \"{name}\"\n")).collect();
    let found = notes(&written, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("`b` as `a`, `c` as `a`, `d` as `a`, 2 more"), "{found:?}");
}
