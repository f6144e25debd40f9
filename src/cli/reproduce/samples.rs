//! Figures of a table that are not in the results: of all responses together, of the strategies that were
//! planned, and what people thought of responses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use crate::bert_score::BertScore;
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::labels::What;
use rolecall_core::evaluation::{Corpus, EpisodeResult, Overlap, wilson};
use rolecall_core::log::RunLog;
use rolecall_core::ports::Response;
use rolecall_core::reports::OurFigure;
use rolecall_core::text::overlap::References;
use rolecall_core::text::{joined, unique};
use rolecall_run::config::{Figure, PaperTable, TableColumn};
use rolecall_run::rating::{store, what};
use rolecall_run::registry::Registry;

/// Any combination of more than one strategy.
const SEVERAL: &str = "several";
/// Any combination that no other column names.
const REST: &str = "rest";

/// Responses and ratings of a run, which are not in its results.
#[derive(Debug, Default)]
pub(super) struct Samples {
    responses: BTreeMap<EpisodeId, Response>,
    /// The points that people gave, by what was rated.
    ratings: BTreeMap<String, BTreeMap<EpisodeId, Vec<f64>>>,
    raters: BTreeSet<String>,
    /// BERTScore's F1, and how it was computed or why it was not.
    bert_scores: BTreeMap<EpisodeId, f64>,
    about_bert_scores: Option<String>,
}

/// Whether a column needs the responses themselves.
fn reads_responses(column: &TableColumn) -> bool {
    match column.figure {
        Figure::Corpus | Figure::Combination => true,
        Figure::Rating | Figure::Published | Figure::BertScore => false,
        _ => Overlap::named(&column.metric).is_some(),
    }
}

/// Refuses columns that ask for what there is not.
///
/// # Errors
/// When a column wants a metric of all responses together that has no such value, or a rating of something
/// that is no scale.
pub(super) fn check(table: &PaperTable, registry: &Registry) -> anyhow::Result<()> {
    for column in &table.columns {
        let (name, metric) = (&column.name, &column.metric);
        let pooled = Overlap::named(metric).is_some_and(|overlap| overlap.pools());
        if column.figure == Figure::Corpus && !pooled {
            let known = Overlap::ALL.into_iter().filter(|overlap| overlap.pools());
            bail!(
                "`[table]` column `{name}`: `{metric}` has no value of all responses together; these have \
                 one: {}",
                joined(known.map(Overlap::name))
            );
        }
        if let Some(rating) = &column.rating {
            scale(rating, registry).with_context(|| format!("`[table]` column `{name}`: `rating`"))?;
        }
    }
    Ok(())
}

/// The scale of a name, with its lowest point.
fn scale(name: &str, registry: &Registry) -> anyhow::Result<(What, f64)> {
    let what = what(name, registry).map_err(|problem| anyhow!("{problem}"))?;
    let Some((low, _)) = what.points() else {
        bail!("`{name}` is no scale");
    };
    Ok((what, f64::from(low)))
}

impl Samples {
    /// Reads what the table asks for of a run; nothing if the results are enough. Columns of BERTScore need a
    /// model.
    pub(super) fn read(
        run: &RunLog,
        table: &PaperTable,
        model: Option<BertScore>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let mut found = Self::default();
        if table.columns.iter().any(|column| column.figure == Figure::BertScore) {
            found.compare(run, model)?;
        } else if model.is_some() {
            bail!("`--embeddings` fills columns with `figure = \"bert_score\"`, and the table has none");
        }
        if table.columns.iter().any(reads_responses) {
            for episode in run.episodes()? {
                let episode = episode?;
                if let Some(response) = registry.response(&episode.log()) {
                    found.responses.insert(episode.id, response);
                }
            }
        }
        for column in &table.columns {
            if let Some(rating) = &column.rating {
                found.rate(run.folder(), rating, registry)?;
            }
        }
        Ok(found)
    }

    /// Has a model compare all responses with their references.
    fn compare(&mut self, run: &RunLog, model: Option<BertScore>) -> anyhow::Result<()> {
        let Some(mut model) = model else {
            self.about_bert_scores = Some(
                "BERTScore is shown as published: give a model that makes vectors of tokens (--embeddings)".to_owned(),
            );
            return Ok(());
        };
        for episode in run.episodes()? {
            model.add("", &episode?.log());
        }
        let scores = model.finish()?;
        let title = scores.title();
        let each = scores.bert_scores();
        self.about_bert_scores = Some(match &each {
            Some(_) => title,
            None => "BERTScore is shown as published: the server gives vectors of whole texts".to_owned(),
        });
        self.bert_scores = each.into_iter().flatten().collect();
        Ok(())
    }

    fn rate(&mut self, folder: &Path, rating: &str, registry: &Registry) -> anyhow::Result<()> {
        let (what, low) = scale(rating, registry)?;
        let mut points: BTreeMap<EpisodeId, Vec<f64>> = BTreeMap::new();
        for rater in store::raters(folder, &what)? {
            for (line, place) in store::read(folder, &what, &rater)? {
                points.entry(line.episode).or_default().push(low + place as f64);
            }
            self.raters.insert(rater);
        }
        self.ratings.insert(rating.to_owned(), points);
        Ok(())
    }

