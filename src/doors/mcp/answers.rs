//! Answers of servers, as far as we read them. Pure functions over what came over a wire.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::protocol::{HANDSHAKE, MODERN, code};
use crate::wire::RpcError;
use rolecall_core::text::json::nests_deeper;
use rolecall_core::text::{joined_by, visible};

/// Levels of JSON that an answer may have to be kept: the log takes no more.
const DEEPEST: usize = 60;

/// A tool as a server lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTool {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The schema of its arguments, an object.
    pub input: Value,
}

/// A page of tools.
#[derive(Debug, Default)]
pub struct Page {
    /// The tools that can be called.
    pub tools: Vec<ListedTool>,
    /// Where the next page begins.
    pub next: Option<String>,
}

#[derive(Deserialize)]
struct RawPage<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(rename = "nextCursor")]
    next: Option<String>,
}

#[derive(Deserialize)]
struct RawTool<'a> {
    name: String,
    description: Option<String>,
    #[serde(rename = "inputSchema", borrow)]
    input: &'a RawValue,
}

impl Page {
    /// Reads the result of `tools/list`. Tools that nobody could call are left out.
    ///
    /// # Errors
    /// Why it is no page of tools.
    pub fn read(result: &RawValue) -> Result<Self, String> {
        let page: RawPage<'_> = parsed(result, "its list of tools")?;
        Ok(Self {
            tools: page.tools.iter().filter_map(|tool| listed(tool)).collect(),
            next: page.next.filter(|next| !next.is_empty()),
        })
    }
}

fn parsed<'a, T: Deserialize<'a>>(answer: &'a RawValue, what: &str) -> Result<T, String> {
    serde_json::from_str(answer.get()).map_err(|error| format!("{what} cannot be read: {error}"))
}

fn listed(tool: &RawValue) -> Option<ListedTool> {
    let tool: RawTool<'_> = serde_json::from_str(tool.get()).ok()?;
    // A name stands in a header as well.
    let named = (1..=128).contains(&tool.name.len()) && tool.name.chars().all(|letter| matches!(letter, ' '..='~'));
    let flat = !nests_deeper(tool.input.get().as_bytes(), DEEPEST);
    if !named || !flat {
        let name = visible(&tool.name).into_owned();
        tracing::warn!(name, "a tool is left out: its name or schema cannot be used");
        return None;
    }
    let Ok(Value::Object(mut input)) = serde_json::from_str(tool.input.get()) else {
        return None;
    };
    input.insert("type".to_owned(), "object".into());
    Some(ListedTool { name: tool.name, description: tool.description.unwrap_or_default(), input: Value::Object(input) })
}

/// The result of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Its text.
    pub text: String,
    /// The result in parts.
    pub data: Option<Value>,
    /// It could not do what it was asked.
    pub is_error: bool,
}

#[derive(Deserialize)]
struct RawResult<'a> {
    #[serde(rename = "resultType")]
    kind: Option<String>,
    content: Option<Vec<Block>>,
    #[serde(rename = "structuredContent", borrow)]
    data: Option<&'a RawValue>,
    #[serde(rename = "isError", default)]
    is_error: bool,
}

#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    r#type: String,
    text: Option<String>,
    #[serde(rename = "mimeType")]
    mime: Option<String>,
    uri: Option<String>,
    resource: Option<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    uri: Option<String>,
    text: Option<String>,
}

