//! The cheapest trip that breaks no rule: ways, rooms and meals, each bounded by the best that is known.

use super::facts::{Restaurant, Ride, Room, Sights, Trip};

/// The meals of a day.
pub(super) const MEALS: usize = 3;

/// The cheapest ways of all legs, none where there is no way. No trip mixes one's own car with other ways, and a trip
/// that lacks fewer ways goes before a cheaper one.
pub(super) fn ways(rides: &[Vec<Ride>]) -> Vec<Option<&Ride>> {
    let chain = |drives: bool| -> Vec<Option<&Ride>> {
        rides.iter().map(|all| all.iter().filter(|ride| ride.drives == drives).min_by_key(|ride| ride.price)).collect()
    };
    let rank = |chain: &Vec<Option<&Ride>>| {
        let lacks = chain.iter().filter(|ride| ride.is_none()).count();
        let prices = chain.iter().flatten().map(|ride| ride.price);
        (lacks, prices.fold(0, i64::saturating_add))
    };
    let (drives, others) = (chain(true), chain(false));
    if rank(&drives) < rank(&others) { drives } else { others }
}

/// The cheapest room that is let for so few nights; else the cheapest.
pub(super) fn room(sights: &Sights, nights: f64) -> Option<&Room> {
    sights.rooms.iter().find(|room| room.nights <= nights).or(sights.rooms.first())
}

/// The restaurants of each stay, by their places in its list: three for each full day, and more where cuisines need
/// them.
pub(super) struct Meals {
    /// The restaurants.
    pub chosen: Vec<Vec<usize>>,
    /// Whether every cuisine is among them and nobody eats twice at one restaurant.
    pub complete: bool,
    /// Whether the search came to its end.
    pub proven: bool,
}

/// The cheapest restaurants that have all cuisines, found by branch and bound over so many nodes at most.
pub(super) fn meals(trip: &Trip, sights: &[Sights], wanted: usize, nodes: u64) -> Meals {
    let mut search = Search {
        stays: sights.iter().map(|sights| sights.restaurants.as_slice()).collect(),
        needed: trip.stays.iter().map(|stay| stay.full_days() * MEALS).collect(),
        options: Vec::new(),
        wanted: (0..wanted.min(32)).fold(0, |bits, place| bits | 1 << place),
        nodes,
        best: None,
    };
    search.options = search.options();
    let mut chosen = vec![Vec::new(); sights.len()];
    search.descend(&mut chosen, 0);
    let (found, proven) = (search.best.take(), search.nodes > 0);
    let enough = search.needed.iter().zip(&search.stays).all(|(needed, all)| *needed <= all.len());
    let complete = enough && found.is_some();
    let chosen = found.map_or_else(|| search.filled(&vec![Vec::new(); sights.len()]), |(_, chosen)| chosen);
    Meals { chosen, complete, proven }
}

/// A restaurant of a stay.
type Meal = (usize, usize);

struct Search<'a> {
    stays: Vec<&'a [Restaurant]>,
    /// Meals of full days, for each stay.
    needed: Vec<usize>,
    /// Restaurants that can be chosen for a cuisine, the cheapest first.
    options: Vec<Meal>,
    wanted: u32,
    nodes: u64,
    best: Option<(i64, Vec<Vec<usize>>)>,
}

impl Search<'_> {
    /// The restaurants worth choosing: of those of a stay with the same cuisines, as many as there are cuisines.
    fn options(&self) -> Vec<Meal> {
        let mut options: Vec<Meal> = Vec::new();
        for (stay, all) in self.stays.iter().enumerate() {
            let mut kept: Vec<u32> = Vec::new();
            for (place, restaurant) in all.iter().enumerate().filter(|(_, restaurant)| restaurant.cuisines != 0) {
                let alike = kept.iter().filter(|cuisines| **cuisines == restaurant.cuisines).count();
                if alike < self.wanted.count_ones() as usize {
                    kept.push(restaurant.cuisines);
                    options.push((stay, place));
                }
            }
        }
        options.sort_by_key(|(stay, place)| self.stays[*stay][*place].price);
        options
    }

    /// Chooses a restaurant for the first cuisine that none of the chosen ones has. More restaurants never cost less:
    /// what is chosen, filled up with the cheapest, is the bound.
    fn descend(&mut self, chosen: &mut Vec<Vec<usize>>, covered: u32) {
        let Some(left) = self.nodes.checked_sub(1) else {
            return;
        };
        self.nodes = left;
        let filled = self.filled(chosen);
        let price = self.price(&filled);
        if self.best.as_ref().is_some_and(|(best, _)| *best <= price) {
            return;
        }
        let open = self.wanted & !covered;
        if open == 0 {
            self.best = Some((price, filled));
            return;
        }
        let first = open & open.wrapping_neg();
        for option in 0..self.options.len() {
            let (stay, place) = self.options[option];
            let cuisines = self.stays[stay][place].cuisines;
            // Breakfast, lunch and dinner of the day of arrival are free.
            if cuisines & first == 0 || chosen[stay].len() >= self.needed[stay] + MEALS {
                continue;
            }
            chosen[stay].push(place);
            self.descend(chosen, covered | cuisines);
            chosen[stay].pop();
        }
    }

    /// Fills the choice up with the cheapest others, as far as meals are needed.
    fn filled(&self, chosen: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let fill = |((places, all), needed): ((&Vec<usize>, &&[Restaurant]), &usize)| {
            let others = (0..all.len()).filter(|place| !places.contains(place));
            let more = needed.saturating_sub(places.len());
            places.iter().copied().chain(others.take(more)).collect()
        };
        chosen.iter().zip(&self.stays).zip(&self.needed).map(fill).collect()
    }

    fn price(&self, chosen: &[Vec<usize>]) -> i64 {
        let prices =
            chosen.iter().zip(&self.stays).flat_map(|(places, all)| places.iter().map(|place| all[*place].price));
        prices.fold(0, i64::saturating_add)
    }
}