    fn of<'a>(&'a self, episodes: &'a [&EpisodeResult]) -> impl Iterator<Item = &'a Response> + 'a {
        episodes.iter().filter_map(|result| self.responses.get(&result.episode))
    }

    /// A metric of all responses together, as a share times the scale; none of several languages.
    pub(super) fn corpus(&self, episodes: &[&EpisodeResult], column: &TableColumn) -> Option<OurFigure> {
        let mut responses = self.of(episodes).peekable();
        let mut corpus = Corpus::new(&responses.peek()?.language);
        for response in responses {
            if response.language != corpus.language() {
                return None;
            }
            corpus.add(response);
        }
        let value = corpus.pooled(Overlap::named(&column.metric)?)?;
        without_interval(value * column.scale.unwrap_or(1.0), corpus.responses(), 2)
    }

    /// The response of an episode, if its task asks for one.
    pub(super) fn response(&self, result: &EpisodeResult) -> Option<&Response> {
        self.responses.get(&result.episode)
    }

    /// Whether a response was planned with the combination of a column, among those that columns name; none if
    /// nobody was to plan.
    pub(super) fn planned(&self, result: &EpisodeResult, column: &TableColumn, named: &[&str]) -> Option<bool> {
        let planned = self.response(result)?.planned.as_ref()?;
        Some(fits(planned, column.combination.as_deref()?, named))
    }

    /// The share of responses with a combination of strategies, in percent. Of annotated references, each
    /// counts as one.
    pub(super) fn combination(
        &self,
        episodes: &[&EpisodeResult],
        column: &TableColumn,
        named: &[&str],
        annotated: bool,
    ) -> Option<OurFigure> {
        let wanted = column.combination.as_deref()?;
        let all = self.of(episodes);
        let sequences: Vec<&Vec<String>> = if annotated {
            all.flat_map(|response| &response.annotated).filter(|labels| !labels.is_empty()).collect()
        } else {
            all.filter_map(|response| response.planned.as_ref()).collect()
        };
        let fitting = sequences.iter().filter(|one| fits(one, wanted, named));
        let rate = wilson(fitting.count(), sequences.len());
        let interval = rate.interval().map(|(low, high)| (100.0 * low, 100.0 * high));
        Some(OurFigure { interval, ..without_interval(100.0 * rate.value()?, rate.n(), 1)? })
    }

    /// The points that people gave to the response of an episode.
    pub(super) fn points(&self, result: &EpisodeResult, column: &TableColumn) -> impl Iterator<Item = f64> {
        let rating = column.rating.as_ref();
        rating.and_then(|rating| self.ratings.get(rating)?.get(&result.episode)).into_iter().flatten().copied()
    }

    /// The mean of the points that people gave to the responses of these episodes.
    pub(super) fn rating(&self, episodes: &[&EpisodeResult], column: &TableColumn) -> Option<OurFigure> {
        let points: Vec<f64> = episodes.iter().flat_map(|result| self.points(result, column)).collect();
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        without_interval(mean * column.scale.unwrap_or(1.0), points.len(), 2)
    }

    /// BERTScore's F1 of the response of an episode, if a model gave vectors.
    pub(super) fn bert_score(&self, result: &EpisodeResult) -> Option<f64> {
        self.bert_scores.get(&result.episode).copied()
    }

    /// The computation of figures of responses, a sentence for each column that has any, and who rated.
    pub(super) fn notes(&self, table: &PaperTable, played: &[&EpisodeResult]) -> Vec<String> {
        let mut notes = Vec::new();
        for column in &table.columns {
            let Some(overlap) = Overlap::named(&column.metric).filter(|_| reads_responses(column)) else {
                continue;
            };
            let mut found: BTreeMap<&str, References> = BTreeMap::new();
            for result in played {
                if column.kind.as_ref().is_none_or(|kind| *kind == result.kind)
                    && let Some(response) = self.responses.get(&result.episode)
                {
                    let references = found.entry(&response.language).or_default();
                    *references = references.and(References::Same(response.references.len()));
                }
            }
            for (language, references) in found {
                let (signature, what) = match column.figure {
                    Figure::Corpus => (overlap.pooled_signature(language, references), "all responses together"),
                    _ => (overlap.signature(language, references), "the mean over responses"),
                };
                notes.push(format!("{}: {signature}, {what}", column.name));
            }
        }
        notes.extend(self.about_bert_scores.clone());
        if !self.raters.is_empty() {
            notes.push(format!("rated by {}", joined(&self.raters)));
        }
        notes
    }
}

/// Whether strategies are the combination that a column wants, where columns name these.
fn fits(sequence: &[String], wanted: &str, named: &[&str]) -> bool {
    let combination = || Response::collapsed(sequence).join(" ");
    match wanted {
        SEVERAL => unique(sequence).len() > 1,
        REST => {
            let combination = combination();
            !named.iter().any(|one| ![SEVERAL, REST].contains(one) && *one == combination)
        }
        _ => combination() == wanted,
    }
}

/// A figure without an interval; none that is no number.
pub(super) fn without_interval(value: f64, n: usize, decimals: usize) -> Option<OurFigure> {
    value.is_finite().then(|| OurFigure {
        text: format!("{value:.decimals$}"),
        value,
        n,
        decimals,
        ..OurFigure::default()
    })
}
