//! `/rate`: people label items of a run, each rater by a ticket of its own. Nothing here names cell or run; what is
//! given is kept at once, so that a page can be left and taken up again.

mod form;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};

use self::form::Sheet;
use super::page::{self, Page, Problem};
use crate::serve::{Grant, ListenError, Tickets};
use rolecall_run::rating::{Answers, Given, RaterList, Rating, RatingError};

/// Where raters begin.
pub(super) const RATE: &str = "/rate";

/// The field of a form that names its item.
const ITEM: &str = "item";

/// A rating and who of it holds which ticket.
pub(super) struct RatingDesk {
    rating: Rating,
    /// The places of raters by the numbers of their tickets.
    tickets: BTreeMap<usize, usize>,
}

impl RatingDesk {
    /// Makes a ticket for each rater, and gives the texts of the tickets in the order of raters.
    pub(super) fn new(rating: Rating, tickets: &Tickets) -> Result<(Self, Vec<String>), ListenError> {
        let (mut numbers, mut texts) = (BTreeMap::new(), Vec::new());
        for place in 0..rating.raters().len() {
            let (number, text) = tickets.issue()?;
            numbers.insert(number, place);
            texts.push(text);
        }
        Ok((Self { rating, tickets: numbers }, texts))
    }

    /// The rater who holds the ticket.
    fn rater(&self, grant: Grant) -> Result<&RaterList, Problem> {
        let place = match grant {
            Grant::Ticket(number) => self.tickets.get(&number),
            Grant::Owner | Grant::Stranger => None,
        };
        place.and_then(|place| self.rating.raters().get(*place)).ok_or_else(|| {
            Problem::new(StatusCode::FORBIDDEN, "This page is for raters: each has a link of their own.")
        })
    }

    /// The item of a number from 1, and its name.
    fn sheet<'a>(&'a self, rater: &'a RaterList, number: usize) -> Result<Sheet<'a>, Problem> {
        let place = number.checked_sub(1);
        let id = place.and_then(|place| rater.ids.get(place));
        let (id, asked) = id
            .and_then(|id| Some((id, self.rating.asked(rater, id)?)))
            .ok_or_else(|| Problem::missing("There is no such item."))?;
        Ok(Sheet { number, of: rater.ids.len(), id, parts: self.rating.parts(&asked.item), asked })
    }

    /// The numbers of the items that a rater has not answered.
    fn open(&self, rater: &RaterList, given: &Given) -> Vec<usize> {
        (1..).zip(&rater.ids).filter(|(_, id)| !self.rating.is_done(given, id)).map(|(number, _)| number).collect()
    }
}

type Desk = State<Arc<RatingDesk>>;

pub(super) fn routes(desk: Arc<RatingDesk>) -> Router {
    Router::new()
        .route(RATE, get(begin))
        .route("/rate/end", get(end))
        .route("/rate/{number}", get(page).post(give))
        .with_state(desk)
}

fn address(number: usize) -> String {
    format!("{RATE}/{number}")
}

/// Leads a rater to the first item without an answer; whoever serves sees how far everybody is.
async fn begin(State(desk): Desk, Extension(grant): Extension<Grant>) -> Result<Response, Problem> {
    blocking(move || {
        if grant == Grant::Owner {
            let mut rows = Vec::new();
            for rater in desk.rating.raters() {
                let given = desk.rating.given(rater)?;
                rows.push((&*rater.name, rater.ids.len() - desk.open(rater, &given).len(), rater.ids.len()));
            }
            return Ok(form::overview(&rows).into_response());
        }
        let rater = desk.rater(grant)?;
        let next = desk
            .open(rater, &desk.rating.given(rater)?)
            .first()
            .copied()
            .map_or_else(|| "/rate/end".to_owned(), address);
        Ok(Redirect::to(&next).into_response())
    })
    .await
}

/// The page of an item.
async fn page(
    State(desk): Desk,
    Extension(grant): Extension<Grant>,
    Path(number): Path<usize>,
) -> Result<Page, Problem> {
    blocking(move || {
        let rater = desk.rater(grant)?;
        let sheet = desk.sheet(rater, number)?;
        let given = desk.rating.given(rater)?;
        Ok(form::page(desk.rating.question(), &sheet, given.get(sheet.id), sheet.of - desk.open(rater, &given).len()))
    })
    .await
}

/// Keeps an answer and leads to the next item.
async fn give(
    State(desk): Desk,
    Extension(grant): Extension<Grant>,
    Path(number): Path<usize>,
    Form(mut answers): Form<Answers>,
) -> Result<Redirect, Problem> {
    blocking(move || {
        let rater = desk.rater(grant)?;
        let sheet = desk.sheet(rater, number)?;
        if answers.remove(ITEM).as_deref() != Some(sheet.id) {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "This form is of another item: go back and load the page again.",
            ));
        }
        desk.rating.give(rater, sheet.id, &answers)?;
        let next = if number < sheet.of { address(number + 1) } else { "/rate/end".to_owned() };
        Ok(Redirect::to(&next))
    })
    .await
}

/// The last page: items without an answer, or thanks.
async fn end(State(desk): Desk, Extension(grant): Extension<Grant>) -> Result<Page, Problem> {
    blocking(move || {
        let rater = desk.rater(grant)?;
        Ok(form::end(&desk.open(rater, &desk.rating.given(rater)?), rater.ids.len()))
    })
    .await
}

/// Does what reads and writes files, away from those who wait for other pages.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Result<T, Problem> {
    page::blocking(work).await.map_err(Problem::alone)
}

impl From<RatingError> for Problem {
    fn from(error: RatingError) -> Self {
        match error {
            RatingError::Unusable(problem) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, problem),
            // Raters are not told where the run is.
            error => {
                tracing::error!(%error, "a label cannot be read or kept");
                Self::failed("Your labels cannot be read or kept: tell whoever gave you the link.")
            }
        }
    }
}
