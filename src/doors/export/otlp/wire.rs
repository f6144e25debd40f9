//! OTLP's messages: written as JSON, and turned into protobuf by the table of their fields
//! (opentelemetry-proto 1.10). Nine messages are no reason for the crates that generate them, which would take
//! more time to build than the rest of the export.

use serde_json::{Value, json};

/// A field of a message.
struct Field {
    /// Its name in JSON.
    name: &'static str,
    number: u64,
    kind: Kind,
}

/// How a field is written in JSON, and so in protobuf.
enum Kind {
    Text,
    Flag,
    /// A number as such (an enum).
    Small,
    /// A number as a text.
    Large,
    /// Nanoseconds as a text; eight bytes.
    Time,
    Real,
    /// Bytes in hexadecimal.
    Id,
    Message(&'static [Field]),
}

const fn field(name: &'static str, number: u64, kind: Kind) -> Field {
    Field { name, number, kind }
}

/// `ExportTraceServiceRequest`.
static REQUEST: [Field; 1] = [field("resourceSpans", 1, Kind::Message(&RESOURCE_SPANS))];
static RESOURCE_SPANS: [Field; 3] = [
    field("resource", 1, Kind::Message(&RESOURCE)),
    field("scopeSpans", 2, Kind::Message(&SCOPE_SPANS)),
    field("schemaUrl", 3, Kind::Text),
];
static RESOURCE: [Field; 1] = [field("attributes", 1, Kind::Message(&KEY_VALUE))];
static SCOPE_SPANS: [Field; 3] = [
    field("scope", 1, Kind::Message(&SCOPE)),
    field("spans", 2, Kind::Message(&SPAN)),
    field("schemaUrl", 3, Kind::Text),
];
static SCOPE: [Field; 2] = [field("name", 1, Kind::Text), field("version", 2, Kind::Text)];
static SPAN: [Field; 9] = [
    field("traceId", 1, Kind::Id),
    field("spanId", 2, Kind::Id),
    field("parentSpanId", 4, Kind::Id),
    field("name", 5, Kind::Text),
    field("kind", 6, Kind::Small),
    field("startTimeUnixNano", 7, Kind::Time),
    field("endTimeUnixNano", 8, Kind::Time),
    field("attributes", 9, Kind::Message(&KEY_VALUE)),
    field("status", 15, Kind::Message(&STATUS)),
];
static STATUS: [Field; 2] = [field("message", 2, Kind::Text), field("code", 3, Kind::Small)];
static KEY_VALUE: [Field; 2] = [field("key", 1, Kind::Text), field("value", 2, Kind::Message(&ANY))];
static ANY: [Field; 5] = [
    field("stringValue", 1, Kind::Text),
    field("boolValue", 2, Kind::Flag),
    field("intValue", 3, Kind::Large),
    field("doubleValue", 4, Kind::Real),
    field("arrayValue", 5, Kind::Message(&ARRAY)),
];
static ARRAY: [Field; 1] = [field("values", 1, Kind::Message(&ANY))];

/// A request with these spans, as JSON.
pub(super) fn request(service: &str, schema_url: &str, spans: Vec<Value>) -> Value {
    let service = attribute("service.name", service.into());
    let scope = json!({ "name": "rolecall", "version": env!("CARGO_PKG_VERSION") });
    let spans = json!({ "scope": scope, "spans": spans, "schemaUrl": schema_url });
    let resource = json!({ "attributes": [service] });
    json!({ "resourceSpans": [{
        "resource": resource, "scopeSpans": [spans], "schemaUrl": schema_url,
    }] })
}

/// An attribute, of a text, a number, a flag or a list of these.
pub(super) fn attribute(key: &str, value: Value) -> Value {
    json!({ "key": key, "value": any(value) })
}

fn any(value: Value) -> Value {
    match value {
        Value::Bool(flag) => json!({ "boolValue": flag }),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => json!({ "intValue": whole.to_string() }),
            None => json!({ "doubleValue": number }),
        },
        Value::String(text) => json!({ "stringValue": text }),
        Value::Array(values) => {
            let values: Vec<Value> = values.into_iter().map(any).collect();
            json!({ "arrayValue": { "values": values } })
        }
        // Backends that cannot take structures take their text.
        other => json!({ "stringValue": other.to_string() }),
    }
}

/// A request as protobuf.
pub(super) fn protobuf(request: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    message(request, &REQUEST, &mut bytes);
    bytes
}

fn message(value: &Value, fields: &[Field], bytes: &mut Vec<u8>) {
    for field in fields {
        match value.get(field.name) {
            None | Some(Value::Null) => {}
            Some(Value::Array(values)) => {
                values.iter().for_each(|value| write(value, field, bytes));
            }
            Some(value) => write(value, field, bytes),
        }
    }
}

/// Wire types of protobuf.
const VARINT: u64 = 0;
const EIGHT: u64 = 1;
const LENGTH: u64 = 2;

fn write(value: &Value, field: &Field, bytes: &mut Vec<u8>) {
    let text = value.as_str().unwrap_or_default();
    let mut key = |kind: u64| varint(field.number << 3 | kind, bytes);
    let held = match &field.kind {
        Kind::Flag => {
            key(VARINT);
            return varint(value.as_bool().unwrap_or_default().into(), bytes);
        }
        Kind::Small => {
            key(VARINT);
            return varint(value.as_u64().unwrap_or_default(), bytes);
        }
        Kind::Large => {
            key(VARINT);
            let number: i64 = text.parse().unwrap_or_default();
            return varint(number.cast_unsigned(), bytes);
        }
        Kind::Time => {
            key(EIGHT);
            let time: u64 = text.parse().unwrap_or_default();
            return bytes.extend(time.to_le_bytes());
        }
        Kind::Real => {
            key(EIGHT);
            return bytes.extend(value.as_f64().unwrap_or_default().to_le_bytes());
        }
        Kind::Text => text.as_bytes().to_vec(),
        Kind::Id => from_hex(text),
        Kind::Message(fields) => {
            let mut inner = Vec::new();
            message(value, fields, &mut inner);
            inner
        }
    };
    key(LENGTH);
    varint(held.len() as u64, bytes);
    bytes.extend(held);
}

fn from_hex(text: &str) -> Vec<u8> {
    text.as_bytes()
        .chunks_exact(2)
        .filter_map(|pair| std::str::from_utf8(pair).ok())
        .filter_map(|pair| u8::from_str_radix(pair, 16).ok())
        .collect()
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
