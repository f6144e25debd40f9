//! The server's side: from a message to its answer, or to the call of a tool. Pure functions; who serves
//! performs the calls and knows the transport.

use serde_json::{Map, Value, json};

use super::protocol::{CAPABILITIES_KEY, HANDSHAKE, LAST_HANDSHAKE, MODERN, SERVER_KEY, VERSION_KEY, code, ourselves};
use crate::wire::RpcError;
use rolecall_core::text::visible;

/// How long a client may keep what does not change while the server runs, in milliseconds.
const KEPT: u64 = 3_600_000;

/// A tool that clients may call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its description, for whoever decides to call it.
    pub description: String,
    /// The schema of its arguments.
    pub input: Value,
    /// The schema of what it gives.
    pub output: Value,
}

/// The result of a tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A value as its schema says.
    Result(Value),
    /// It could not be called like this; the text says what to do.
    Refused(String),
}

/// The tools of a server, and what it says of itself.
#[derive(Clone, Debug)]
pub struct Server {
    /// Text that a model should read before it calls the first tool.
    pub instructions: String,
    /// The tools, in the order of their listing.
    pub tools: Vec<Tool>,
}

/// The headers of a request over HTTP that repeat what its message says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// `MCP-Protocol-Version`
    pub version: Option<String>,
    /// `Mcp-Method`
    pub method: Option<String>,
    /// `Mcp-Name`
    pub name: Option<String>,
}

/// The way that messages come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Line by line over one connection.
    Lines {
        /// It began with `initialize`.
        greeted: bool,
    },
    /// One by one over HTTP.
    Http(Headers),
}

/// The outcome of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Reaction {
    /// It is answered at once.
    Answer(Reply),
    /// A tool is called.
    Call(Called),
    /// The request of this id needs no answer any more.
    Cancelled(Value),
    /// Nothing.
    Nothing,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status that it has over HTTP.
    pub status: u16,
    /// The message, in one line.
    pub line: String,
}

/// A call that is to be performed and then [answered](Called::answer).
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// The request's id.
    pub id: Value,
    /// The tool, one of the server's.
    pub tool: String,
    /// Its arguments as the client wrote them.
    pub arguments: Map<String, Value>,
    era: Era,
}

/// Before or after the revision that did away with sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Era {
    Handshake,
    Modern,
}

impl Reply {
    fn result(id: &Value, era: Era, mut result: Value) -> Self {
        if era == Era::Modern {
            result["resultType"] = "complete".into();
            result["_meta"] = json!({ SERVER_KEY: ourselves() });
        }
        Self { status: 200, line: json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string() }
    }

    /// An error. Clients of earlier revisions find theirs in the answer, whatever the status.
    fn error(id: &Value, era: Era, error: &RpcError) -> Self {
        let status = match (era, error.code) {
            (Era::Handshake, _) => 200,
            (Era::Modern, RpcError::UNKNOWN_METHOD) => 404,
            (Era::Modern, _) => 400,
        };
        Self { status, line: json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string() }
    }
}

impl Called {
    /// The answer to the call.
    pub fn answer(&self, given: &Given) -> Reply {
        let text = |text: String| json!([{ "type": "text", "text": text }]);
        let result = match given {
            Given::Result(value) => json!({
                "content": text(value.to_string()),
                "structuredContent": value,
                "isError": false,
            }),
            Given::Refused(why) => json!({ "content": text(why.clone()), "isError": true }),
        };
        Reply::result(&self.id, self.era, result)
    }
}

/// A message that is well formed.
struct Request {
    id: Option<Value>,
    method: String,
    params: Map<String, Value>,
}

impl Request {
    /// Reads a message; none if it answers something. What is none is answered.
    fn read(message: &[u8]) -> Result<Option<Self>, Reply> {
        let refused =
            |id: &Value, code: i64, text: &str| Err(Reply::error(id, Era::Modern, &RpcError::new(code, text)));
        let nobody = &Value::Null;
        let mut fields = match serde_json::from_slice(message) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => {
                return refused(nobody, code::INVALID_REQUEST, "a message is one JSON object");
            }
            Err(error) => return refused(nobody, code::PARSE, &format!("it is no JSON: {error}")),
        };
        let id = fields.remove("id");
        let usable = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
        if id.as_ref().is_some_and(|id| !usable(id)) {
            return refused(nobody, code::INVALID_REQUEST, "`id` is a text or a whole number");
        }
        let answered = id.clone().unwrap_or_default();
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refused(&answered, code::INVALID_REQUEST, "`jsonrpc` is \"2.0\"");
        }
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Ok(None);
            }
            _ => return refused(&answered, code::INVALID_REQUEST, "`method` is a text"),
        };
        let params = match fields.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return refused(&answered, RpcError::BAD_PARAMS, "`params` is an object"),
        };
        Ok(Some(Self { id, method, params }))
    }

    /// The era that a request is of.
    ///
    /// # Errors
    /// When it does not say what requests of the modern revision must say, contradicts itself, or speaks a
    /// revision that is not spoken here.
    fn era(&self, way: &Way) -> Result<Era, RpcError> {
        let meta = self.params.get("_meta");
        let version = meta.and_then(|meta| meta.get(VERSION_KEY));
        let handshake = match way {
            Way::Lines { greeted } => *greeted || ["initialize", "ping"].contains(&self.method.as_str()),
            Way::Http(headers) => {
                let version = headers.version.as_deref();
                version.is_none_or(|version| HANDSHAKE.contains(&version))
            }
        };
        if version.is_none() && handshake && self.method != "server/discover" {
            return Ok(Era::Handshake);
        }
        let known = |key: &&str| meta.is_some_and(|meta| meta.get(*key).is_some());
        let mut needed = [VERSION_KEY, CAPABILITIES_KEY].into_iter();
        if let Some(missing) = needed.find(|key| !known(key)) {
            return Err(RpcError::bad_params(format!("`_meta` must say `{missing}`")));
        }
        let version = version.unwrap_or(&Value::Null);
        if let Way::Http(headers) = way {
            self.check_headers(headers, version)?;
        }
        match version.as_str() {
            Some(MODERN) => Ok(Era::Modern),
            Some(requested) => Err(RpcError {
                data: json!({ "supported": [MODERN, LAST_HANDSHAKE], "requested": requested }),
                ..RpcError::new(code::UNSUPPORTED_VERSION, "unsupported protocol version")
            }),
            None => Err(RpcError::bad_params(format!("`{VERSION_KEY}` is a text"))),
        }
    }

    fn check_headers(&self, headers: &Headers, version: &Value) -> Result<(), RpcError> {
        let name = self.params.get("name").and_then(Value::as_str).filter(|_| self.method == "tools/call");
        for (header, written, said) in [
            ("MCP-Protocol-Version", &headers.version, version.as_str()),
            ("Mcp-Method", &headers.method, Some(&*self.method)),
            ("Mcp-Name", &headers.name, name),
        ] {
            if said.is_some() && written.as_deref() != said {
                return Err(RpcError::new(
                    code::HEADER_MISMATCH,
                    format!("the header `{header}` is not what the message says"),
                ));
            }
        }
        Ok(())
    }
}

