//! Logs of `rolecall export --format inspect`, read by Inspect's own package and shown by its viewer.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::report_browser::browser;
use crate::support::clients::{printed, python, script};
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, folder};

/// A run of roles by rules, with repeats, and one of an executor and a user that ask a model.
fn play(folder: &Path) -> [PathBuf; 2] {
    let run = ["run", "configs/quickstart.toml", "--name", "rules", "-q", "--no-report"];
    ends(folder, &[&run[..], &["--limit", "5", "--set", "repeats=2"]].concat(), 0);
    let server = FakeModel::start(Duration::ZERO, |asked| {
        if asked.body.to_string().contains("Agent Query:") {
            return Does::Says("Look on the shelf.");
        }
        match blake3::hash(asked.key.as_bytes()).as_bytes()[0] % 6 {
            0 => Does::Says("Act: inventory"),
            1 => Does::Says("Think: Where was it?"),
            2 => Does::Says("Speak: Where is it?"),
            3 => Does::Says("{\"nothing\": 1}"),
            _ => Does::Says("Act: look"),
        }
    });
    let config = format!(
        "extends = \"configs/household/respact.toml\"\nagents = \"agents\"\nname = \"models\"\n\
         [models.fake]\nprovider = \"openai\"\nmodel = \"any/model\"\nbase_url = \"{}\"\n\
         [models.fake.prices]\ninput = 1.0\noutput = 2.0\n\
         [roles.executor]\nimplementation = \"model\"\npersona = \"respact/executor\"\nmodel = \"fake\"\n\
         [user]\nkind = \"model\"\npersona = \"users/helpful\"\nmodel = \"fake\"\n[limits]\nsteps = 12\n",
        server.url()
    );
    fs::write(folder.join("own.toml"), config).unwrap();
    let run = ["run", "own.toml", "-q", "--no-report", "--limit", "6"];
    let output = crate::support::binary::rolecall(folder, &run).output().unwrap();
    assert!(output.status.code() < Some(2), "{output:?}");
    ["rules", "models"].map(|name| folder.join("logs").join(name))
}

#[test]
fn inspect_reads_the_same_figures_and_turns() {
    let Some(python) = python() else { return };
    let folder = folder();
    let runs = play(folder.path());
    for (place, run) in runs.iter().enumerate() {
        for (form, more) in [("eval", &[][..]), ("json", &["--json"])] {
            let out = format!("{form}{place}");
            let export = ["export", run.to_str().unwrap(), "--format", "inspect", "--out", &out];
            ends(folder.path(), &[&export[..], more].concat(), 0);
            let out = folder.path().join(out);
            let output = script(&python, "inspect_read.py").arg(run).arg(out).output();
            println!("{}", printed(&output.unwrap()));
        }
    }
}

#[test]
fn inspect_view_shows_samples_turn_by_turn() {
    let (Some(python), Some(browser)) = (python(), browser()) else {
        return;
    };
    let folder = folder();
    let [run, _] = play(folder.path());
    let export = ["export", run.to_str().unwrap(), "--format", "inspect", "--out", "seen"];
    ends(folder.path(), &export, 0);
    let mut command = script(&python, "inspect_view.py");
    command.arg(folder.path().join("seen")).arg(browser);
    command.args(std::env::var_os("ROLECALL_SHOTS"));
    println!("{}", printed(&command.output().unwrap()));
}
