use std::fs;
use std::io::Write;
use std::sync::Mutex;

use tempfile::TempDir;

use super::*;

/// Remembers what is told.
#[derive(Default)]
struct Remarks(Mutex<Vec<String>>);

impl Progress for Remarks {
    fn loaded(&self, _: &str, _: u64, _: u64) {}

    fn remark(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

const FLIGHTS: &str = "\
Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance
F3490076,37,11:47,12:34,0 hours 47 minutes,2022-03-09,Anton,Berta,106.0
F3490077,30,11:47,12:34,0 hours 47 minutes,2022-03-09,Berta,Anton,106.0
F3490078,,11:47,12:34,0 hours 47 minutes,2022-03-09,Anton,Berta,106.0
XY1,40,,12:34,0 hours 47 minutes,2022-03-09,Anton,Berta,106.0
XY1,40,later,12:34,0 hours 47 minutes,2022-03-09,Anton,Berta,106.25
F3490076,41,11:47,12:34,0 hours 47 minutes,2022-03-10,Anton,Berta,106.0
";

/// A folder of official files, some of which are replaced.
fn folder(replaced: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("background/citySet.txt", "Anton\nBerta\r\n\n"),
        (
            "accommodations/clean_accommodations_2022.csv",
            ",NAME,room type,price,minimum nights,review rate number,house_rules,maximum occupancy,city\n\
             0,\"Loft, \"\"new\"\"\",Private room,131.0,1.0,2.0,No smoking,1,Anton\n\
             1,Hut,Private room,,1.0,2.0,No smoking,1,Anton\n\
             2,None,Private room,1.5,1.0,2.0,No smoking,1,Anton\n\
             3,House,Private room,1e3, 30 ,2,No smoking,4,Anton\n",
        ),
        (
            "restaurants/clean_restaurant_2022.csv",
            "\u{feff}City,Name,extra,Cuisines,Average Cost,Aggregate Rating\nBerta,Sol,1,Mexican,7.0,4.8\nBerta,Gino,,French,7,4.8\n",
        ),
        (
            "attractions/attractions.csv",
            "Name,Latitude,Longitude,Address,Phone,Website,City\nTower,1.5,2,\"a\nb\",1,w,Anton\n",
        ),
        (
            "googleDistanceMatrix/distance.csv",
            "origin,destination,cost,duration,distance\nAnton,Berta,,2 hours,\"1,140 km\"\nAnton,Berta,,1 hour,1 km\nBerta,Anton,,,\n",
        ),
        ("flights/clean_Flights_2022.csv", FLIGHTS),
    ];
    for (name, content) in files {
        let content = replaced.iter().find(|(other, _)| name.contains(other)).map_or(content, |(_, content)| content);
        let path = folder.path().join("database").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !content.is_empty() {
            fs::write(path, content).unwrap();
        }
    }
    folder
}

fn load(folder: &TempDir) -> Country {
    Country::load(folder.path(), &()).unwrap()
}

#[track_caller]
fn problem(replaced: &[(&str, &str)]) -> String {
    Country::load(folder(replaced).path(), &()).unwrap_err().to_string()
}

#[test]
fn tables_are_read_as_by_pandas() {
    let country = load(&folder(&[]));
    assert_eq!(country.cities(), ["Anton", "Berta"]);
    let rooms = country.accommodations("Anton");
    let names: Vec<_> = rooms.iter().map(|room| room.name.as_str()).collect();
    assert_eq!(names, ["Loft, \"new\"", "House"]);
    assert_eq!((rooms[1].price, rooms[1].minimum_nights, rooms[1].maximum_occupancy), (1000.0, 30.0, 4));
    // A cell is missing in a column that nobody asks for.
    assert_eq!(country.restaurants("Berta").len(), 1);
    assert_eq!(country.attractions("Anton")[0].address, "a\nb");
    assert_eq!(country.road("Anton", "Berta").unwrap().0.duration, "2 hours");
    assert_eq!(country.road_costs("Anton", "Berta"), Some(RoadCosts { taxi: 1140, self_driving: 57 }));
    assert_eq!(country.road("Berta", "Anton").unwrap().1, Passage::Closed);
    assert_eq!(country.road("Berta", "Berta"), None);
    let flights = country.flights("Anton", "Berta", "2022-03-09");
    let shown: Vec<_> =
        flights.iter().map(|one| (one.number.as_str(), one.price, one.departs.as_str(), one.distance)).collect();
    assert_eq!(shown, [("F3490076", 37, "11:47", 106.0), ("XY1", 40, "later", 106.25)]);
    assert_eq!(country.cheapest_flight("Anton", "Berta", "2022-03-09"), Some(37));
    let prices: Vec<_> = country.flights_numbered("F3490076").iter().map(|one| one.price).collect();
    assert_eq!(prices, [37, 41]);
}

#[test]
fn columns_are_of_whole_numbers_if_each_value_is_one() {
    let country = load(&folder(&[]));
    // Occupancy alone is whole; ` 30 ` is, but `1.0` above it is not. A missing price makes flights' prices others.
    assert_eq!(country.accommodations.cells.whole, [false, false, false, false, false, true, false, false]);
    assert_eq!(country.whole_costs(), [false, false, false]);
    let cells = country.flight_cells("Anton", "Berta", "2022-03-09", 1);
    assert_eq!(cells.row(0).nth(1).unwrap().text, "37.0");
    let whole = FLIGHTS.replace("F3490078,,", "F3490078,1,");
    let country = load(&folder(&[("Flights", &whole)]));
    assert_eq!(country.whole_costs(), [false, false, true]);
}

#[test]
fn lines_that_cannot_be_read_are_left_out_and_told() {
    let broken = format!(
        "{FLIGHTS}F1,expensive,11:47,12:34,x,2022-03-09,Anton,Berta,1\nF2,3\n\n   \nF3,2.5,a,b,c,d,Anton,Berta,1\n"
    );
    let rooms = b"NAME,room type,price,minimum nights,review rate number,house_rules,maximum occupancy,city\n\xff,a,1,1,1,b,1,Anton\nx,a,1,1,1,b,1,Anton\n";
    let folder = folder(&[("Flights", &broken)]);
    fs::write(folder.path().join("database/accommodations/clean_accommodations_2022.csv"), rooms).unwrap();
    let told = Remarks::default();
    let country = Country::load(folder.path(), &told).unwrap();
    assert_eq!((country.flight_count(), country.accommodations("Anton").len()), (4, 1));
    let told = told.0.into_inner().unwrap().join("\n");
    for part in [
        "clean_Flights_2022.csv`: 3 lines cannot be read and will be left out, as line 8: column `Price`: `expensive` is no number; mend",
        "clean_accommodations_2022.csv`: 1 line cannot be read and will be left out, as line 2: it is no UTF-8 text; mend",
    ] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn what_is_missing_is_told_with_its_remedy() {
    let names = [
        ("attractions/", "", "there is neither `attractions/attractions.csv` nor `attractions/attractions.csv.gz`"),
        ("attractions/", "Name,City\na,b\n", "line 1: it has no column `Latitude`; take the official file"),
        (
            "attractions/",
            "Name,Latitude,Longitude,Address,Phone,Website,City\nTower,,2,a,1,w,Anton\n",
            "it has no complete row; take",
        ),
        (
            "attractions/",
            "Name,Latitude,Longitude,Address,Phone,Website,City\nTower,1\n",
            "line 2: it has 2 fields and the first line 7; mend",
        ),
        ("citySet", "\n\n", "it names no city; write one in each line"),
    ];
    for (file, content, part) in names {
        let shown = problem(&[(file, content)]);
        assert!(shown.contains(part), "{shown}");
    }
    let folder = folder(&[]);
    let file = folder.path().join("database/background/citySet.txt");
    let shown = Country::load(&file, &()).unwrap_err().to_string();
    assert!(shown.contains("it is no prepared country"), "{shown}");
}

#[test]
fn packed_files_are_read_alike() {
    let folder = folder(&[]);
    let whole = load(&folder).digest();
    let path = folder.path().join("database/flights/clean_Flights_2022.csv");
    let packed = fs::File::create(path.with_extension("csv.gz")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
    packed.write_all(FLIGHTS.as_bytes()).unwrap();
    packed.finish().unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(load(&folder).digest(), whole);
    let cut = fs::read(path.with_extension("csv.gz")).unwrap();
    fs::write(path.with_extension("csv.gz"), &cut[..cut.len() - 12]).unwrap();
    let shown = Country::load(folder.path(), &()).unwrap_err().to_string();
    assert!(shown.contains("clean_Flights_2022.csv.gz`: ") && shown.contains("unpack or fetch it anew"), "{shown}");
}

#[test]
fn a_prepared_file_holds_the_same_and_is_refused_if_it_is_stale_or_damaged() {
    let folder = folder(&[]);
    let file = folder.path().join("country");
    let country = Country::prepare(folder.path(), &file, &()).unwrap();
    let prepared = load_shared(&file, &()).unwrap();
    assert!(Arc::ptr_eq(&prepared, &load_shared(&file, &()).unwrap()));
    assert_eq!(prepared.digest(), country.digest());
    assert_eq!(prepared::digest(&prepared), prepared.hash());
    for day in ["2022-03-09", "2022-03-10"] {
        assert_eq!(prepared.flights("Anton", "Berta", day), country.flights("Anton", "Berta", day));
    }
    assert_eq!(prepared.accommodations("Anton"), country.accommodations("Anton"));
    assert_eq!(prepared.road("Anton", "Berta"), country.road("Anton", "Berta"));
    let bytes = fs::read(&file).unwrap();
    let other = folder.path().join("other");
    for place in 0..bytes.len() {
        fs::write(&other, &bytes[..place]).unwrap();
        assert!(Country::load(&other, &()).is_err(), "cut at {place}");
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(&other, &damaged).unwrap();
        if let Ok(read) = Country::load(&other, &()) {
            assert_eq!(prepared::digest(&read), country.hash(), "changed at {place}");
        }
    }
    let flights = folder.path().join("database/flights/clean_Flights_2022.csv");
    fs::write(flights, format!("{FLIGHTS}\n")).unwrap();
    let shown = Country::load(&file, &()).unwrap_err().to_string();
    for part in [
        "clean_Flights_2022.csv` has changed since it was made of it",
        "make it anew by `rolecall data prepare travel`",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn the_official_country_is_whole() {
    let Some(data) = std::env::var_os("ROLECALL_DATA") else {
        return;
    };
    let told = Remarks::default();
    let country = Country::load(&Path::new(&data).join("travel"), &told).unwrap();
    assert!(told.0.into_inner().unwrap().is_empty());
    assert_eq!(country.cities().len(), 311);
    assert_eq!(country.accommodations.rows.len(), 4285);
    assert_eq!(country.restaurants.rows.len(), 9551);
    assert_eq!(country.attractions.rows.len(), 5302);
    assert_eq!(country.flight_count(), 121_023);
    assert_eq!(country.roads.all().count(), 17_602 - 1_446);
    assert_eq!(country.whole_costs(), [false, true, true]);
}
