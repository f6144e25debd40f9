//! `rolecall export --format otlp`: what a collector gets, read with OpenTelemetry's own messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::{Router, routing};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, events, folder, play};
use rolecall::domain::{EpisodeId, Event, Message};

/// What a collector was sent: path, headers and the body, which came compressed.
type Got = Arc<Mutex<Vec<(Uri, HeaderMap, Vec<u8>)>>>;

/// A collector that keeps what it is sent, and is busy at first.
fn collector(answer: &'static [u8]) -> (SocketAddr, Got) {
    let got = Got::default();
    let kept = Arc::clone(&got);
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let busy = Arc::new(Mutex::new(true));
            let take = move |State(got): State<Got>, uri: Uri, headers: HeaderMap, body: Bytes| async move {
                if std::mem::take(&mut *busy.lock().unwrap()) {
                    return (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "0")], &b""[..]);
                }
                let mut plain = Vec::new();
                flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut plain).unwrap();
                got.lock().unwrap().push((uri, headers, plain));
                (StatusCode::OK, [("retry-after", "0")], answer)
            };
            let service = Router::new().route("/{*path}", routing::post(take)).with_state(kept);
            axum::serve(listener, service).await.unwrap();
        });
    });
    (told.recv().unwrap(), got)
}

/// All spans that came, as a collector decodes them.
fn spans(got: &Got) -> Vec<Span> {
    let mut spans = Vec::new();
    for (uri, headers, body) in got.lock().unwrap().iter() {
        assert_eq!(uri.path(), "/v1/traces");
        assert_eq!(headers["content-type"], "application/x-protobuf");
        let request = ExportTraceServiceRequest::decode(&body[..]).unwrap();
        // Nothing is left that the messages do not know.
        assert_eq!(request.encode_to_vec(), *body);
        for resource in request.resource_spans {
            let service = &resource.resource.as_ref().unwrap().attributes[0];
            assert_eq!(service.key, "service.name");
            assert!(resource.schema_url.contains("gen-ai"));
            for scope in resource.scope_spans {
                assert_eq!(scope.scope.unwrap().name, "rolecall");
                spans.extend(scope.spans);
            }
        }
    }
    spans
}

fn attributes(span: &Span) -> BTreeMap<String, Any> {
    let attributes = span.attributes.iter();
    let each: Vec<_> = attributes.map(|own| (own.key.clone(), own.value.clone().unwrap().value.unwrap())).collect();
    let by_key: BTreeMap<String, Any> = each.iter().cloned().collect();
    assert_eq!(by_key.len(), each.len(), "an attribute is there twice");
    by_key
}

/// Parents exist and hold their children in time; spans are as many as turns, calls, actions, replies and one.
fn check_trace(spans: &[&Span], events: &[Event]) {
    let kinds = ["brief", "model_called", "perform", "replied"];
    let asked = events.iter().filter(|event| kinds.contains(&event.message.kind()));
    assert_eq!(spans.len(), asked.count() + 1);
    let by_id: BTreeMap<&[u8], &&Span> = spans.iter().map(|span| (&span.span_id[..], span)).collect();
    assert_eq!(by_id.len(), spans.len());
    for span in spans {
        assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8));
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
        let operation = attributes(span)["gen_ai.operation.name"].clone();
        let Any::StringValue(operation) = operation else { panic!("{operation:?}") };
        assert!(span.name.starts_with(&operation), "{}", span.name);
        if span.parent_span_id.is_empty() {
            assert_eq!(operation, "invoke_workflow");
            continue;
        }
        let parent = by_id[&span.parent_span_id[..]];
        assert!(parent.start_time_unix_nano <= span.start_time_unix_nano, "{span:?}");
        assert!(parent.end_time_unix_nano >= span.end_time_unix_nano, "{span:?}");
        let called = ["chat", "text_completion"].contains(&&*operation);
        assert_eq!(span.kind, if called { 3 } else { 1 });
        assert_eq!(called, !parent.parent_span_id.is_empty(), "{}", span.name);
    }
}

