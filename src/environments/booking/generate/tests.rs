use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::city::City;
use crate::database::{Record, text};
use crate::goal::{DomainGoal, Slots};
use crate::normalise::minutes;
use crate::score::clean_name;
use rolecall_core::text::fuzzy::partial_ratio;

fn made(count: usize, seed: u64) -> City {
    let (database, dialogues) = city(count, seed);
    City::new(database, dialogues)
}

/// The records that match a goal, compared letter by letter, without the index.
fn matching<'d>(database: &'d Database, domain: Domain, wishes: &Slots) -> Vec<&'d Record> {
    let time = |text: &str| minutes(text).unwrap();
    let is_so = |record: &&Record| {
        wishes.iter().all(|(slot, value)| {
            let (actual, value) = (text(record, slot), value.as_str().unwrap());
            match slot.as_str() {
                "leaveAt" => time(actual) >= time(value),
                "arriveBy" => time(actual) <= time(value),
                _ => actual == value,
            }
        })
    };
    database.table(domain).unwrap().records().iter().filter(is_so).collect()
}

fn check(database: &Database, domain: Domain, wanted: &DomainGoal, id: &str) {
    assert!(wanted.reqt.is_some() != wanted.book.is_some(), "{id} {domain}");
    if domain == Domain::Taxi {
        let times = ["leaveAt", "arriveBy"].map(|slot| usize::from(wanted.info.contains_key(slot)));
        assert_eq!(times.iter().sum::<usize>(), 1, "{id}");
        return;
    }
    let meant = matching(database, domain, &wanted.info);
    assert!(!meant.is_empty(), "{id} {domain} {:?}", wanted.info);
    for slot in wanted.requests() {
        assert!(!wanted.info.contains_key(slot), "{id} asks what it says");
        for record in &meant {
            assert!(!matches!(text(record, slot), "" | "?"), "{id} {domain} {slot}");
        }
    }
    let in_vain = wanted.fail_info.as_ref().unwrap();
    if !in_vain.is_empty() {
        let found = matching(database, domain, in_vain);
        assert!(found.is_empty(), "{id} {domain} {in_vain:?}");
        let same: Vec<_> = in_vain.keys().collect();
        assert_eq!(same, wanted.info.keys().collect::<Vec<_>>(), "{id}");
        let table = database.table(domain).unwrap();
        let pairs = in_vain.iter().map(|(slot, value)| (slot.as_str(), value.as_str().unwrap()));
        assert!(table.scan(pairs).0.is_empty(), "{id} {domain}: something is like it");
    }
    if let Some(book) = &wanted.book {
        let first = wanted.fail_book.as_ref().unwrap();
        assert_eq!(first.is_empty(), !book.contains_key("pre_invalid"), "{id}");
        for (slot, value) in first {
            assert_ne!(book.get(slot), Some(value), "{id} {domain}");
        }
    }
}

/// The kinds of goals that have to occur.
const EVERY: &str = "1 domains; 2 domains; 3 domains; hotel in vain; hotel not free; hotel named; hotel booked; \
    restaurant in vain; restaurant not free; restaurant named; restaurant booked; attraction in vain; attraction \
    named; train booked; train leaveAt; train arriveBy; taxi leaveAt; taxi arriveBy; taxi commute";

