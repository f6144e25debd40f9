//! `rolecall analyse`: what agents do and say, over one or several runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use rustc_hash::FxHashMap;

use super::bert_score::{BertScore, BertScoreArguments, BertScores};
use super::output::instead;
use super::progress::watched;
use super::report::user_card;
use super::{output, runs};
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_core::evaluation::analyses::{Collector, Game, Games, Given, RowName, Tagger};
use rolecall_core::evaluation::labels::What;
use rolecall_core::evaluation::variance::Levels;
use rolecall_core::log::{LogError, RecordedEpisode, RunLog};
use rolecall_core::reports::analyses::{self, Analyses, AnalysisPart};
use rolecall_core::reports::{Casts, html};
use rolecall_core::text::{joined, unique, visible};
use rolecall_run::rating::store;
use rolecall_run::registry::Registry;

/// The arguments of `analyse`.
#[derive(Args, Debug)]
pub(crate) struct AnalyseArguments {
    /// The runs, each a folder or a name below `logs`, or RUN:CELL for one cell of it
    #[arg(value_name = "RUN[:CELL]", required = true)]
    runs: Vec<String>,
    /// Base for the steps that questions save: the same games played without asking; default: the first cell of
    /// each run that plays them and asks nothing
    #[arg(long, value_name = "RUN[:CELL]")]
    against: Option<String>,
    /// Take the categories, acts and answers to questions of worlds that this rater or judge gave, instead of
    /// those by rules
    #[arg(long, value_name = "NAME")]
    labels: Option<String>,
    /// Show this part only; may be given several times
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<String>,
    /// Print everything as one JSON object
    #[arg(long, conflicts_with_all = ["markdown", "html"])]
    json: bool,
    /// Print the tables as Markdown
    #[arg(long, conflicts_with = "html")]
    markdown: bool,
    /// Write one offline page with charts to a file (- for standard output)
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    bert_score: BertScoreArguments,
}

/// The parts with these names; without names, all.
fn parts(only: &[String], registry: &Registry) -> anyhow::Result<Vec<AnalysisPart>> {
    let mut parts = registry.parts();
    let named = |name: &String| parts.iter().any(|part| part.name() == name);
    if let Some(unknown) = only.iter().find(|name| !named(name)) {
        let names = joined(parts.iter().map(|part| part.name()));
        bail!("`--only {}`: it is none of {names}", visible(unknown));
    }
    parts.retain(|part| only.is_empty() || only.iter().any(|name| name == part.name()));
    Ok(parts)
}

/// A run of which some episodes are read.
struct Chosen {
    name: String,
    /// The one cell of it that is meant; none: all.
    cell: Option<CellName>,
    run: RunLog,
    episodes: Vec<EpisodeId>,
}

/// Reads, and prints what was found.
pub(crate) fn execute(arguments: &AnalyseArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let parts = parts(&arguments.only, registry)?;
    let mut collector = Collector::of(&parts, &registry.measured());
    let mut bert_score = BertScore::new(&arguments.bert_score, registry)?;
    let mut names = Vec::new();
    let mut found = (false, false);
    let mut seeds = Vec::new();
    let mut taken = Vec::new();
    let mut casts = FxHashMap::default();
    for text in &arguments.runs {
        let chosen = chosen(text)?;
        is_new(&mut taken, text, &chosen)?;
        let tagger = tagger(&chosen.run, arguments.labels.as_deref(), registry)?;
        found.0 |= tagger.categories.is_some();
        found.1 |= tagger.acts.is_some();
        collect(&chosen, &tagger, &mut collector, &mut bert_score, registry)?;
        casts.insert(chosen.name.clone(), Casts::of(&chosen.run));
        names.push(chosen.name);
        seeds.push((text, chosen.run.record().seed));
    }
    let mut base = None;
    if let Some(text) = &arguments.against {
        let chosen = chosen(text)?;
        let base_seed = chosen.run.record().seed;
        if let Some((other, _)) = seeds.iter().find(|(_, seed)| *seed != base_seed) {
            bail!(
                "`{}` and `{}` were not played with the same seed: what questions save is told by the \
                 same games; play one again with the seed of the other (run --seed)",
                visible(other),
                visible(text)
            );
        }
        base = Some((text.as_str(), games(&chosen)?));
    }
    let variance = collector.reader().wants(&[AnalysisPart::Variance]).then(|| {
        collector.variance(|name: &RowName| match casts.get(&name.run) {
            Some(casts) => casts.levels(&name.cell, name.user.as_deref()),
            None => Levels::default(),
        })
    });
    let rater = |found: bool| arguments.labels.clone().filter(|_| found);
    let analyses = Analyses {
        runs: unique(names),
        parts,
        own: registry.analyses.clone(),
        rows: collector.finish(base.as_ref().map(|(name, games)| (*name, games))),
        variance,
        raters: (rater(found.0), rater(found.1)),
    };
    show(&analyses, bert_score, arguments)?;
    output::exit_code(analyses.rows.iter().any(|row| row.counted < row.episodes))
}

/// Adds the episodes, which are read on all cores.
fn collect(
    chosen: &Chosen,
    tagger: &Tagger,
    collector: &mut Collector,
    bert_score: &mut Option<BertScore>,
    registry: &Registry,
) -> Result<(), LogError> {
    let reader = collector.reader();
    let has_cards = reader.wants(&[AnalysisPart::Simulator]);
    let read = |_: &_, episode: Result<RecordedEpisode, LogError>| {
        let episode = episode?;
        let read = reader.read(&episode.log(), tagger);
        let card = has_cards.then(|| user_card(&episode, registry));
        Ok((episode, read.with_card(card)))
    };
    chosen.run.over_episodes(&chosen.episodes, read, |read: Result<_, LogError>| {
        let (episode, read) = read?;
        let log = episode.log();
        collector.add_read(&chosen.name, &log, read, tagger);
        if let Some(bert_score) = bert_score {
            bert_score.add(&chosen.name, &log);
        }
        Ok(())
    })
}

