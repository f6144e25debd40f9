//! The examples that stand below the help of each subcommand.

/// Below `run`.
pub(crate) const RUN: &str = "\
Examples:
  rolecall run configs/quickstart.toml
      Play the built-in games and print a table.
  rolecall run configs/household/respact.toml --set user.kind=unhelpful --limit 5
      Swap the user, and play the first five games only.
  rolecall run my.toml --model executor=llama-cpp
      Give a role another model of the config (docs/models.md).
  rolecall run configs/household/react.toml --seed 2 --name second --json
      Play with another seed, and print the results for a program.";

/// Below `resume`.
pub(crate) const RESUME: &str = "\
Examples:
  rolecall resume quickstart
      Go on with the run in logs/quickstart, after Ctrl-C, a crash or a full disk.
  rolecall resume quickstart --concurrency 8
      The same, with fewer episodes at once.
  rolecall resume my-run --accept-changes
      Go on although a prompt was changed meanwhile.";

/// Below `check`.
pub(crate) const CHECK: &str = "\
Examples:
  rolecall check configs/household/respact.toml
      Print who sits where and who sees what.
  rolecall check configs/household/respact.toml --set limits.steps=20
      Check a change before playing with it.";

/// Below `list`.
pub(crate) const LIST: &str = "\
Examples:
  rolecall list roles
      What can sit in a role's seat, with every parameter and its default.
  rolecall list configs
      The configs in this folder, with the first line of each.";

/// Below `show`.
pub(crate) const SHOW: &str = "\
Examples:
  rolecall show
      List the runs below logs, newest first.
  rolecall show quickstart --failed --sort steps
      List the episodes of a run that were not solved, the longest first.
  rolecall show quickstart respact-helpful:3:0
      Read one episode.
  rolecall show quickstart --failed --kind speak --kind replied
      Read what was said in every episode that was not solved.
  rolecall show quickstart --follow
      See episodes close while the run goes on; with an episode, see it happen.
  rolecall show quickstart --json --broken
      Give the results of broken episodes to another program.

On a terminal, what is longer than the screen goes through $ROLECALL_PAGER, $PAGER or less.";

/// Below `report`.
pub(crate) const REPORT: &str = "\
Examples:
  rolecall report quickstart
      Print the tables of a run once more.
  rolecall report quickstart --markdown
      The same as a page for a repository or a wiki.";

/// Below `reproduce`.
pub(crate) const REPRODUCE: &str = "\
Examples:
  rolecall reproduce
      List the tables.
  rolecall reproduce respact-table1
      Play the rule-based casts of a table, and print their figures beside the published ones.
  rolecall reproduce respact-table6 --limit 10 --markdown
      The same with ten games a cell, as a page for a repository or a wiki.
  rolecall reproduce table6 --with models.toml --set roles.executor.implementation=model --model executor=large
      Have a language model play.
  rolecall reproduce --run respact-table1
      Go on with the run if it was interrupted, and print its table once more.

Exit codes: 0 done, whatever the figures say; 1 done, but some episodes broke or did not end; 2 could
not start.";

/// Below `branch`.
pub(crate) const BRANCH: &str = "\
Examples:
  rolecall branch quickstart --episodes all --at first-question --set user.kind=unhelpful
      See what would have become of every episode, had the user been unhelpful from there on.
  rolecall branch quickstart respact-helpful:3:0 --at turn:5 --set limits.steps=20
      Let an episode go on from its fifth move under another limit.
  rolecall branch quickstart --episodes failed --at last --model executor=large --name second-try
      Give the last turn of what failed to another model.";

/// Below `replay`.
pub(crate) const REPLAY: &str = "\
Examples:
  rolecall replay quickstart
      Play every episode of a run again, and see that all come out as the log has them.
  rolecall replay quickstart respact-helpful:3:0 --log
      Play one of them again, with what roles and users did taken from the log.
  rolecall replay quickstart --failed --json
      Play those again that were not solved, and print what was found for a program.

No model is called and nobody is asked. Exit code 1 if an episode comes out otherwise.";

/// Below `compare`.
pub(crate) const COMPARE: &str = "\
Examples:
  rolecall compare quickstart
      Compare each cell of a run with its first one.
  rolecall compare quickstart:react quickstart:respact-helpful
      Compare two cells, and name the tasks that only one of them solved.
  rolecall compare before after --difference 10
      Compare two runs cell by cell, and say how many episodes a difference of 10 points needs.
  rolecall compare before after --by-task --json
      Compare runs of different seeds, and print the figures for a program.