fn kinds(domain: Domain, wanted: &DomainGoal) -> [(&'static str, bool); 7] {
    let has = |part: &Option<Slots>| part.as_ref().is_some_and(|slots| !slots.is_empty());
    let says = |slot| wanted.info.contains_key(slot);
    [
        ("in vain", has(&wanted.fail_info)),
        ("not free", has(&wanted.fail_book)),
        ("booked", wanted.book.is_some()),
        ("named", says("name")),
        ("leaveAt", says("leaveAt")),
        ("arriveBy", says("arriveBy")),
        ("commute", domain == Domain::Taxi && !says("departure")),
    ]
}

#[test]
fn every_goal_of_any_seed_can_be_reached() {
    for seed in [SEED, 0, 1, 77] {
        let database = database(seed);
        let mut seen = BTreeSet::new();
        for (id, entry) in conversations(&database, 200, seed) {
            let dialogue = dialogue(&id, &entry, entry.get("log")).unwrap();
            for (domain, wanted) in &dialogue.goal.domains {
                check(&database, *domain, wanted, &id);
                let kinds = kinds(*domain, wanted).into_iter().filter(|(_, is)| *is);
                seen.extend(kinds.map(|(kind, _)| format!("{domain} {kind}")));
            }
            seen.insert(format!("{} domains", dialogue.goal.domains.len()));
            let said = dialogue.message.join("\n") + &dialogue.first;
            assert!(!said.contains(['<', '{']) && !said.contains("  "), "{said}");
        }
        for kind in EVERY.split("; ") {
            assert!(seen.contains(kind), "seed {seed} has no goal of the kind `{kind}`: {seen:?}");
        }
    }
}

#[test]
fn sentences_say_all_that_a_goal_wants() {
    let city = made(200, 5);
    for dialogue in &city.dialogues {
        let said = dialogue.message.join("\n");
        for (domain, wanted) in &dialogue.goal.domains {
            let parts =
                [Some(&wanted.info), wanted.fail_info.as_ref(), wanted.book.as_ref(), wanted.fail_book.as_ref()];
            for (slot, value) in parts.into_iter().flatten().flatten() {
                let Some(value) = value.as_str() else {
                    continue;
                };
                let is_said = match slot.as_str() {
                    "area" => said.contains(value) || said.contains("same area"),
                    "people" => said.contains(&format!("{value} p")) || said.contains("the same group"),
                    "internet" | "parking" => said.contains(slot),
                    _ => said.contains(value),
                };
                assert!(is_said, "{}: {domain} {slot} {value} is not in {said}", dialogue.id);
            }
        }
    }
}

#[test]
fn venues_and_trains_have_what_official_records_have() {
    for seed in [SEED, 3] {
        let database = database(seed);
        let records = |domain| database.table(domain).unwrap().records();
        let [hotels, restaurants, attractions, trains] = [Hotel, Restaurant, Attraction, Domain::Train].map(records);
        assert!(hotels.len() >= 30 && restaurants.len() >= 60 && attractions.len() >= 40);
        assert!(trains.len() >= 600, "{}", trains.len());
        assert!(restaurants.iter().any(|record| !record.contains_key("phone")));
        let ids: HashSet<&str> = trains.iter().map(|train| text(train, "trainID")).collect();
        assert!(ids.len() < trains.len() && ids.len() * 100 > trains.len() * 95);
        for table in [hotels, restaurants, attractions] {
            let names: Vec<&str> = table.iter().map(|record| text(record, "name")).collect();
            for (place, name) in names.iter().enumerate() {
                // The scorer looks names up in cleaned form.
                assert_eq!(clean_name(name), *name);
                for other in &names[..place] {
                    let alike = partial_ratio(other, name);
                    assert!(alike < 80, "seed {seed}: {name} and {other} are alike by {alike}");
                }
            }
        }
    }
    for list in ["foods", "stations"] {
        let words = TABLES.words(list);
        for (place, word) in words.iter().enumerate() {
            assert!(words[..place].iter().all(|other| partial_ratio(other, word) < 80), "{word}");
        }
    }
}

#[test]
fn fewer_conversations_are_the_first_of_more_and_a_seed_always_gives_the_same() {
    let (few, many) = (made(30, 9), made(60, 9));
    assert_eq!(few.dialogues, many.dialogues[..30]);
    assert_ne!(few.dialogues, made(30, 10).dialogues);
    let table = |city: &City| city.database.table(Domain::Train).unwrap().records().to_vec();
    assert_eq!(table(&few), table(&many));
    assert_ne!(table(&few), table(&made(1, 10)));
    assert_eq!(many.dialogues.len(), 60);
}

#[test]
fn the_built_in_city_is_made_once_and_fast() {
    let first = City::builtin();
    assert!(std::sync::Arc::ptr_eq(&first, &City::builtin()));
    assert_eq!(first.dialogues.len(), CONVERSATIONS);
    assert_eq!(tests_of(CONVERSATIONS), 100);
    assert!(first.remarks().is_empty());
}