fn show(analyses: &Analyses, bert_score: Option<BertScore>, arguments: &AnalyseArguments) -> anyhow::Result<()> {
    let similarity = bert_score.map(BertScore::finish).transpose()?;
    let table = similarity.as_ref().map(BertScores::table);
    if let Some(file) = &arguments.html {
        let page = html::analyses_page(analyses);
        if file == Path::new("-") {
            return output::emit(&page);
        }
        return fs::write(file, page).with_context(|| format!("the page `{}` cannot be written", file.display()));
    }
    let text = if arguments.json {
        let mut object = analyses::object(analyses);
        if let Some(similarity) = similarity {
            object["embeddings"] = similarity.object();
        }
        output::json_line(object)
    } else if arguments.markdown {
        let mut text = analyses::markdown(analyses);
        if let Some(table) = table {
            text += &format!("\n## {}\n\n{}", table.title(), table.markdown());
        }
        text
    } else {
        let layout = output::layout();
        let mut text = analyses::text(analyses, &layout);
        if let Some(table) = table {
            text += &format!("\n{}", table.text(&layout));
        }
        text
    };
    output::emit(&text)
}

/// A run, or one cell of it, with the name that was given for it.
type Taken<'a> = (PathBuf, Option<CellName>, &'a str);

/// Notes what was chosen; fails if some of it was chosen before.
fn is_new<'a>(taken: &mut Vec<Taken<'a>>, text: &'a str, chosen: &Chosen) -> anyhow::Result<()> {
    // `x` and `./logs/x` are one folder.
    let folder = chosen.run.folder().canonicalize()?;
    let twice = taken.iter().find(|(other, cell, _)| {
        let apart = cell.as_ref().zip(chosen.cell.as_ref());
        *other == folder && apart.is_none_or(|(one, other)| one == other)
    });
    if let Some((_, _, other)) = twice {
        bail!(
            "`{}` and `{}` hold the same episodes, which would count twice; name them once",
            visible(other),
            visible(text)
        );
    }
    taken.push((folder, chosen.cell.clone(), text));
    Ok(())
}

/// Opens a run and finds the episodes that are meant.
fn chosen(text: &str) -> anyhow::Result<Chosen> {
    let (folder, cell) = runs::with_cell(text)?;
    let run = watched(runs::open(&folder)?);
    let wanted = cell.map(|name| runs::cell(text, name, &run.record().cells)).transpose()?.cloned();
    let episodes: Vec<EpisodeId> =
        run.ids().filter(|id| wanted.as_ref().is_none_or(|cell| *cell == id.cell)).cloned().collect();
    if episodes.is_empty() {
        bail!("`{}` holds no episode", visible(text));
    }
    let name = cell.map_or(text, |cell| text.strip_suffix(cell).unwrap_or(text));
    Ok(Chosen { name: name.trim_end_matches([':', '/']).to_owned(), cell: wanted, run, episodes })
}

/// The labels of utterances: the rater's, for what it labelled in this run, else those by rules.
fn tagger(run: &RunLog, rater: Option<&str>, registry: &Registry) -> anyhow::Result<Tagger> {
    let Some(rater) = rater else {
        return Ok(Tagger::default());
    };
    let given = |what: What| -> anyhow::Result<Option<Given>> {
        let given: Given = store::read(run.folder(), &what, rater)?
            .into_iter()
            .map(|(line, place)| ((line.episode, line.seq), place))
            .collect();
        Ok((!given.is_empty()).then_some(given))
    };
    let mut tagger = Tagger { categories: given(What::Categories)?, acts: given(What::Acts)?, ..Tagger::default() };
    for question in registry.questions.iter().copied() {
        for field in (What::Question { question }).parts() {
            let name = field.to_string();
            if field.is_text() {
                let texts: FxHashMap<_, _> = store::read(run.folder(), &field, rater)?
                    .into_iter()
                    .map(|(line, _)| ((line.episode, line.seq), line.label))
                    .collect();
                tagger.texts.extend((!texts.is_empty()).then_some((name, texts)));
                continue;
            }
            tagger.answers.extend(given(field)?.map(|given| (name, given)));
        }
    }
    if tagger.categories.is_none() && tagger.acts.is_none() && tagger.answers.is_empty() && tagger.texts.is_empty() {
        let known = store::all_raters(run.folder())?;
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let (folder, shown) = (run.folder().display(), visible(rater));
        if known.contains(&rater) {
            bail!("rater `{shown}` has labelled nothing in `{folder}`: no answer could be read");
        }
        bail!("`{folder}` holds no labels of a rater `{shown}`{}", instead(rater, &known));
    }
    Ok(tagger)
}

/// The chosen episodes, as far as others are compared with them.
fn games(chosen: &Chosen) -> anyhow::Result<Games> {
    let mut games = Games::default();
    let game = |_: &_, episode: Result<RecordedEpisode, LogError>| Ok(Game::of(&episode?.log()));
    chosen.run.over_episodes(&chosen.episodes, game, |game: Result<_, LogError>| {
        games.push(game?);
        Ok::<_, LogError>(())
    })?;
    Ok(games)
}
