//! Runs or cells against each other: `rolecall compare`.

use super::comparison_warnings::{ChosenByOutcome, warnings};
use super::comparisons::{Form, disagree, disagreements, means, means_heads, metric_name, p_value, success_of};
use super::decisions;
use super::figures::{headline, or_none, percent, range};
use super::spreads::short;
use super::{Layout, Paint, Table};
use crate::evaluation::{
    Comparison, CorpusDifference, EpisodeResult, Equivalence, Estimate, Flip, MeanDifference, Power, SUCCESS,
};
use crate::text::{counted, joined, visible};

/// Tasks of one direction that a text names at most, unless all are asked for.
const NAMED: usize = 10;

/// Comparisons with a base: the first run or cell that was named.
#[derive(Clone, Debug)]
pub struct ComparisonReport<'a> {
    /// The base, in words.
    pub base: String,
    /// The group of tasks whose values are compared for themselves, if that was asked for.
    pub by: Option<String>,
    /// Whether it was asked for if the runs may stop.
    pub sequential: bool,
    /// The difference of success, as a share, that does not matter any more, if one was named.
    pub margin: Option<f64>,
    /// The comparisons.
    pub rows: Vec<ComparisonRow<'a>>,
}

/// One comparison with everything that is said of it.
#[derive(Clone, Debug)]
pub struct ComparisonRow<'a> {
    /// The other side, as short as is clear.
    pub name: String,
    /// The value of the group of which the tasks are.
    pub value: Option<String>,
    /// The figures; the base is the first.
    pub comparison: Comparison,
    /// The p value, adjusted for the number of comparisons.
    pub adjusted: f64,
    /// Adjusted p values of [`shown_means`](Self::shown_means), if they are of the family of tests.
    pub adjusted_means: Vec<f64>,
    /// Adjusted p values of the figures of all responses together that have one.
    pub adjusted_corpus: Vec<f64>,
    /// The number of pairs that a difference needs.
    pub power: Power,
    /// The tasks that the base solved more often.
    pub lost: Vec<Flip<'a>>,
    /// The tasks that the other solved more often.
    pub gained: Vec<Flip<'a>>,
    /// Episodes of the base and of the other that do not count.
    pub apart: (usize, usize),
    /// Numbers of episodes of the base and of the other that ended at the window of a model or a filter, with the
    /// headline metric of the others.
    pub withheld: [(usize, Estimate); 2],
    /// The figures of all responses together, on tasks that ask for responses.
    pub corpus: Vec<CorpusDifference>,
    /// The metrics by which these tasks are judged where success says little ([`Summary::measures`]).
    ///
    /// [`Summary::measures`]: crate::evaluation::Summary::measures
    pub measures: Vec<String>,
    /// Responses are of several languages, so that there are none of these.
    pub several_languages: bool,
    /// Sides whose episodes were chosen by how they came out in some run.
    pub chosen: Vec<ChosenByOutcome>,
}

impl ComparisonRow<'_> {
    /// The metric that says most of these tasks.
    pub fn headline(&self) -> &str {
        self.measures.first().map_or(SUCCESS, String::as_str)
    }

    /// The differences of means in which anything was measured, the measures of the tasks first.
    pub fn shown_means(&self) -> Vec<&MeanDifference> {
        let is_nothing = |found: &MeanDifference| {
            [found.first, found.second] == [0.0, 0.0] && found.difference.interval() == Some((0.0, 0.0))
        };
        let place =
            |found: &&MeanDifference| self.measures.iter().position(|name| *name == found.metric).unwrap_or(usize::MAX);
        let mut shown: Vec<&MeanDifference> = self.comparison.means.iter().filter(|found| !is_nothing(found)).collect();
        shown.sort_by_key(place);
        shown
    }
}

/// The comparisons as text. Without `all`, long lists of tasks are cut.
pub fn text(report: &ComparisonReport<'_>, all: bool, layout: &Layout) -> String {
    let rows = &report.rows;
    let named = solving(rows).map(|row| (row.name.as_str(), &row.comparison));
    let named: Vec<(&str, &Comparison)> = named.collect();
    let adjusted: Vec<f64> = solving(rows).map(|row| row.adjusted).collect();
    let success = Table::new("Difference of success (percentage points)").key("");
    let success = success_of(success, ["only it", "only base"], &named, &adjusted);
    let mut text = format!("Compared with {}\n", visible(&report.base));
    for warning in rows.iter().flat_map(|row| warnings(&row.name, &row.comparison, &row.chosen)) {
        text.push_str(&layout.style.line(Paint::Bad, &visible(&warning)));
    }
    let mut add = |table: Table, layout: &Layout| {
        if !table.is_empty() {
            text.push_str(&format!("\n{}", table.text(layout)));
        }
    };
    add(success, layout);
    if report.sequential {
        add(decisions::sequential(&named, report.margin), layout);
    }
    let equivalent = report.margin.map(|margin| equivalence(rows, margin));
    add(decisions::equivalence(&equivalent.unwrap_or_default()), layout);
    add(differences(rows), layout);
    add(corpora(rows), layout);
    // A task's name may be longer than a line, and people search for it.
    let unbroken = layout.unbroken();
    for row in solving(rows) {
        add(flipped(&row.name, row, &row.gained, all), &unbroken);
        let base = match solving(rows).count() {
            1 => "the base".to_owned(),
            _ => format!("the base and not {}", row.name),
        };
        add(flipped(&base, row, &row.lost, all), &unbroken);
    }
    add(power(rows), layout);
    text.push('\n');
    for remark in remarks(report, all) {
        text.push_str(&layout.style.line(Paint::Dim, &remark));
    }
    text
}

