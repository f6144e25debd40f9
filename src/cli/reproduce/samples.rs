//! Figures of a table that are not in the results: of all responses together, of the strategies that were
//! planned, and what people thought of responses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, bail};

use crate::cli::rate::store;
use crate::config::{Figure, PaperTable, TableColumn};
use crate::domain::EpisodeId;
use crate::evaluation::labels::What;
use crate::evaluation::{Corpus, EpisodeResult, Overlap, wilson};
use crate::log::RunLog;
use crate::ports::Response;
use crate::registry::Registry;
use crate::reports::OurFigure;
use crate::text::overlap::References;
use crate::text::{joined, unique};

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
}

/// Whether a column needs the responses themselves.
fn reads_responses(column: &TableColumn) -> bool {
    match column.figure {
        Figure::Corpus | Figure::Combination => true,
        Figure::Rating | Figure::Published => false,
        _ => Overlap::named(&column.metric).is_some(),
    }
}

/// Refuses columns that ask for what there is not.
///
/// # Errors
/// When a column wants a metric of all responses together that has no such value, or a rating of something
/// that is no scale.
pub(super) fn check(table: &PaperTable) -> anyhow::Result<()> {
    for column in &table.columns {
        let (name, metric) = (&column.name, &column.metric);
        let pooled = Overlap::named(metric).is_some_and(|own| own.pools());
        if column.figure == Figure::Corpus && !pooled {
            let known = Overlap::ALL.into_iter().filter(|own| own.pools());
            bail!(
                "`[table]` column `{name}`: `{metric}` has no value of all responses together; these have \
                 one: {}",
                joined(known.map(Overlap::name))
            );
        }
        if let Some(rating) = &column.rating {
            scale(rating).with_context(|| format!("`[table]` column `{name}`: `rating`"))?;
        }
    }
    Ok(())
}

/// The scale of a name, with its lowest point.
fn scale(name: &str) -> anyhow::Result<(What, f64)> {
    let what: What = name.parse()?;
    match what {
        What::Scale { low, .. } => Ok((what, f64::from(low))),
        What::Categories | What::Acts | What::Question { .. } | What::Field { .. } => {
            bail!("`{name}` is no scale")
        }
    }
}

impl Samples {
    /// Reads what the table asks for of a run; nothing if the results are enough.
    pub(super) fn read(run: &RunLog, table: &PaperTable) -> anyhow::Result<Self> {
        let mut found = Self::default();
        if table.columns.iter().any(reads_responses) {
            let registry = Registry::standard();
            for episode in run.episodes()? {
                let episode = episode?;
                if let Some(response) = registry.response(&episode.log()) {
                    found.responses.insert(episode.id, response);
                }
            }
        }
        for column in &table.columns {
            if let Some(rating) = &column.rating {
                found.rate(run.folder(), rating)?;
            }
        }
        Ok(found)
    }

    fn rate(&mut self, folder: &Path, rating: &str) -> anyhow::Result<()> {
        let (what, low) = scale(rating)?;
        let mut points: BTreeMap<EpisodeId, Vec<f64>> = BTreeMap::new();
        for rater in store::raters(folder, &what)? {
            for (line, place) in store::read(folder, &what, &rater)? {
                let own = points.entry(line.episode).or_default();
                own.push(low + place as f64);
            }
            self.raters.insert(rater);
        }
        self.ratings.insert(rating.to_owned(), points);
        Ok(())
    }

    fn of<'a>(&'a self, episodes: &'a [&EpisodeResult]) -> impl Iterator<Item = &'a Response> + 'a {
        let found = episodes.iter();
        found.filter_map(|result| self.responses.get(&result.episode))
    }

    /// A metric of all responses together, as a share times the scale; none of several languages.
    pub(super) fn corpus(
        &self,
        episodes: &[&EpisodeResult],
        column: &TableColumn,
    ) -> Option<OurFigure> {
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

    /// The share of responses with a combination of strategies, in percent. Of annotated references, each
    /// counts as one.
    pub(super) fn combination<'a>(
        &self,
        episodes: &[&EpisodeResult],
        column: &TableColumn,
        combinations: impl Iterator<Item = &'a str>,
        annotated: bool,
    ) -> Option<OurFigure> {
        let wanted = column.combination.as_deref()?;
        let named = combinations.filter(|one| ![SEVERAL, REST].contains(one));
        let named: Vec<&str> = named.collect();
        let fits = |sequence: &Vec<String>| match wanted {
            SEVERAL => unique(sequence).len() > 1,
            REST => !named.contains(&Response::collapsed(sequence).join(" ").as_str()),
            _ => Response::collapsed(sequence).join(" ") == wanted,
        };
        let all = self.of(episodes);
        let sequences: Vec<&Vec<String>> = if annotated {
            let all = all.flat_map(|response| &response.annotated);
            all.filter(|labels| !labels.is_empty()).collect()
        } else {
            all.filter_map(|response| response.planned.as_ref())
                .collect()
        };
        let fitting = sequences.iter().filter(|one| fits(one)).count();
        let rate = wilson(fitting, sequences.len());
        let figure = without_interval(100.0 * rate.value()?, rate.n(), 1)?;
        let ends = rate.interval();
        Some(OurFigure {
            interval: ends.map(|(low, high)| (100.0 * low, 100.0 * high)),
            ..figure
        })
    }

    /// The mean of the points that people gave to the responses of these episodes.
    pub(super) fn rating(
        &self,
        episodes: &[&EpisodeResult],
        column: &TableColumn,
    ) -> Option<OurFigure> {
        let points = self.ratings.get(column.rating.as_ref()?)?;
        let own = episodes.iter();
        let own = own.filter_map(|result| points.get(&result.episode));
        let own: Vec<f64> = own.flatten().copied().collect();
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        without_interval(mean * column.scale.unwrap_or(1.0), own.len(), 2)
    }

    /// The computation of figures of responses, a sentence for each column that has any, and who rated.
    pub(super) fn notes(&self, table: &PaperTable, played: &[&EpisodeResult]) -> Vec<String> {
        let mut notes = Vec::new();
        for column in &table.columns {
            let overlap = Overlap::named(&column.metric).filter(|_| reads_responses(column));
            let Some(overlap) = overlap else {
                continue;
            };
            let mut found: BTreeMap<&str, References> = BTreeMap::new();
            for result in played {
                let kind = column.kind.as_ref();
                if kind.is_none_or(|kind| *kind == result.kind)
                    && let Some(response) = self.responses.get(&result.episode)
                {
                    let references = References::Same(response.references.len());
                    let own = found.entry(&response.language).or_default();
                    *own = own.and(references);
                }
            }
            for (language, references) in found {
                notes.push(if column.figure == Figure::Corpus {
                    let signature = overlap.pooled_signature(language, references);
                    format!("{}: {signature}, all responses together", column.name)
                } else {
                    let signature = overlap.signature(language, references);
                    format!("{}: {signature}, the mean over responses", column.name)
                });
            }
        }
        if !self.raters.is_empty() {
            notes.push(format!("rated by {}", joined(&self.raters)));
        }
        notes
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
