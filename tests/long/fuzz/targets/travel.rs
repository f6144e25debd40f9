//! Any text as a call, a plan, a subplan, a request or an answer of a traveller: an answer, and the same one again. Any
//! bytes as one of the files of a country or of its conversations, and good files with one place written anew: an
//! error that names the file, or a country in which can be played.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use rolecall::environments::travel::calls::Call;
use rolecall::environments::travel::country::Country;
use rolecall::environments::travel::generate;
use rolecall::environments::travel::score::plan::parse;
use rolecall::environments::travel::score::{Quirks, judge};
use rolecall::environments::travel::tools::cost::{Variant, enquire};
use rolecall::environments::travel::{labels, reader, rows, tools};
use rolecall::text::python::literal;
use serde_json::Value;

const DATA: [(&str, &str); 7] = [
    (
        "accommodations/clean_accommodations_2022.csv",
        ",NAME,room type,price,minimum nights,review rate number,house_rules,maximum occupancy,city\n\
0,\"Room, small\",Private room,120.0,2.0,4.0,No pets & No smoking,2,Ada\n1,Loft \u{e9},Entire home/apt,99.5,,5.0,No parties,4,Bex\n",
    ),
    (
        "restaurants/clean_restaurant_2022.csv",
        ",Name,City,Cuisines,Average Cost,Aggregate Rating\n0,Inn,Ada,\"Cafe, Mexican\",12,4.1\n1,Bar,Bex,French,30,3.9\n",
    ),
    (
        "attractions/attractions.csv",
        "Name,Latitude,Longitude,Address,Phone,Website,City\nTower,1.5,-2.25,\"1 Road, Ada\",1,http://a,Ada\n",
    ),
    (
        "flights/clean_Flights_2022.csv",
        "Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance\n\
F1,100,07:00,09:10,2 hours 10 minutes,2022-03-01,Ada,Bex,300.0\n",
    ),
    (
        "googleDistanceMatrix/distance.csv",
        "origin,destination,cost,duration,distance\nAda,Bex,,3 hours 2 mins,\"1,228 km\"\nBex,Ada,,1 day 2 hours,\"1,300 km\"\n",
    ),
    ("background/citySet.txt", "Ada\nBex\n"),
    (
        "test.csv",
        "task_id,org,dest,days,departure_date,people_number,housing,cuisine,transportation,budget,query,level,details\n\
t0,Ada,\"['Bex on day 1']\",3,2022-03-01,,\"['pets']\",,no flight,900,\"A trip from Ada to Bex.\",easy,\"[{'attribute': \
'people_number', 'operation': 'ADD', 'value': 2, 'priority': 0, 'question': 'How many?', 'answer': '2 people.'}]\"\n",
    ),
];

/// The last of the files holds conversations.
const CONVERSATIONS: usize = DATA.len() - 1;

/// A folder of this process with the good files.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("rolecall-fuzz-travel-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        for (name, content) in DATA {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        folder
    })
}

fn builtin() -> &'static Arc<Country> {
    static COUNTRY: OnceLock<Arc<Country>> = OnceLock::new();
    COUNTRY.get_or_init(generate::builtin)
}

/// The content with some bytes replaced.
fn edited(old: &[u8], at: u16, length: u8, new: &[u8]) -> Vec<u8> {
    let start = usize::from(at) % (old.len() + 1);
    let end = (start + usize::from(length)).min(old.len());
    [&old[..start], new, &old[end..]].concat()
}

/// A text as a call, and as each part of one.
fn called(text: &str) {
    let written = serde_json::to_string(text).unwrap();
    let lines = [
        text.to_owned(),
        format!("AccommodationSearch({written}, [{written}])"),
        format!("RestaurantSearch({written}, [\"French\"])"),
        format!("FlightSearch(\"Ada\", {written}, {written})"),
        format!("BudgetEstimator({written}, [{written}], [{written}, \"2022-03-04\"], {text})"),
    ];
    for line in lines {
        let Ok(call) = Call::read(&line) else { continue };
        assert_eq!(tools::view(builtin(), &call), tools::view(builtin(), &call));
        let _ = tools::full(builtin(), &call);
    }
}

/// A text as a plan, as part of one, and as what a traveller says.
fn read(text: &str) {
    let request = reader::request(text, &[(text.to_owned(), text.to_owned())]);
    for call in labels::truth(&request).iter().chain(&labels::brute_force(&request)) {
        let _ = tools::view(builtin(), call);
    }
    let day = serde_json::json!({ "day": 1, "current_city": text, "transportation": text, "attraction": text });
    let plans = [text.to_owned(), Value::Array(vec![day.clone(), day]).to_string()];
    for plan in plans.iter().filter_map(|text| parse(text).ok()) {
        for quirks in [Quirks::Reference, Quirks::Worded] {
            let first = judge(builtin(), &request, &plan, quirks).to_json();
            assert_eq!(first, judge(builtin(), &request, &plan, quirks).to_json());
        }
    }
    if let Some(subplan) = literal(text) {
        let _ = enquire(builtin(), &subplan, Variant::React);
    }
}

/// One of the files of a country or of its conversations.
fn loaded(file: usize, content: &[u8]) {
    let (name, usual) = DATA[file];
    let path = folder().join(name);
    fs::write(&path, content).unwrap();
    let told = match file {
        CONVERSATIONS => rows::load(&path).map(|rows| rows.conversations.len()).map_err(|error| error.to_string()),
        _ => Country::load(folder(), &()).map(|country| country.flight_count()).map_err(|error| error.to_string()),
    };
    if let Err(told) = told {
        let shown = folder().display().to_string();
        assert!(told.contains(&shown) && !told.contains('\n'), "{told}");
    }
    fs::write(&path, usual).unwrap();
}

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    let (how, at, length, bytes) = input;
    let what = usize::from(how % 10);
    let is_whole = how & 64 != 0;
    let text = String::from_utf8_lossy(bytes);
    match DATA.get(what) {
        Some((_, good)) if !is_whole => loaded(what, &edited(good.as_bytes(), at, length, bytes)),
        Some(_) => loaded(what, bytes),
        None if what == 7 => called(&text),
        None => read(&text),
    }
});