Exit codes: 0 done; 1 done, but some episodes of these cells broke or did not end; 2 nothing could
be compared.";

/// Below `analyse`.
pub(crate) const ANALYSE: &str = "\
Examples:
  rolecall analyse quickstart
      Print what the agents of each cell do and say, and what their questions save.
  rolecall analyse first:react second:respact --html figures.html
      Put two cells of two runs side by side, as charts.
  rolecall analyse asking --against silent --only saved,questions
      Say how many steps a question saves against the same games played without asking.
  rolecall analyse quickstart --labels judge-large --json
      Take the categories and acts that a judge gave, and print all for a program.
  rolecall analyse dialogue-tpe --embeddings bert --with my.toml
      Compare responses with references by the vectors of a model as well: BERTScore where its server gives one
      of each token.

Exit codes: 0 done; 1 done, but some episodes broke or did not end and are in no figure; 2 nothing \
could be read. docs/analyses.md says what the figures mean.";

/// Below `rate`.
pub(crate) const RATE: &str = "\
Examples:
  rolecall rate export quickstart --what categories --sample 100 --raters 3 --out sheets
      Draw 100 utterances for three raters, who learn nothing of cells, strategies and users.
  rolecall rate import quickstart --rater anna sheets/rater-1.csv
      Keep the labels of a sheet that was filled in.
  rolecall rate judge quickstart --what categories --model large --config my.toml
      Have a model label what was said.
  rolecall rate agreement quickstart --what categories
      See how far raters, judges and rules agree.";

/// Below `rate export`.
pub(crate) const RATE_EXPORT: &str = "\
Examples:
  rolecall rate export quickstart --what acts --sample 200 --overlap 0.25 --raters 4 --out sheets
      A quarter of the utterances goes to all four raters, the others to one each.
  rolecall rate export quickstart --what scale:1-5:politeness --items dialogues --out sheets
      Have whole dialogues rated on a scale.
  rolecall rate export tpe-table9 --what scale:1-5:quality --items responses --raters 3 --out sheets
      Have the responses to dialogue tasks rated, blind to the method (TPE Table 9).";

/// Below `rate import`.
pub(crate) const RATE_IMPORT: &str = "\
Examples:
  rolecall rate import quickstart --rater anna sheets/rater-1.csv
      Check a sheet and keep its labels; with a problem nothing is kept.
  rolecall rate import quickstart --rater anna again.csv --replace
      Let a rater change what was given before.

Sheets may be saved with commas, semicolons or tabs, with a mark of the byte order, in UTF-8 or UTF-16.";

/// Below `rate judge`.
pub(crate) const RATE_JUDGE: &str = "\
Examples:
  rolecall rate judge quickstart --what categories --model large --config my.toml
      Label everything that was said; give the command again to go on after Ctrl-C.
  rolecall rate judge quickstart --what acts --model large --config my.toml --sample 100 --seed 1
      Label the items that `rate export` draws with the same sample and seed.

Exit codes: 0 everything has a label; 1 some have none (answers that could not be read, Ctrl-C, a \
model that went away); 2 it could not start.";

/// Below `rate agreement`.
pub(crate) const RATE_AGREEMENT: &str = "\
Examples:
  rolecall rate agreement quickstart --what categories
      Compare all raters, judges and the rules.
  rolecall rate agreement quickstart --what categories --rater anna --rater judge-large --json
      Compare two of them, and print the figures for a program.";

/// Below `conformance`.
pub(crate) const CONFORMANCE: &str = "\
Examples:
  rolecall conformance household --oracle recordings --data games
      Replay the recordings and print every step that shows something else.";

/// Below `logs`.
pub(crate) const LOGS: &str = "\
Examples:
  rolecall logs canonical quickstart
      Print the events in an order that does not depend on threads.
  rolecall logs verify quickstart
      Find out whether anything in the log is damaged or was changed.
  rolecall logs compact quickstart
      Have a run that is over take a small part of its space.

docs/logs.md says what is in the folder of a run, and what survives what.";

/// Below `logs canonical`.
pub(crate) const CANONICAL: &str = "\
Examples:
  rolecall logs canonical first > first.jsonl
      Write the events of a run, to be compared with those of another one.";

