use super::*;

fn server() -> Server {
    let input = json!({ "type": "object" });
    let tool = Tool { name: "begin".to_owned(), description: "Begins.".to_owned(), output: input.clone(), input };
    Server { instructions: "Begin.".to_owned(), tools: vec![tool] }
}

fn lines() -> Way {
    Way::Lines { greeted: false }
}

fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ VERSION_KEY: MODERN, CAPABILITIES_KEY: {} });
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn answer(message: &Value, way: &mut Way) -> (u16, Value) {
    match server().hear(message.to_string().as_bytes(), way) {
        Reaction::Answer(reply) => (reply.status, serde_json::from_str(&reply.line).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn code_of(message: &Value, way: &mut Way) -> (u16, i64) {
    let (status, answer) = answer(message, way);
    (status, answer["error"]["code"].as_i64().unwrap())
}

#[test]
fn the_modern_revision_says_all_in_each_request() {
    let (_, found) = answer(&modern("server/discover", json!({})), &mut lines());
    let result = &found["result"];
    assert_eq!(result["supportedVersions"], json!([MODERN]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["cacheScope"], "public");
    assert_eq!(result["_meta"][SERVER_KEY]["name"], "rolecall");
    let (_, listed) = answer(&modern("tools/list", json!({})), &mut lines());
    assert_eq!(listed["result"]["tools"][0]["name"], "begin");
    assert!(listed["result"]["ttlMs"].as_u64().unwrap() > 0);
    let call = modern("tools/call", json!({ "name": "begin", "arguments": { "task": 3 } }));
    let Reaction::Call(called) = server().hear(call.to_string().as_bytes(), &mut lines()) else {
        panic!("no call");
    };
    assert_eq!(called.arguments["task"], 3);
    let given: Value = serde_json::from_str(&called.answer(&Given::Result(json!({ "text": "x" }))).line).unwrap();
    assert_eq!(given["result"]["structuredContent"]["text"], "x");
    assert_eq!(given["result"]["content"][0]["text"], r#"{"text":"x"}"#);
    assert_eq!(given["result"]["resultType"], "complete");
    let refused = called.answer(&Given::Refused("no".to_owned()));
    assert!(refused.line.contains(r#""isError":true"#), "{}", refused.line);
}

#[test]
fn clients_of_before_shake_hands_first() {
    let mut way = lines();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(code_of(&list, &mut way), (400, RpcError::BAD_PARAMS));
    let hello = |version: &str| {
        json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize",
                "params": { "protocolVersion": version, "capabilities": {} } })
    };
    let (_, greeted) = answer(&hello("2025-06-18"), &mut way);
    assert_eq!(greeted["id"], "a");
    assert_eq!(greeted["result"]["protocolVersion"], "2025-06-18");
    let (_, other) = answer(&hello("1999-01-01"), &mut way);
    assert_eq!(other["result"]["protocolVersion"], "2025-11-25");
    let (_, listed) = answer(&list, &mut way);
    assert!(listed["result"].get("resultType").is_none());
    assert_eq!(listed["result"]["tools"][0]["name"], "begin");
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    assert_eq!(answer(&ping, &mut way).1["result"], json!({}));
    let unknown = json!({ "jsonrpc": "2.0", "id": 2, "method": "prompts/list" });
    assert_eq!(code_of(&unknown, &mut way), (200, RpcError::UNKNOWN_METHOD));
}

#[test]
fn every_error_has_its_code() {
    let mut other = modern("tools/list", json!({}));
    other["params"]["_meta"][VERSION_KEY] = json!("2099-01-01");
    let (status, found) = answer(&other, &mut lines());
    assert_eq!((status, &found["error"]["code"]), (400, &json!(code::UNSUPPORTED_VERSION)));
    assert_eq!(found["error"]["data"]["requested"], "2099-01-01");
    assert_eq!(found["error"]["data"]["supported"][0], MODERN);
    let table = [
        (modern("ping", json!({})), 404, RpcError::UNKNOWN_METHOD),
        (modern("tools/call", json!({ "name": "x" })), 400, RpcError::BAD_PARAMS),
        (modern("tools/call", json!({})), 400, RpcError::BAD_PARAMS),
        (modern("tools/call", json!({ "name": "begin", "arguments": [] })), 400, RpcError::BAD_PARAMS),
        (modern("tools/list", json!({ "cursor": "x" })), 400, RpcError::BAD_PARAMS),
        (json!([]), 400, code::INVALID_REQUEST),
        (json!({ "jsonrpc": "2.0", "id": null, "method": "x" }), 400, code::INVALID_REQUEST),
        (json!({ "id": 1, "method": "x" }), 400, code::INVALID_REQUEST),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [] }), 400, RpcError::BAD_PARAMS),
    ];
    for (message, status, code) in table {
        assert_eq!(code_of(&message, &mut lines()), (status, code), "{message}");
    }
    let Reaction::Answer(reply) = server().hear(b"{", &mut lines()) else {
        panic!("no answer");
    };
    assert!(reply.line.contains("-32700") && reply.line.contains(r#""id":null"#));
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                            "params": { "requestId": 7 } });
    let heard = server().hear(cancelled.to_string().as_bytes(), &mut lines());
    assert_eq!(heard, Reaction::Cancelled(json!(7)));
    let response = json!({ "jsonrpc": "2.0", "id": 7, "result": {} });
    let heard = server().hear(response.to_string().as_bytes(), &mut lines());
    assert_eq!(heard, Reaction::Nothing);
}

#[test]
fn headers_say_what_the_message_says() {
    let headers = |version: &str, method: &str, name: Option<&str>| {
        Way::Http(Headers {
            version: Some(version.to_owned()),
            method: Some(method.to_owned()),
            name: name.map(str::to_owned),
        })
    };
    let list = modern("tools/list", json!({}));
    assert_eq!(answer(&list, &mut headers(MODERN, "tools/list", None)).0, 200);
    let call = modern("tools/call", json!({ "name": "begin" }));
    for (message, mut way) in [
        (&list, headers("2025-11-25", "tools/list", None)),
        (&list, headers(MODERN, "tools/call", None)),
        (&list, Way::Http(Headers::default())),
        (&call, headers(MODERN, "tools/call", None)),
        (&call, headers(MODERN, "tools/call", Some("other"))),
    ] {
        assert_eq!(code_of(message, &mut way), (400, code::HEADER_MISMATCH), "{way:?}");
    }
    let old = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(answer(&old, &mut Way::Http(Headers::default())).0, 200);
    assert_eq!(answer(&old, &mut headers("2025-06-18", "x", None)).0, 200);
    let bare = code_of(&old, &mut headers(MODERN, "tools/list", None));
    assert_eq!(bare, (400, RpcError::BAD_PARAMS));
}
