//! Limit on the cost of a template's filters and operators. The engine counts its own steps, but one step of a
//! filter may copy any amount of text.

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value, filters};

/// Bytes that the filters and operators of one part may read and make.
const BYTES: u64 = 128 << 20;
/// Bytes that a value takes besides its text.
const EACH: u64 = 64;
/// How deep lists may lie in each other.
const NESTED: u32 = 64;
/// The largest number that a filter may take for a size: a width, a number of columns.
const LARGEST_COUNT: i64 = 100_000;
/// The filter that [`guard`](super::guard) has every operand pass through.
pub(super) const HELD: &str = "_held";
/// The filter for operands of `*`: a text times a number could be of any size.
pub(super) const NUMBER: &str = "_number";
/// The filter for what a text of a given length is multiplied by.
pub(super) const REPEATS: &str = "_repeats";

/// Bytes that are left.
struct Budget(u64);

impl Budget {
    fn take(&mut self, bytes: u64) -> Result<(), Error> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(|| {
            let most = BYTES >> 20;
            let text = format!("its filters and operators work on more than {most} MiB of text");
            Error::new(ErrorKind::OutOfFuel, text)
        })?;
        Ok(())
    }

    /// Takes the size of a value with all that lies in it.
    fn take_all(&mut self, value: &Value, depth: u32) -> Result<(), Error> {
        if depth > NESTED {
            let text = format!("lists lie in each other deeper than {NESTED} levels");
            return Err(Error::new(ErrorKind::OutOfFuel, text));
        }
        self.take(own_size(value))?;
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()? {
                    self.take_all(&item, depth + 1)?;
                }
            }
            ValueKind::Map => {
                for key in value.try_iter()? {
                    self.take_all(&value.get_item(&key)?, depth + 1)?;
                    self.take_all(&key, depth + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The size of a text, or the number of items of a list, and what any value takes.
fn own_size(value: &Value) -> u64 {
    let length = value.as_str().map(str::len).or_else(|| value.len());
    EACH + length.unwrap_or_default() as u64
}

fn budget<'a>(state: &'a mut State<'_, '_>) -> &'a mut Budget {
    state.get_or_insert_extension(Budget(BYTES))
}

/// Has the environment count what filters, operators and printed values cost.
pub(super) fn install(environment: &mut Environment<'static>) {
    /// Adds filters that read all of a value, and such as read the beginning of it alone.
    macro_rules! add {
        ($whole:literal: $($name:ident)*) => { $(
            let filter = Value::from_function(filters::$name);
            let name = stringify!($name);
            environment.add_filter(name, bounded(name, filter, $whole));
        )* };
    }
    add!(true: batch capitalize dictsort escape format groupby indent join lines lower max min pprint
        replace reverse safe slice sort split string sum title trim unique upper);
    add!(false: abs attr bool chain default first float int items last length list map reject rejectattr
        round select selectattr zip);
    for (other, name, filter) in [
        ("e", "escape", Value::from_function(filters::escape)),
        ("d", "default", Value::from_function(filters::default)),
        ("count", "length", Value::from_function(filters::length)),
    ] {
        environment.add_filter(other, bounded(name, filter, name == "escape"));
    }
    environment
        .add_filter(HELD, |state: &mut State, value: &Value| budget(state).take_all(value, 0).map(|()| value.clone()));
    environment.add_filter(NUMBER, |value: &Value| match value.kind() {
        ValueKind::Number => Ok(value.clone()),
        other => {
            let text = format!("`*` is for numbers and for texts in quotation marks, and this is a {other}");
            Err(Error::new(ErrorKind::OutOfFuel, text))
        }
    });
    environment.add_filter(REPEATS, |state: &mut State, count: &Value, length: u64| {
        let times = count.as_usize().unwrap_or_default() as u64;
        budget(state).take(times.saturating_mul(length)).map(|()| count.clone())
    });
    environment.set_formatter(|output, state, value| {
        budget(state).take_all(value, 0)?;
        minijinja::escape_formatter(output, state, value)
    });
}

/// A filter whose input and output are counted.
fn bounded(
    name: &'static str,
    filter: Value,
    whole: bool,
) -> impl Fn(&mut State, Rest<ValueOrKwargs>) -> Result<Value, Error> + Send + Sync + 'static {
    move |state, arguments| {
        let arguments: Vec<Value> = arguments.into_values();
        let left = budget(state);
        for argument in &arguments {
            if whole { left.take_all(argument, 0)? } else { left.take(own_size(argument))? }
        }
        left.take(made(name, &arguments)?)?;
        let result = filter.call(state, &arguments)?;
        budget(state).take(own_size(&result))?;
        Ok(result)
    }
}

/// Bytes that a filter may make beyond those that it reads, as far as its arguments say.
fn made(name: &str, arguments: &[Value]) -> Result<u64, Error> {
    let text = |place: usize| arguments.get(place).and_then(Value::as_str);
    let size = |place: usize| text(place).map_or(0, str::len) as u64;
    let counts = arguments.iter().skip(1).filter_map(Value::as_i64);
    if let Some(count) = counts.max().filter(|count| *count > LARGEST_COUNT) {
        let text = format!("`{name}` is given {count}, and may be given {LARGEST_COUNT} at most");
        return Err(Error::new(ErrorKind::OutOfFuel, text));
    }
    let widest = arguments.iter().skip(1).filter_map(Value::as_i64).max().unwrap_or(4).unsigned_abs();
    Ok(match name {
        "replace" => {
            let found = text(0).zip(text(1)).map_or(0, |(text, from)| text.matches(from).count());
            (found as u64).saturating_mul(size(2))
        }
        "join" => {
            let items = arguments.first().and_then(Value::len).unwrap_or_default();
            (items as u64).saturating_mul(size(1))
        }
        "indent" => {
            let lines = text(0).map_or(0, |text| text.lines().count()) as u64;
            lines.saturating_mul(widest)
        }
        "batch" | "slice" => widest,
        // Each place may be as wide as it says.
        "format" => widths(text(0).unwrap_or_default()).saturating_add(widest),
        _ => 0,
    })
}

/// The sum of all numbers in a format: widths and precisions.
fn widths(format: &str) -> u64 {
    let numbers = format.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.fold(0, |sum, digits| sum.saturating_add(digits.parse().unwrap_or(u64::MAX)))
}
