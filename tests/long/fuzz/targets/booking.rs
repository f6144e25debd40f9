//! Any text as a call or as SQL in all profiles: an answer, and the same one again. Any bytes as one of the files of a
//! city, and good files with one place written anew: an error that names the file, or a city in which can be played.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use rolecall::domain::Seed;
use rolecall::environments::booking::account::{Account, Call, Outcome};
use rolecall::environments::booking::api::{Api, Domain};
use rolecall::environments::booking::city::City;
use rolecall::environments::booking::desk::{Profile, Request, Vacancy};
use rolecall::environments::booking::environment::{Rules, request};
use rolecall::environments::booking::score::judge;

const DATA: [(&str, &str); 6] = [
    (
        "hotel_db.json",
        r#"[{"id": "0", "name": "acorn guest house", "type": "guesthouse", "area": "north", "internet": "yes", "parking": "yes",
"pricerange": "moderate", "stars": "4", "phone": "1", "address": "1 road", "postcode": "cb1"}, {"id": 7, "price": {}}]"#,
    ),
    (
        "restaurant_db.json",
        r#"[{"id": "19210", "name": "the curry & rice", "area": "centre", "pricerange": "cheap", "food": "indian", "phone": null,
"address": "", "postcode": "cb2", "location": [52.2, 0.1]}]"#,
    ),
    (
        "attraction_db.json",
        r#"[{"id": "1", "name": "theatre \u00e9", "type": "theatre", "area": "west", "entrance fee": "?"}]"#,
    ),
    (
        "train_db.json",
        r#"[{"trainID": "TR1", "day": "monday", "departure": "cambridge", "destination": "ely", "leaveAt": "09:00",
"arriveBy": "24:10", "price": "4.40 pounds", "duration": "17 minutes"}, {"trainID": "TR1", "leaveAt": "17:00orso"}]"#,
    ),
    (
        "taxi_db.json",
        r#"{"taxi_colors": ["black" "white"], "taxi_types": ["audi", 'ford'], "taxi_phone": ["^[0-9]{10}$"]}"#,
    ),
    (
        "data.json",
        r#"{"A.json": {"goal": {"hotel": {"info": {"area": "north"}, "book": {"people": "2", "day": "monday", "stay": "3",
"invalid": false}, "fail_book": {"stay": "5"}}, "train": {"info": {"day": "monday"}, "reqt": ["price"]}, "taxi": {},
"message": ["You want a <span class='emphasis'>hotel</span>"]}, "log": [{"text": "a hotel please"}, {"text": "which"}]},
"B.json": {"goal": {"restaurant": {"info": {"food": "indian"}, "fail_info": {"food": "x"}, "reqt": ["phone"]},
"message": "x"}, "log": [{"text": "food"}]}}"#,
    ),
];

/// A folder of this process with the good files.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("rolecall-fuzz-booking-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        for (name, content) in DATA {
            fs::write(folder.join(name), content).unwrap();
        }
        folder
    })
}

/// The city of the good files.
fn good() -> &'static Arc<City> {
    static CITY: OnceLock<Arc<City>> = OnceLock::new();
    CITY.get_or_init(|| City::load(folder(), "all").unwrap())
}

/// The content with some bytes replaced.
fn edited(old: &[u8], at: u16, length: u8, new: &[u8]) -> Vec<u8> {
    let start = usize::from(at) % (old.len() + 1);
    let end = (start + usize::from(length)).min(old.len());
    [&old[..start], new, &old[end..]].concat()
}

/// What a call is answered, in each profile, by a desk that nobody has come to before.
fn answers(city: &Arc<City>, call: Request<'_>) -> Vec<(String, Call)> {
    let answers = Profile::ALL.map(|profile| {
        let vacancy = Vacancy { taken: 0.5 };
        let ask = || Rules { profile, vacancy }.desk(city, Seed(7)).answer(call);
        let first = ask();
        assert_eq!(first, ask());
        let (text, called) = &first;
        let is_understood = matches!(
            called.outcome,
            Outcome::Found { .. } | Outcome::Booked(_) | Outcome::Refused
        );
        assert!(!is_understood || called.api.is_some() || profile == Profile::Reference);
        if profile == Profile::Strict {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert!(value.get("result").is_some());
        }
        assert!(profile == Profile::Reference || called.outcome != Outcome::Aborted);
        first
    });
    answers.to_vec()
}

/// A text as a call, as the input of every call, and as a value of it.
fn called(text: &str) {
    answers(good(), request(text));
    for api in Api::ALL {
        let name = api.as_str();
        answers(good(), Request { name, input: text });
        for key in api.keys() {
            let mut input = serde_json::json!({
                "name": "acorn", "people": 2, "day": "monday", "time": "9:00", "stay": 3, "departure": "ely",
                "destination": "acorn guest house", "leaveAt": "9:00", "trainID": "TR1",
            });
            let fields = input.as_object_mut().unwrap();
            fields.retain(|own, _| api.keys().contains(&own.as_str()));
            fields.insert((*key).to_owned(), text.into());
            let input = &input.to_string();
            answers(good(), Request { name, input });
        }
    }
}

/// A text as SQL, and as the end of a statement.
fn selected(text: &str) {
    let tables = good().tables().unwrap();
    for domain in [Domain::Hotel, Domain::Restaurant, Domain::Attraction, Domain::Train] {
        for sql in [text.to_owned(), format!("SELECT * FROM {domain} {text}")] {
            let first = tables.select(domain, &sql);
            assert_eq!(first, tables.select(domain, &sql));
        }
        let all = tables.select(domain, &format!("SELECT count(*) FROM {domain}"));
        let records = good().database.table(domain).unwrap().records().len();
        assert!(all.0.ends_with(&format!("| {records} |")), "{}", all.0);
    }
}

/// One of the files of a city.
fn loaded(file: usize, content: &[u8]) {
    good();
    let (name, usual) = DATA[file];
    let file = folder().join(name);
    fs::write(&file, content).unwrap();
    let load = || {
        let city = City::load(folder(), "all").map_err(|error| error.to_string())?;
        let mut seen = Vec::new();
        for dialogue in city.dialogues.iter().take(3) {
            let judged = judge(&dialogue.goal, &Account::default(), &city.venues);
            assert!((0.0..=1.0).contains(&judged.reward()));
            for (domain, goal) in &dialogue.goal.domains {
                let input = &serde_json::Value::Object(goal.info.clone()).to_string();
                let name = &format!("query_{domain}s");
                seen.push((format!("{judged:?}"), answers(&city, Request { name, input })));
            }
        }
        let sql = "SELECT * FROM restaurant";
        let rows = city.tables().map(|tables| tables.select(Domain::Restaurant, sql));
        let rows = rows.map_err(str::to_owned);
        Ok::<_, String>((seen, rows, city.remarks()))
    };
    let first = load();
    assert_eq!(first, load());
    if let Err(told) = first {
        let shown = folder().display().to_string();
        assert!(told.contains(&shown) && !told.contains('\n'), "{told}");
    }
    fs::write(&file, usual).unwrap();
}

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    let (how, at, length, bytes) = input;
    let what = usize::from(how % 8);
    let is_whole = how & 8 != 0;
    match DATA.get(what) {
        Some((_, good)) if !is_whole => loaded(what, &edited(good.as_bytes(), at, length, bytes)),
        Some(_) => loaded(what, bytes),
        None if what == 6 => called(&String::from_utf8_lossy(bytes)),
        None => selected(&String::from_utf8_lossy(bytes)),
    }
});