/// The comparisons of tasks of which success says enough.
fn solving<'r, 'a>(rows: &'r [ComparisonRow<'a>]) -> impl Iterator<Item = &'r ComparisonRow<'a>> {
    rows.iter().filter(|row| row.measures.is_empty())
}

/// Whether each is within the margin.
fn equivalence<'r>(rows: &'r [ComparisonRow<'_>], margin: f64) -> Vec<(&'r str, Equivalence)> {
    let of = |row: &'r ComparisonRow<'_>| Some((&*row.name, row.comparison.equivalence(margin)?));
    solving(rows).filter_map(of).collect()
}

/// The head of the column of p values that are adjusted, if means and corpora are of the family.
fn adjusted_head(rows: &[ComparisonRow<'_>]) -> Option<&'static str> {
    let has = |row: &ComparisonRow<'_>| !row.adjusted_means.is_empty() || !row.adjusted_corpus.is_empty();
    rows.iter().any(has).then_some("adjusted p")
}

/// The differences of all metrics in which anything was measured.
fn differences(rows: &[ComparisonRow<'_>]) -> Table {
    let mut table = Table::new("Differences of means")
        .keys_of(["", "metric"])
        .numbers(means_heads("its", "base"))
        .numbers(adjusted_head(rows));
    for row in rows {
        for (place, found) in row.shown_means().into_iter().enumerate() {
            let mut texts = vec![row.name.clone(), metric_name(found)];
            texts.extend(means(found));
            texts.extend(row.adjusted_means.get(place).map(|p| p_value(*p)));
            table.row(texts);
        }
    }
    table
}

/// The differences of all responses together.
fn corpora(rows: &[ComparisonRow<'_>]) -> Table {
    let mut table = Table::new("Differences of all responses together (x 100)")
        .keys_of(["", "figure"])
        .numbers(means_heads("its", "base"))
        .numbers(adjusted_head(rows));
    for row in rows {
        let mut adjusted = row.adjusted_corpus.iter();
        for found in &row.corpus {
            let form = Form::scaled(100.0, found.interval.map(|(low, high)| high - low));
            let ends = found.interval.map(|ends| range(ends, |end| form.signed(end)));
            let mut texts = vec![
                row.name.clone(),
                found.overlap.label().to_owned(),
                found.pairs.to_string(),
                form.unsigned(found.second),
                form.unsigned(found.first),
                form.signed(found.difference()),
                or_none(ends),
                or_none(found.p.map(p_value)),
            ];
            if !row.adjusted_corpus.is_empty() {
                let adjusted = found.p.and_then(|_| adjusted.next());
                texts.push(or_none(adjusted.map(|p| p_value(*p))));
            }
            table.row(texts);
        }
    }
    table
}

/// The tasks that one side solved more often than the other.
fn flipped(winner: &str, row: &ComparisonRow<'_>, flips: &[Flip<'_>], all: bool) -> Table {
    let repeated = row.comparison.is_repeated();
    let how = if repeated { "more often" } else { "only" };
    let tasks = counted(flips.len() as u64, "task", "tasks");
    let mut table =
        Table::new(&format!("Solved {how} by {winner}: {tasks}")).key(&row.name).texts(["base", "type", "task"]);
    let shown = if all { flips.len() } else { NAMED };
    for flip in flips.iter().take(shown) {
        let came_to = |result: &EpisodeResult, solved: usize| match flip.pairs {
            1 => format!("{} ({})", result.ending_label(), result.episode),
            pairs => format!("{solved} of {pairs} ({})", result.episode),
        };
        table.row(vec![
            came_to(flip.example.1, flip.second),
            came_to(flip.example.0, flip.first),
            flip.kind.to_owned(),
            flip.task.to_owned(),
        ]);
    }
    table
}

/// The differences that the numbers of pairs can show.
fn power(rows: &[ComparisonRow<'_>]) -> Table {
    let repeated = solving(rows).any(|row| row.comparison.is_repeated());
    let asked = rows.first().map_or(0.0, |row| row.power.difference);
    let title = "What the pairs can tell (McNemar, level 5 %, power 80 %)";
    let needed = format!("pairs for {} points", short(asked * 100.0));
    let mut table = Table::new(title)
        .key("")
        .numbers(["pairs", "differ %"])
        .numbers(repeated.then_some("design effect"))
        .numbers(["could find (points)", &needed, "to be safe"]);
    for row in solving(rows) {
        let (solved, power) = (&row.comparison.solved, &row.power);
        let differ = (solved.first + solved.second) as f64 / solved.pairs() as f64;
        let pairs = solved.pairs().to_string();
        let mut texts = vec![row.name.clone(), pairs, percent(differ)];
        texts.extend(repeated.then(|| format!("{:.2}", power.design_effect)));
        texts.push(or_none(power.detectable.map(percent)));
        texts.push(power.needed.to_string());
        texts.push(power.needed_at_limit.to_string());
        table.row(texts);
    }
    table
}

/// The explanations of the tables.
fn remarks(report: &ComparisonReport<'_>, all: bool) -> Vec<String> {
    let rows = &report.rows;
    let mut remarks: Vec<String> = rows.iter().flat_map(|row| left_out(row).into_iter().chain(withheld(row))).collect();
    for row in rows {
        let named = [(row.name.as_str(), &row.comparison)];
        remarks.extend(disagreements(&named, row.measures.is_empty()));
    }
    remarks.extend(rows.iter().flat_map(corpus_remarks));
    let family: usize = rows.iter().map(family_size).sum();
    if adjusted_head(rows).is_some() {
        remarks.push(format!(
            "adjusted p: Holm's, for all {family} tests that are shown; intervals and other p are of one test each"
        ));
    } else if rows.len() > 1 {
        let count = rows.len();
        remarks.push(format!(
            "adjusted p: Holm's, for {count} comparisons; intervals and other p are of one comparison each"
        ));
    }
    if rows.iter().any(|row| row.comparison.is_repeated()) {
        remarks.push(
            "tasks were played several times and are the sample, not episodes; p by task turns the \
             signs of whole tasks"
                .to_owned(),
        );
    }
    let longest = rows.iter().map(|row| row.gained.len().max(row.lost.len()));
    if !all && longest.max().unwrap_or(0) > NAMED {
        remarks.push(format!("lists of tasks end after {NAMED} (--all)"));
    }
    if solving(rows).next().is_none() {
        return remarks;
    }
    if report.sequential {
        let named: Vec<_> = solving(rows).map(|row| (&*row.name, &row.comparison)).collect();
        remarks.extend(decisions::about_sequential(&named, report.margin));
    }
    remarks.extend(report.margin.map(|_| decisions::ABOUT_EQUIVALENCE.to_owned()));
    remarks.push(
        "could find: the least difference of success that so many pairs find; a pair is one \
         episode of each (Connor 1987); to be safe: at the 80 % upper limit of the share that differs, which \
         few pairs do not tell well (Browne 1995)"
            .to_owned(),
    );
    remarks
}

/// The tests of a comparison whose p values are shown.
fn family_size(row: &ComparisonRow<'_>) -> usize {
    usize::from(row.measures.is_empty()) + row.adjusted_means.len() + row.adjusted_corpus.len()
}

/// Remarks about the figures of all responses together.
fn corpus_remarks(row: &ComparisonRow<'_>) -> Vec<String> {
    let name = &row.name;
    let mut remarks = Vec::new();
    if row.several_languages {
        remarks
            .push(format!("{name}: responses are of several languages, which have no figure all together (--by kind)"));
    }
    let apart = row.corpus.iter().filter(|difference| difference.p.is_some_and(|p| disagree(difference.interval, p)));
    let apart = joined(apart.map(|difference| difference.overlap.label()));
    if !apart.is_empty() {
        remarks.push(format!(
            "{name}, {apart} of all responses together: interval and p disagree about 0, as they may near 5 \
             %: the interval is widened for few tasks, p is not; take it for no clear difference"
        ));
    }
    remarks
}

/// The headline of each side without its episodes that ended at the window of a model or a filter.
fn withheld(row: &ComparisonRow<'_>) -> impl Iterator<Item = String> {
    let found = ["the base", row.name.as_str()].into_iter().zip(&row.withheld).filter(|(_, (count, _))| *count > 0);
    found.map(|(side, (count, answered))| {
        let episodes = counted(*count as u64, "episode", "episodes");
        let figure = headline(row.headline(), answered);
        format!("{}: of {side}, without {episodes} that ended at the window or a filter: {figure}", row.name)
    })
}

/// The episodes that are in no pair, with the reason.
fn left_out(row: &ComparisonRow<'_>) -> Vec<String> {
    let name = &row.name;
    let reason = |count: usize, why: &str| {
        let episodes = counted(count as u64, "episode", "episodes");
        (count > 0).then(|| format!("{episodes} {why}"))
    };
    let side = |side: &str, alone, apart| {
        let alone = reason(alone, "without a partner that counts");
        let apart = reason(apart, "broken or not ended");
        let reasons = joined([alone, apart].into_iter().flatten());
        (!reasons.is_empty()).then(|| format!("{name}: not compared, of {side}: {reasons}"))
    };
    let (alone, apart) = (row.comparison.alone, row.apart);
    let other = side(name, alone.1, apart.1);
    let base = side("the base", alone.0, apart.0);
    other.into_iter().chain(base).collect()
}