impl Server {
    /// Reads a message, and answers it or says what it calls for.
    pub fn hear(&self, message: &[u8], way: &mut Way) -> Reaction {
        let request = match Request::read(message) {
            Ok(Some(request)) => request,
            // We ask nothing, so nothing is answered.
            Ok(None) => return Reaction::Nothing,
            Err(reply) => return Reaction::Answer(reply),
        };
        let Some(id) = &request.id else {
            let cancelled = request.method == "notifications/cancelled";
            let id = request.params.get("requestId").filter(|_| cancelled);
            return id.map_or(Reaction::Nothing, |id| Reaction::Cancelled(id.clone()));
        };
        let era = match request.era(way) {
            Ok(era) => era,
            Err(error) => return Reaction::Answer(Reply::error(id, Era::Modern, &error)),
        };
        if let (Way::Lines { greeted }, "initialize") = (way, &*request.method) {
            *greeted |= era == Era::Handshake;
        }
        let result = match (era, &*request.method) {
            (_, "tools/call") => match self.called(&request, era) {
                Ok(called) => return Reaction::Call(called),
                Err(error) => Err(error),
            },
            (_, "tools/list") => self.listed(&request.params, era),
            (Era::Modern, "server/discover") => Ok(self.discovered()),
            (Era::Handshake, "initialize") => Ok(self.initialized(&request.params)),
            (Era::Handshake, "ping") => Ok(json!({})),
            (_, method) => Err(RpcError::unknown_method(format!("there is no method `{}`", visible(method)))),
        };
        Reaction::Answer(match result {
            Ok(result) => Reply::result(id, era, result),
            Err(error) => Reply::error(id, era, &error),
        })
    }

    fn discovered(&self) -> Value {
        json!({
            "supportedVersions": [MODERN],
            "capabilities": { "tools": {} },
            "instructions": self.instructions,
            "ttlMs": KEPT,
            "cacheScope": "public",
        })
    }

    /// A client that wants a revision which we know gets it, any other the newest of its era.
    fn initialized(&self, params: &Map<String, Value>) -> Value {
        let wanted = params.get("protocolVersion").and_then(Value::as_str);
        json!({
            "protocolVersion": HANDSHAKE.into_iter().find(|version| Some(*version) == wanted).unwrap_or(LAST_HANDSHAKE),
            "capabilities": { "tools": {} },
            "serverInfo": ourselves(),
            "instructions": self.instructions,
        })
    }

    fn listed(&self, params: &Map<String, Value>, era: Era) -> Result<Value, RpcError> {
        if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
            return Err(RpcError::bad_params("all tools stand on the first page: leave `cursor` out"));
        }
        let tools: Value = self
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "description": tool.description,
                    "inputSchema": tool.input,
                    "outputSchema": tool.output,
                })
            })
            .collect();
        Ok(match era {
            Era::Handshake => json!({ "tools": tools }),
            Era::Modern => json!({ "tools": tools, "ttlMs": KEPT, "cacheScope": "public" }),
        })
    }

    fn called(&self, request: &Request, era: Era) -> Result<Called, RpcError> {
        let Some(name) = request.params.get("name").and_then(Value::as_str) else {
            return Err(RpcError::bad_params("`name` is the name of a tool"));
        };
        if !self.tools.iter().any(|tool| tool.name == name) {
            return Err(RpcError::bad_params(format!("there is no tool `{}`", visible(name))));
        }
        let arguments = match request.params.get("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return Err(RpcError::bad_params("`arguments` is an object")),
        };
        Ok(Called { id: request.id.clone().unwrap_or_default(), tool: name.to_owned(), arguments, era })
    }
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