fn check(spans: &[Span], episodes: &BTreeMap<EpisodeId, Vec<Event>>, run: &str) {
    let mut traces: BTreeMap<String, Vec<&Span>> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for span in spans {
        let conversation = attributes(span)["gen_ai.conversation.id"].clone();
        let Any::StringValue(conversation) = conversation else { panic!("{conversation:?}") };
        ids.insert((span.trace_id.clone(), conversation.clone()));
        traces.entry(conversation).or_default().push(span);
    }
    assert_eq!((traces.len(), ids.len()), (episodes.len(), episodes.len()));
    for (id, events) in episodes {
        check_trace(&traces[&format!("{run}/{id}")], events);
    }
}

fn export(at: &Path, run: &str, address: SocketAddr, more: &[&str]) -> String {
    let endpoint = format!("http://{address}");
    let export = ["export", run, "--format", "otlp", "--endpoint", &endpoint];
    text(&ends(at, &[&export[..], more].concat(), 0).stdout)
}

#[test]
fn a_collector_gets_a_trace_of_each_episode() {
    let folder = folder();
    let at = folder.path();
    let run = ["run", "configs/quickstart.toml", "-q", "--no-report", "--limit", "6"];
    ends(at, &run, 0);
    let (address, got) = collector(b"");
    let said = export(at, "quickstart", address, &[]);
    let first = spans(&got);
    assert!(said.contains(&first.len().to_string()), "{said}");
    check(&first, &events(at, "quickstart"), "quickstart");
    assert!(first.iter().any(|span| span.name == "invoke_agent user"));
    // Another time, a backend gets the same again; what it is named comes from the environment.
    let sent = std::mem::take(&mut *got.lock().unwrap());
    let sent: Vec<Vec<u8>> = sent.into_iter().map(|(.., body)| body).collect();
    let output = rolecall(at, &["export", "quickstart", "--format", "otlp", "--endpoint"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{address}/"))
        .env("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20s3cret, x-own=1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let again = got.lock().unwrap().clone();
    assert_eq!(again[0].1["authorization"], "Basic s3cret");
    assert_eq!(again[0].1["x-own"], "1");
    assert_eq!(sent, again.into_iter().map(|(.., body)| body).collect::<Vec<_>>());
}

#[test]
fn a_file_of_traces_says_the_same_as_is_sent() {
    let folder = folder();
    let at = folder.path();
    play(at, "respact", "p", &["--limit", "3"]);
    let files = ["one", "two"].map(|out| {
        ends(at, &["export", "p", "--format", "otlp", "--out", out], 0);
        fs::read_to_string(at.join(out).join("traces.jsonl")).unwrap()
    });
    assert_eq!(files[0], files[1]);
    let (address, got) = collector(b"");
    export(at, "p", address, &[]);
    let sent = spans(&got);
    let mut number = 0;
    for line in files[0].lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        for span in line["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap() {
            let hex: String = sent[number].span_id.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!((&span["spanId"], &span["name"]), (&json!(hex), &json!(sent[number].name)));
            assert_eq!(span["startTimeUnixNano"], sent[number].start_time_unix_nano.to_string());
            let keys: Vec<&str> = sent[number].attributes.iter().map(|own| &*own.key).collect();
            let own = span["attributes"].as_array().unwrap().iter();
            assert_eq!(own.map(|own| own["key"].as_str().unwrap()).collect::<Vec<_>>(), keys);
            number += 1;
        }
    }
    assert_eq!(number, sent.len());
    // Nothing that was said is there unless it is asked for, and what seats were entrusted with never.
    let mut said = BTreeSet::new();
    for event in events(at, "p").values().flatten() {
        match &event.message {
            Message::Observed(observation) if observation.text.len() > 20 => said.insert(observation.text.clone()),
            Message::Told(words) | Message::Replied(words) => said.insert(words.text.clone()),
            _ => false,
        };
    }
    assert!(said.iter().all(|text| !files[0].contains(&*json!(text).to_string())));
    ends(at, &["export", "p", "--format", "otlp", "--out", "three", "--content"], 0);
    let content = fs::read_to_string(at.join("three/traces.jsonl")).unwrap();
    assert!(said.iter().any(|text| content.contains(&*json!(text).to_string())));
    assert!(!content.contains("oracle_plan") && !content.contains("placements"));
}

#[test]
fn calls_of_models_are_spans_without_a_secret() {
    let folder = folder();
    let at = folder.path();
    let server = FakeModel::start(Duration::ZERO, |asked| {
        let user = asked.body.to_string().contains("Agent Query:");
        match blake3::hash(asked.key.as_bytes()).as_bytes()[0] % 6 {
            _ if user => Does::Says("Look on the shelf."),
            0 => Does::Says("Speak: Where is it?"),
            1 => Does::Says("Think: Where was it?"),
            2 => Does::Says("{\"nothing\": 1}"),
            _ => Does::Says("Act: look"),
        }
    });
    let config = format!(
        "extends = \"configs/household/respact.toml\"\nagents = \"agents\"\nname = \"r\"\n\
         [models.fake]\nprovider = \"openai\"\nmodel = \"any\"\nbase_url = \"{}\"\n\
         headers = {{ x-secret = \"s3cret-header\" }}\nextra_body = {{ my_token = \"s3cret-field\" }}\n\
         [roles.executor]\nimplementation = \"model\"\npersona = \"respact/executor\"\nmodel = \"fake\"\n\
         [user]\nkind = \"model\"\npersona = \"users/helpful\"\nmodel = \"fake\"\n[limits]\nsteps = 12\n",
        server.url()
    );
    fs::write(at.join("own.toml"), config).unwrap();
    let run = rolecall(at, &["run", "own.toml", "-q", "--no-report", "--limit", "4"]).output().unwrap();
    assert!(run.status.code() < Some(2), "{run:?}");
    for content in [&[][..], &["--content"]] {
        let (address, got) = collector(b"");
        export(at, "r", address, content);
        let spans = spans(&got);
        check(&spans, &events(at, "r"), "r");
        let calls: Vec<_> = spans.iter().filter(|span| span.kind == 3).map(attributes).collect();
        assert!(calls.len() > 20);
        for call in &calls {
            assert_eq!(call["gen_ai.provider.name"], Any::StringValue("fake".to_owned()));
            assert_eq!(call["gen_ai.request.model"], Any::StringValue("any".to_owned()));
            assert!(matches!(call["gen_ai.request.max_tokens"], Any::IntValue(1..)));
            assert_eq!(call["server.address"], Any::StringValue("127.0.0.1".to_owned()));
            let user = call["gen_ai.agent.name"] == Any::StringValue("user".to_owned());
            let shown = call.contains_key("gen_ai.input.messages");
            // The user knows where things are, which is for nobody else.
            assert_eq!(shown, !content.is_empty() && !user);
            assert_eq!(shown, call.contains_key("gen_ai.output.messages"));
        }
        let whole = format!("{spans:?}");
        assert!(!whole.contains("s3cret") && !whole.contains("Agent Query:"));
        assert_eq!(whole.contains("Look on the shelf."), !content.is_empty());
    }
}

#[test]
fn what_a_collector_refuses_is_said() {
    let folder = folder();
    let at = folder.path();
    play(at, "react", "p", &["--limit", "1"]);
    // Two spans of it were not taken.
    let (address, _) = collector(b"\x0a\x02\x08\x02");
    let endpoint = format!("http://{address}/v1/traces");
    let sent = ["export", "p", "--format", "otlp", "--endpoint", &endpoint];
    let said = text(&ends(at, &sent, 2).stderr);
    assert!(said.contains("did not take 2 of"), "{said}");
    let export = |more: &[&str]| {
        let all = [&["export", "p", "--format", "otlp"], more].concat();
        text(&ends(at, &all, 2).stderr)
    };
    let said = export(&["--endpoint", "http://me:s3cret@host"]);
    assert!(said.contains("OTEL_EXPORTER_OTLP_HEADERS") && !said.contains("s3cret"), "{said}");
    let said = export(&["--endpoint"]);
    assert!(said.contains("OTEL_EXPORTER_OTLP_ENDPOINT: is not set"), "{said}");
    let said = text(&ends(at, &["export", "p", "--format", "inspect", "--content", "--out", "x"], 2).stderr);
    assert!(said.contains("--content is for --format otlp") && !at.join("x").exists(), "{said}");
}
