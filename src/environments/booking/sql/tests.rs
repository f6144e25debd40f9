use std::sync::{Arc, LazyLock};

use proptest::prelude::*;

use super::*;
use crate::city::City;
use crate::town::town;

static TOWN: LazyLock<Arc<City>> = LazyLock::new(town);

fn select(sql: &str) -> Done {
    TOWN.tables().unwrap().select(Domain::Restaurant, sql)
}

#[test]
fn rows_are_shown_as_a_table() {
    let (text, outcome) = select("SELECT id, name, phone FROM restaurant WHERE AREA = 'Centre' ORDER BY id");
    assert_eq!(
        text,
        "| id | name | phone |\n| --- | --- | --- |\n| 5 | curry garden | 01223000004 |\n| 7 | varsity | 01223000003 |"
    );
    assert_eq!(outcome, Outcome::Found { count: 2, more: false });
    let (text, outcome) = select("SELECT phone, 1.0, x'00ff', name FROM restaurant WHERE area = 'south'");
    assert!(text.contains("| None | 1.0 | b'\\x00\\xff' | burger corner 01 |"), "{text}");
    assert!(text.ends_with("\n\n7 more records ..."), "{text}");
    assert_eq!(outcome, Outcome::Found { count: 5, more: true });
    // The first row alone is too long.
    let (text, _) = select("SELECT replace(hex(zeroblob(300)), '00', 'ab') AS x FROM restaurant");
    assert_eq!(text, "| x |\n| --- |\n\n14 more records ...");
    let (text, _) = TOWN.tables().unwrap().select(Domain::Hotel, "SELECT id, name FROM hotel");
    assert!(text.ends_with("| 0 | acorn guest house |\n| 1 | gonville |\n| 2 | None |"), "{text}");
}

#[test]
fn statements_may_have_parts_and_join() {
    for (sql, said) in [
        ("WITH c AS (SELECT * FROM restaurant WHERE food = 'indian') SELECT name FROM c", "| curry garden |"),
        ("SELECT count(*) FROM (SELECT DISTINCT area FROM restaurant)", "| 2 |"),
        ("SELECT r.name FROM restaurant r JOIN hotel h ON r.area = h.area ORDER BY 1 DESC", "| varsity |"),
        (
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3) SELECT x FROM c, restaurant WHERE \
             restaurant.id = 5",
            "| 3 |",
        ),
        ("SELECT area, count(*) FROM restaurant GROUP BY area HAVING count(*) > 2", "| south | 12 |"),
        ("SELECT name FROM sqlite_master WHERE name = 'restaurant'", "| restaurant |"),
    ] {
        let (text, outcome) = select(sql);
        assert!(text.contains(said), "{sql}: {text}");
        assert!(matches!(outcome, Outcome::Found { more: false, .. }), "{sql}: {text}");
    }
}

/// Statements, and the refusal or result of each.
const REFUSED: &[(&str, &str)] = &[
    ("SELECT name FROM hotel", "Please query the restaurant table"),
    ("SELECT nam FROM restaurant", "no such column: nam"),
    ("SELEC restaurant", "syntax error"),
    ("DELETE FROM restaurant", "not allowed"),
    ("UPDATE restaurant SET area = 'x'", "not allowed"),
    ("INSERT INTO restaurant (id) VALUES (1)", "not allowed"),
    ("DROP TABLE restaurant", "not allowed"),
    ("CREATE TABLE restaurants (x)", "not allowed"),
    ("CREATE TEMP TABLE restaurants (x)", "not allowed"),
    ("ATTACH DATABASE '/tmp/restaurant.db' AS x", "not allowed"),
    ("VACUUM INTO '/tmp/restaurant.db'", "not allowed"),
    ("PRAGMA table_info(restaurant)", "not allowed"),
    ("SELECT * FROM pragma_table_info('restaurant')", "not allowed"),
    ("BEGIN; SELECT * FROM restaurant", "not allowed"),
    ("SELECT load_extension('restaurant')", "not authorized"),
    ("SELECT random() FROM restaurant", "not authorized"),
    ("SELECT datetime('now') FROM restaurant", "not authorized"),
    ("SELECT 1 FROM restaurant; SELECT 2", "one statement"),
    ("SELECT zeroblob(1000000000) FROM restaurant", "too big"),
    ("SELECT printf('%.*c', 1000000, 'x') FROM restaurant", "too big"),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c, restaurant",
        "takes too long",
    ),
    (
        "SELECT count(*) FROM restaurant a, restaurant b, restaurant c, restaurant d, restaurant e, restaurant f",
        "takes too long",
    ),
];

#[test]
fn statements_only_read_and_end() {
    let deep = format!("SELECT {}1{} FROM restaurant", "(1+".repeat(500), ")".repeat(500));
    for (sql, said) in REFUSED.iter().copied().chain([(deep.as_str(), "too large")]) {
        let (text, outcome) = select(sql);
        assert_eq!(outcome, Outcome::Refused, "{sql}: {text}");
        assert!(text.contains(said), "{sql}: {text}");
    }
    for sql in ["-- restaurant", "", " ;; -- restaurant", "SELECT 1 WHERE 'restaurant' = ''"] {
        let (text, _) = select(sql);
        let none = ["No results found.", "Please query the restaurant table in the database."];
        assert!(none.contains(&text.as_str()), "{sql}: {text}");
    }
    let long = format!("SELECT '{}' FROM restaurant", "x".repeat(5_000));
    assert_eq!(select(&long).1, Outcome::Refused);
    // Refused statements have changed nothing.
    let (text, _) = select("SELECT count(*) FROM restaurant");
    assert_eq!(text, "| count(*) |\n| --- |\n| 14 |");
}

proptest! {
    #[test]
    fn any_statement_is_answered(before in "SELECT .{0,20} FROM |.{0,30}", after in any::<String>()) {
        let sql = format!("{before}restaurant{after}");
        let first = select(&sql);
        prop_assert!(first.0.chars().count() < 8_000);
        prop_assert_eq!(first, select(&sql));
    }
}
