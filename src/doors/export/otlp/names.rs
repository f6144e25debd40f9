//! The names of OpenTelemetry's conventions for generative AI, which change still: they are here and nowhere
//! else.

/// The version of the conventions whose names these are.
pub(super) const SCHEMA_URL: &str = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

pub(super) const OPERATION: &str = "gen_ai.operation.name";
pub(super) const WORKFLOW: &str = "gen_ai.workflow.name";
pub(super) const CONVERSATION: &str = "gen_ai.conversation.id";
pub(super) const AGENT: &str = "gen_ai.agent.name";
pub(super) const PROVIDER: &str = "gen_ai.provider.name";
pub(super) const REQUEST_MODEL: &str = "gen_ai.request.model";
pub(super) const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub(super) const STOP_SEQUENCES: &str = "gen_ai.request.stop_sequences";
pub(super) const OUTPUT_TYPE: &str = "gen_ai.output.type";
pub(super) const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
pub(super) const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub(super) const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub(super) const SERVER_ADDRESS: &str = "server.address";
pub(super) const SERVER_PORT: &str = "server.port";
pub(super) const ERROR_TYPE: &str = "error.type";
pub(super) const TOOL: &str = "gen_ai.tool.name";
pub(super) const TOOL_CALL: &str = "gen_ai.tool.call.id";
pub(super) const TOOL_TYPE: &str = "gen_ai.tool.type";

// Content, which is written only if it is asked for.
pub(super) const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
pub(super) const TOOL_RESULT: &str = "gen_ai.tool.call.result";
pub(super) const INSTRUCTIONS: &str = "gen_ai.system_instructions";
pub(super) const INPUT: &str = "gen_ai.input.messages";
pub(super) const OUTPUT: &str = "gen_ai.output.messages";
pub(super) const TOOLS: &str = "gen_ai.tool.definitions";

/// Fields of requests, with the names of what they say.
pub(super) const SAMPLING: [(&str, &str); 6] = [
    ("temperature", "gen_ai.request.temperature"),
    ("top_p", "gen_ai.request.top_p"),
    ("max_tokens", "gen_ai.request.max_tokens"),
    ("max_completion_tokens", "gen_ai.request.max_tokens"),
    ("seed", "gen_ai.request.seed"),
    ("n", "gen_ai.request.choice.count"),
];

// What the conventions have no name for.
pub(super) const RUN: &str = "rolecall.run";
pub(super) const TASK: &str = "rolecall.task";
pub(super) const KIND: &str = "rolecall.kind";
pub(super) const ENDING: &str = "rolecall.ending";
pub(super) const SUCCESS: &str = "rolecall.success";
pub(super) const REWARD: &str = "rolecall.reward";
pub(super) const TIMES: &str = "rolecall.times";
pub(super) const MOVE: &str = "rolecall.move";
pub(super) const INVALID: &str = "rolecall.invalid";