/// Below `logs verify`.
pub(crate) const VERIFY: &str = "\
Examples:
  rolecall logs verify quickstart
      Print what was checked, and everything that is wrong, with file and line.

Every line of events must be an event; those of an episode must be numbered without gaps, and be \
those that were there when it closed; every result must be the one that its events give. Frames of \
compressed files are checked against their checksums. Exit code 1 if something is wrong.";

/// Below `logs compact`.
pub(crate) const COMPACT: &str = "\
Examples:
  rolecall logs compact quickstart
      Compress the events that the run left uncompressed, and print what that saved.

Whatever a killed process left half done is put right first. All commands read compressed runs as \
they read others; `zstd -dc logs/quickstart/events-*.zst` prints the events as they were written.";

/// Below `logs index`.
pub(crate) const INDEX: &str = "\
Examples:
  rolecall logs index quickstart
      Read all events once, and write down where those of each episode are.

This is never needed: an index that does not fit the events is not used, and is written again when \
a run ends.";

/// Below `completions`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  rolecall completions bash > ~/.local/share/bash-completion/completions/rolecall
  rolecall completions zsh > \"${fpath[1]}/_rolecall\"
  rolecall completions fish > ~/.config/fish/completions/rolecall.fish";

/// Below `man`.
pub(crate) const MAN: &str = "\
Examples:
  rolecall man --out ~/.local/share/man/man1
      Write a page for rolecall and one for each subcommand: man rolecall-run.
  rolecall man | man -l -
      Read the page of rolecall itself.";

/// Below `models`.
pub(crate) const MODELS: &str = "\
Examples:
  rolecall models list --config my.toml
      See which models a config describes, where they are and what they cost.
  rolecall models probe tiny --config my.toml
      Find out whether what the config declares about a model is true.";

/// Below `models list`.
pub(crate) const MODELS_LIST: &str = "\
Examples:
  rolecall models list --config my.toml
      See which models a config describes, where they are and what they cost.";

/// Below `models probe`.
pub(crate) const MODELS_PROBE: &str = "\
Examples:
  rolecall models probe tiny --config my.toml
      Ask the server some thirty short questions, and print what to declare.
  rolecall models probe tiny --config my.toml --set models.tiny.base_url=http://localhost:8081 --json
      Probe another server, and print what was found for a program.

Exit code 1 if something that is declared was found to be untrue.";

/// Below `new`.
pub(crate) const NEW: &str = "\
Examples:
  rolecall new role my-role --dry-run
      See which files a role of your own would take.
  rolecall new strategy my-strategy
      Write its first version, with a test and a config, into the checkout here.";

/// Below `data`.
pub(crate) const DATA: &str = "\
Examples:
  rolecall data generate household --split unseen --out games
      Write household games that nobody has seen.
  rolecall data statistics household --data games
      Print how large and how hard they are.";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::{Command, CommandFactory, Parser};

    use crate::cli::arguments::Arguments;

    /// The command and everything below it, with the words that lead there.
    fn all(command: &Command, words: &str, found: &mut Vec<(String, String)>) {
        let help = command.get_after_help().map(ToString::to_string);
        found.push((words.to_owned(), help.unwrap_or_default()));
        for below in command.get_subcommands() {
            all(below, &format!("{words} {}", below.get_name()), found);
        }
    }

    #[test]
    fn every_subcommand_has_examples_that_can_be_given() {
        let mut found = Vec::new();
        all(&Arguments::command(), "rolecall", &mut found);
        assert!(found.len() > 8);
        for (words, help) in found {
            let examples = help.split("Examples:\n").nth(1);
            let examples = examples.unwrap_or_else(|| panic!("`{words}` has no examples"));
            let given: Vec<&str> = examples
                .lines()
                .filter_map(|line| line.strip_prefix("  rolecall"))
                .collect();
            assert!(!given.is_empty(), "`{words}` has no examples");
            for example in given {
                let bare = example.split(['>', '|']).next().unwrap();
                let line = format!("rolecall{bare}");
                assert!(line.starts_with(&words), "`{line}` below `{words}`");
                let parsed = Arguments::try_parse_from(line.split_whitespace());
                assert!(parsed.is_ok(), "`{line}`: {}", parsed.unwrap_err());
                for word in line.split(' ').filter(|word| word.starts_with("configs/")) {
                    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(word);
                    assert!(file.exists(), "`{word}` in `{line}`");
                }
            }
        }
    }
}