impl Block {
    /// The block as text: what is none is named.
    fn line(self) -> String {
        let Self { r#type, text, mime, uri, resource } = self;
        let (inner, inner_uri) = resource.map_or((None, None), |resource| (resource.text, resource.uri));
        text.or(inner).unwrap_or_else(|| {
            let what = mime.or(uri).or(inner_uri).unwrap_or_default();
            format!("[{}]", format!("{type} {what}", r#type = r#type).trim())
        })
    }
}

impl Shown {
    /// Reads the result of `tools/call`, and keeps no more than so many bytes of its text and of its parts.
    ///
    /// # Errors
    /// Why it is no result.
    pub fn read(result: &RawValue, longest: usize) -> Result<Self, String> {
        let raw: RawResult<'_> = parsed(result, "the result of a tool")?;
        if raw.kind.as_deref() == Some("input_required") {
            return Ok(Self {
                text: "the tool asks a person for something, and nobody is here who could answer".to_owned(),
                is_error: true,
                ..Self::default()
            });
        }
        let content = raw.content.ok_or("the result of a tool has no `content`")?;
        let mut text = joined_by("\n", content.into_iter().map(Block::line));
        if text.len() > longest {
            text.truncate(text.floor_char_boundary(longest));
            text.push_str(" [cut]");
        }
        let data = raw.data.map(RawValue::get);
        let kept =
            data.filter(|data| data.len() <= longest && *data != "null" && !nests_deeper(data.as_bytes(), DEEPEST));
        Ok(Self { text, data: kept.and_then(|data| serde_json::from_str(data).ok()), is_error: raw.is_error })
    }
}

/// The era that a server speaks, by its answer to `server/discover`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// It speaks the modern revision.
    Modern,
    /// It may speak one of those before.
    Handshake,
    /// It speaks none that we do.
    Neither,
}

impl Spoken {
    /// Reads the answer. Whatever shows no modern server is one of before.
    pub fn read(answer: &Result<Box<RawValue>, RpcError>) -> Self {
        let versions = |value: &Value| -> Vec<String> {
            value.as_array().into_iter().flatten().filter_map(|version| version.as_str().map(str::to_owned)).collect()
        };
        match answer {
            Ok(result) => {
                let read: Map<String, Value> = serde_json::from_str(result.get()).unwrap_or_default();
                let supported = read.get("supportedVersions").map(versions);
                if supported.is_some_and(|all| all.iter().any(|one| one == MODERN)) {
                    Self::Modern
                } else {
                    Self::Handshake
                }
            }
            Err(error) if error.code == code::UNSUPPORTED_VERSION => {
                let supported = error.data.get("supported").map(versions);
                let known = |one: &String| HANDSHAKE.contains(&one.as_str());
                if supported.is_some_and(|all| !all.iter().any(known)) { Self::Neither } else { Self::Handshake }
            }
            Err(_) => Self::Handshake,
        }
    }
}

/// The revision that a server chose in its answer to `initialize`.
///
/// # Errors
/// When it is none that we speak.
pub fn chosen(result: &RawValue) -> Result<&'static str, String> {
    #[derive(Deserialize)]
    struct Initialized {
        #[serde(rename = "protocolVersion")]
        version: String,
    }
    let read: Initialized = parsed(result, "its answer to `initialize`")?;
    HANDSHAKE.into_iter().find(|version| *version == read.version).ok_or_else(|| {
        let version = visible(&read.version).into_owned();
        format!("it speaks revision `{version}` of MCP, which is none that rolecall knows")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn raw(value: &Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(value).unwrap()
    }

    #[test]
    fn tools_are_listed_and_what_cannot_be_called_is_left_out() {
        let mut deep = json!({});
        for _ in 0..70 {
            deep = json!({ "x": deep });
        }
        let page = json!({ "tools": [
            { "name": "search", "description": "Finds.", "inputSchema": { "properties": {} } },
            { "name": "", "inputSchema": {} },
            { "name": "a\u{1b}b", "inputSchema": {} },
            { "name": "deep", "inputSchema": deep },
            { "name": "list", "inputSchema": [] },
            { "title": "no name" },
        ], "nextCursor": "2" });
        let page = Page::read(&raw(&page)).unwrap();
        assert_eq!(page.next.as_deref(), Some("2"));
        let [tool] = &page.tools[..] else {
            panic!("{page:?}");
        };
        assert_eq!((&*tool.name, &*tool.description), ("search", "Finds."));
        assert_eq!(tool.input["type"], "object");
        assert!(Page::read(&raw(&json!({ "tools": 1 }))).is_err());
    }

    #[test]
    fn results_become_text_and_parts_within_bounds() {
        let result = json!({ "content": [
            { "type": "text", "text": "abc" },
            { "type": "image", "data": "AAAA", "mimeType": "image/png" },
            { "type": "resource", "resource": { "uri": "file:///x", "text": "inner" } },
            { "type": "resource_link", "uri": "http://x/y" },
        ], "structuredContent": { "n": 1 }, "isError": true });
        let shown = Shown::read(&raw(&result), 1000).unwrap();
        assert_eq!(shown.text, "abc\n[image image/png]\ninner\n[resource_link http://x/y]");
        assert_eq!((shown.data, shown.is_error), (Some(json!({ "n": 1 })), true));
        let long = json!({ "content": [{ "type": "text", "text": "äöü" }],
                           "structuredContent": { "long": "text" } });
        let cut = Shown::read(&raw(&long), 3).unwrap();
        assert_eq!((&*cut.text, cut.data), ("ä [cut]", None));
        let asks = json!({ "resultType": "input_required", "inputRequests": {} });
        assert!(Shown::read(&raw(&asks), 10).unwrap().is_error);
        assert!(Shown::read(&raw(&json!([])), 10).is_err());
    }

    #[test]
    fn a_server_that_shows_no_modern_revision_is_greeted() {
        let found = |versions: Value| Spoken::read(&Ok(raw(&json!({ "supportedVersions": versions }))));
        assert_eq!(found(json!([MODERN, "x"])), Spoken::Modern);
        assert_eq!(found(json!(["2025-11-25"])), Spoken::Handshake);
        assert_eq!(found(json!(7)), Spoken::Handshake);
        let refused = |code: i64, data: Value| {
            let error = RpcError { data, ..RpcError::new(code, "no") };
            Spoken::read(&Err(error))
        };
        assert_eq!(refused(-32601, json!(null)), Spoken::Handshake);
        let other = refused(code::UNSUPPORTED_VERSION, json!({ "supported": ["2099-01-01"] }));
        assert_eq!(other, Spoken::Neither);
        let both = refused(code::UNSUPPORTED_VERSION, json!({ "supported": ["2025-11-25"] }));
        assert_eq!(both, Spoken::Handshake);
        assert_eq!(chosen(&raw(&json!({ "protocolVersion": "2025-06-18" }))), Ok("2025-06-18"));
        assert!(chosen(&raw(&json!({ "protocolVersion": "1" }))).is_err());
    }
}
