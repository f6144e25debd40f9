//! Actions of an agent in the shop, in words or as tool calls.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use rolecall_core::domain::Action;
use rolecall_core::ports::model::ToolSpec;

/// The button that buys.
pub(super) const BUY_NOW: &str = "Buy Now";

/// Action, as it was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// To search for this text.
    Search(Cow<'a, str>),
    /// To click what has this text.
    Click(Cow<'a, str>),
    /// Nothing that a shop knows.
    Nothing,
}

impl<'a> Asked<'a> {
    /// The request of an action: its call if it has one, else its text as `in_words` reads it.
    pub fn of(action: &'a Action, in_words: fn(&'a str) -> Self) -> Self {
        match &action.call {
            Some(call) => Self::called(&call.tool, &call.arguments),
            None => in_words(&action.text),
        }
    }

    /// The request of a text: `search[...]` or `click[...]`, the names in small letters.
    pub fn in_words(text: &'a str) -> Self {
        match parse_action(text) {
            ("search", Some(query)) => Self::Search(query.into()),
            ("click", Some(target)) => Self::Click(target.into()),
            _ => Self::Nothing,
        }
    }

    /// The request of a call of a tool; nothing without the argument that it takes.
    fn called(tool: &str, arguments: &'a Value) -> Self {
        let argument = |name: &str| Some(Cow::from(arguments.get(name)?.as_str()?));
        let asked = match tool {
            "search" => argument("query").map(Self::Search),
            "click" => argument("target").map(Self::Click),
            "buy" => Some(Self::Click(BUY_NOW.into())),
            _ => None,
        };
        asked.unwrap_or(Self::Nothing)
    }
}

/// The name of an action and its argument, as the original's `(.+)\[(.+)\]` reads them from the beginning of the
/// text: the last bracket counts that leaves an argument, and the argument goes up to the last one that closes.
/// Without an argument the name is the whole text.
pub fn parse_action(text: &str) -> (&str, Option<&str>) {
    let line = text.split('\n').next().unwrap_or_default();
    let parts = || {
        let inside = &line[..line.rfind(']')?];
        // At least one letter is the argument.
        let (last, _) = inside.char_indices().next_back()?;
        let open = inside[..last].rfind('[').filter(|open| *open > 0)?;
        Some((&line[..open], &inside[open + 1..]))
    };
    parts().map_or((text, None), |(name, argument)| (name, Some(argument)))
}

/// The tools of WebShop.
pub fn tools() -> Vec<ToolSpec> {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let rows = [
        (
            "search",
            "Search the shop; shows the first page of what was found.",
            json!({ "query": text("words of the product that is wanted") }),
        ),
        (
            "click",
            "Click a button, a product or an option of the page that is shown.",
            json!({ "target": text("the text of what is clicked, as the page shows it") }),
        ),
        ("buy", "Buy the product of the page that is shown, with the options that are chosen.", json!({})),
    ];
    rows.into_iter()
        .map(|(name, description, arguments)| ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": arguments,
                "required": arguments.as_object().into_iter().flat_map(Map::keys).collect::<Vec<_>>(),
                "additionalProperties": false,
            }),
        })
        .collect()
}

/// The text of a call of a tool; none without the argument that it takes.
pub(super) fn call_text(tool: &str, arguments: &Value) -> Option<String> {
    match Asked::called(tool, arguments) {
        Asked::Search(query) => Some(format!("search[{query}]")),
        Asked::Click(target) => Some(format!("click[{target}]")),
        Asked::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use rolecall_core::domain::Call;

    #[test]
    fn brackets_are_read_as_the_greedy_expression_does() {
        let cases = [
            ("search[foo]", ("search", Some("foo"))),
            ("search[ ]", ("search", Some(" "))),
            ("search[]", ("search[]", None)),
            ("search[a [b] c]", ("search[a ", Some("b] c"))),
            ("search[a []", ("search", Some("a ["))),
            ("search[a []]", ("search[a ", Some("]"))),
            ("search[[]", ("search", Some("["))),
            ("search[é★]", ("search", Some("é★"))),
            ("click[x] trailing", ("click", Some("x"))),
            (" click[x]", (" click", Some("x"))),
            ("click[x", ("click[x", None)),
            ("[x]", ("[x]", None)),
            ("[x][y]", ("[x]", Some("y"))),
            ("search[a]\nclick[b]", ("search", Some("a"))),
            ("search[a\nb]", ("search[a\nb]", None)),
            ("\nsearch[a]", ("\nsearch[a]", None)),
            ("", ("", None)),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_action(text), expected, "{text:?}");
        }
    }

    /// The expression read slowly: the longest name first, then the longest argument.
    fn read_slowly(text: &str) -> (&str, Option<&str>) {
        let line = text.split('\n').next().unwrap();
        for (open, _) in line.match_indices('[').rev().filter(|(open, _)| *open > 0) {
            let rest = &line[open + 1..];
            if let Some((close, _)) = rest.match_indices(']').rev().find(|(close, _)| *close > 0) {
                return (&line[..open], Some(&rest[..close]));
            }
        }
        (text, None)
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_by_trying_every_bracket(text in "[\\[\\]aé\n ]{0,12}") {
            prop_assert_eq!(parse_action(&text), read_slowly(&text));
        }
    }

    #[test]
    fn calls_ask_for_the_same_as_texts_and_have_their_text() {
        let action = |tool: &str, arguments: Value| Action {
            text: call_text(tool, &arguments).unwrap(),
            call: Some(Box::new(Call { tool: tool.to_owned(), arguments })),
        };
        let search = action("search", json!({ "query": "red [shoes]" }));
        assert_eq!(search.text, "search[red [shoes]]");
        assert_eq!(Asked::of(&search, Asked::in_words), Asked::Search("red [shoes]".into()));
        let click = action("click", json!({ "target": "< Prev" }));
        assert_eq!(Asked::of(&click, Asked::in_words), Asked::in_words(&click.text));
        let buy = action("buy", json!({}));
        assert_eq!(buy.text, "click[Buy Now]");
        assert_eq!(Asked::of(&buy, Asked::in_words), Asked::in_words(&buy.text));
        // A call without its argument asks for nothing, not for an option whose value is an empty text.
        for (tool, arguments) in [
            ("sing", Value::Null),
            ("click", json!({})),
            ("click", json!({ "target": 3 })),
            ("search", json!(["query"])),
        ] {
            assert_eq!(call_text(tool, &arguments), None);
            let nothing = Action {
                text: "search[a]".to_owned(),
                call: Some(Box::new(Call { tool: tool.to_owned(), arguments })),
            };
            assert_eq!(Asked::of(&nothing, Asked::in_words), Asked::Nothing);
        }
        let names: Vec<String> = tools().into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["search", "click", "buy"]);
    }
}
