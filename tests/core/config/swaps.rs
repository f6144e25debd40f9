//! `--model ROLE=NAME`: another model for a seat.

use super::models::{MODEL, resolve};
use super::support::{GOOD, problems};

#[test]
fn a_model_is_swapped_on_the_command_line_in_every_cell() {
    let text = format!(
        "{MODEL}[models.large]\nprovider = \"echo\"\nbase_url = \"http://x\"\nmodel = \"large\"\n\
         [[cells]]\nname = \"a\"\n[[cells]]\nname = \"b\"\nroles.executor.model = \"small\"\n\
         [[cells]]\nname = \"c\"\nuser = {{ kind = \"model\", model = \"small\" }}\n"
    );
    let models = |swaps: &[&str]| -> Vec<Vec<String>> {
        let record = resolve(&text, &[], swaps).unwrap().record;
        record.cells.iter().map(|cell| cell.models().cloned().collect()).collect()
    };
    assert_eq!(models(&[]), [vec!["small"], vec!["small"], vec!["small", "small"]]);
    assert_eq!(models(&["executor=large"]), [vec!["large"], vec!["large"], vec!["large", "small"]]);
    let sets = ["user.kind=model", "user.model=small"];
    let record = resolve(MODEL, &sets, &["user=small", "executor = small"]).unwrap().record;
    assert_eq!(record.cells[0].models().count(), 2);
}

#[test]
fn a_swap_that_cannot_be_done_says_why() {
    for (swap, expected) in [
        ("executor", "`--model`: `executor` is no ROLE=NAME; write for instance `executor=llama-cpp`"),
        ("=x", "`--model`: `=x` is no ROLE=NAME; write for instance `executor=llama-cpp`"),
        (
            "executer=small",
            "`--model`: `executer` is no seat of any cell (did you mean `executor`?); allowed: `executor`, `user`",
        ),
        (
            "executor=smal",
            "`--model`: `roles.executor.model` is `smal`, which is no model of this config (did you mean `small`?); allowed: `small`",
        ),
        ("user=small", "`--model`: gives a model to `helpful`, which takes none; add `--set user.kind=model`"),
    ] {
        assert_eq!(problems(resolve(MODEL, &[], &[swap])), [expected], "{swap}");
    }
    let twice = problems(resolve(MODEL, &[], &["executor=small", "executor=small"]));
    assert_eq!(twice, ["`--model`: names `executor` twice"]);
    let text = format!("{GOOD}[models.small]\nprovider = \"echo\"\nbase_url = \"http://x\"\nmodel = \"m\"\n");
    assert_eq!(
        problems(resolve(&text, &[], &["executor=small"])),
        ["`--model`: gives a model to `rules`, which takes none; add `--set roles.executor.implementation=model`"]
    );
}
