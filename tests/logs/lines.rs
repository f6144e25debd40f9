//! Event lines: what is written is read back, and nothing that is read makes the reader panic.

use std::path::Path;

use crate::support::synthetic::{self, Story, events, id};
use proptest::prelude::*;
use rolecall::domain::*;
use rolecall::log::{EventEncoder, decode_event};
use serde_json::Value;

fn seat() -> impl Strategy<Value = Seat> {
    prop_oneof![
        Just(Seat::Conductor),
        Just(Seat::Environment),
        Just(Seat::User),
        "[a-z][a-z0-9_-]{0,10}".prop_filter_map("a role's name", |name| { RoleName::new(&name).ok().map(Seat::Role) }),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn action() -> impl Strategy<Value = Action> {
    (any::<String>(), prop::option::of((any::<String>(), value()))).prop_map(|(text, call)| {
        let call = call.map(|(tool, arguments)| Box::new(Call { tool, arguments }));
        Action { text, call }
    })
}

fn made() -> impl Strategy<Value = Move> {
    let text = any::<String>;
    let step = (text(), prop::option::of(text()), action()).prop_map(|(description, variable, action)| PlanStep {
        description,
        variable,
        action,
    });
    prop_oneof![
        text().prop_map(Move::think),
        prop::collection::vec(step, 0..3).prop_map(|steps| Move::Plan { steps }),
        action().prop_map(|action| Move::Act { action }),
        (text(), prop::option::of(text())).prop_map(|(text, act)| Move::Speak { text, act: act.map(DialogueAct) }),
        (any::<bool>(), prop::option::of(text())).prop_map(|(clarify, reason)| Move::Judge { clarify, reason }),
        text().prop_map(|lesson| Move::Learn { lesson }),
        value().prop_map(|answer| Move::Finish { answer: Box::new(answer) }),
    ]
}

fn utterance() -> impl Strategy<Value = Utterance> {
    (any::<String>(), prop::option::of(any::<String>()), any::<[bool; 5]>()).prop_map(
        |(text, act, [leaving, satisfied, response, given, cut])| Utterance {
            text,
            act: act.map(DialogueAct),
            leaving,
            satisfied,
            response,
            given,
            cut,
        },
    )
}

fn ending() -> impl Strategy<Value = Ending> {
    prop_oneof![
        Just(Ending::Solved),
        Just(Ending::OutOf { limit: Limit::ModelCalls }),
        seat().prop_map(|by| Ending::Broken { by }),
        Just(Ending::Cancelled),
    ]
}

fn model_call() -> impl Strategy<Value = ModelCall> {
    let logprob = || -1e6..0.0;
    let tool_call = (any::<String>(), value()).prop_map(|(name, arguments)| ToolCall { name, arguments });
    let token = (any::<String>(), logprob()).prop_map(|(token, logprob)| TokenLogprob { token, logprob });
    let finish = prop::sample::select(vec![Finish::Stop, Finish::Length, Finish::ToolCalls]);
    let choice = (
        any::<String>(),
        finish,
        prop::collection::vec(tool_call, 0..2),
        prop::collection::vec(token, 0..2),
        prop::collection::vec(any::<u32>(), 0..2),
    );
    let choice = choice.prop_map(|(text, finish, tool_calls, tokens, token_ids)| Choice {
        text,
        finish,
        tool_calls,
        tokens,
        token_ids,
        thinking: String::new(),
    });
    let score = (logprob(), any::<u32>()).prop_map(|(logprob, tokens)| CandidateScore { logprob, tokens });
    let reply = (prop::collection::vec(choice, 0..3), prop::collection::vec(score, 0..3), any::<(u32, u32, bool)>());
    let reply = reply.prop_map(|(choices, scores, (prompt, completion, estimated))| ModelReply {
        vectors: Vec::new(),
        relevance: Vec::new(),
        prompt_token_ids: vec![prompt],
        billed: None,
        served: None,
        choices,
        scores,
        usage: Usage { prompt: prompt.into(), completion: completion.into(), estimated, ..Usage::default() },
    });
    let key = any::<[u32; 4]>();
    let cost = (prop::option::of(0.0..1e6), any::<bool>());
    (key, any::<String>(), any::<String>(), reply, cost).prop_map(
        |([turn, attempt, call, again], model, request, reply, (cost, remembered))| ModelCall {
            turn,
            attempt,
            call,
            again,
            unread: None,
            model,
            request,
            reply,
            cost,
            remembered,
        },
    )
}

fn observation() -> impl Strategy<Value = Observation> {
    let asks = prop::option::of(any::<String>().prop_map(String::into_boxed_str));
    (any::<String>(), value(), asks, any::<bool>(), any::<bool>()).prop_map(|(text, data, asks, done, invalid)| {
        Observation {
            text,
            asks,
            // Written as `null`, which reads as absent.
            data: (!data.is_null()).then_some(Box::new(data)),
            done,
            invalid,
        }
    })
}

fn message() -> impl Strategy<Value = Message> {
    let reward = || any::<f64>().prop_filter("finite", |reward| reward.is_finite());
    let observation = observation();
    let score = (any::<bool>(), reward(), value());
    let scored =
        (any::<u32>(), any::<u32>(), ending(), score).prop_map(|(trial, round, ending, (success, reward, detail))| {
            Scored { trial, round, ending, score: Score { success, reward, detail } }
        });
    let closed = (ending(), any::<bool>(), reward(), any::<[u32; 6]>()).prop_map(
        |(ending, success, reward, [steps, questions, actions, invalid, faults, model_calls])| Outcome {
            ending,
            success,
            reward,
            counts: Counts {
                steps,
                questions,
                actions,
                invalid,
                faults,
                model_calls,
                tokens: u64::from(model_calls) * 1000,
            },
        },
    );
    prop_oneof![
        made().prop_map(Message::Moved),
        action().prop_map(Message::Perform),
        observation.prop_map(Message::Observed),
        utterance().prop_map(Message::Told),
        utterance().prop_map(Message::Replied),
        Just(Message::Assess),
        model_call().prop_map(|call| Message::ModelCalled(Box::new(call))),
        scored.prop_map(|scored| Message::Scored(Box::new(scored))),
        closed.prop_map(Message::Closed),
        (any::<String>(), any::<String>()).prop_map(|(code, note)| Message::Repaired(Repair { code, note })),
        (seat(), any::<String>(), value()).prop_map(|(audience, label, value)| {
            Message::Entrusted(Box::new(PrivateInfo { audience, label, value: std::sync::Arc::new(value) }))
        }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    (any::<u32>(), prop::option::of(any::<u32>()), seat(), seat(), message())
        .prop_map(|(seq, cause, from, to, message)| Event { seq, cause, from, to, message })
}

proptest! {
    #[test]
    fn an_event_is_read_as_it_was_written(event in event()) {
        let mut lines = Vec::new();
        EventEncoder::new(&id("main:3:1")).encode(&event, &mut lines).unwrap();
        prop_assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), 1);
        let (episode, read) = decode_event(Path::new("x"), 1, &lines).unwrap();
        prop_assert_eq!(episode, id("main:3:1"));
        prop_assert_eq!(&read, &event);
        let mut again = Vec::new();
        EventEncoder::new(&id("main:3:1")).encode(&read, &mut again).unwrap();
        prop_assert_eq!(again, lines);
    }

    #[test]
    fn arbitrary_bytes_are_an_error_and_no_panic(bytes in any::<Vec<u8>>()) {
        let error = decode_event(Path::new("x"), 7, &bytes).unwrap_err();
        prop_assert!(error.to_string().starts_with("`x` line 7: "));
    }

    #[test]
    fn a_cut_or_damaged_line_is_no_panic(event in event(), cut in any::<prop::sample::Index>(), byte: u8) {
        let mut lines = Vec::new();
        EventEncoder::new(&id("main:3:1")).encode(&event, &mut lines).unwrap();
        lines.pop();
        let place = cut.index(lines.len());
        prop_assert!(decode_event(Path::new("x"), 7, &lines[..place]).is_err());
        lines[place] = byte;
        // May be readable by chance; must not panic.
        let _ = decode_event(Path::new("x"), 7, &lines);
    }
}

#[test]
fn every_event_of_an_episode_goes_through_a_line() {
    let story =
        Story { questions: 1, faults: 1, user: Some("helpful"), ..Story::new("main:3:1", "put", Ending::Solved) };
    for event in events(&story) {
        let line = synthetic::encode(&story.id, std::slice::from_ref(&event));
        assert_eq!(decode_event(Path::new("x"), 1, &line).unwrap().1, event);
    }
}
