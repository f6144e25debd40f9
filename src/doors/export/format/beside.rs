//! The files beside rows by which trainers find them.

use serde_json::json;

use super::RowFormat;

impl RowFormat {
    /// A file that the trainer reads, with its name, for rows or for pairs; `labelled` rows say whether the task was
    /// solved.
    pub fn settings(self, pairs: bool, labelled: bool) -> Option<(&'static str, String)> {
        match self {
            Self::Axolotl => Some(("axolotl.yaml", AXOLOTL.to_owned())),
            Self::LlamaFactory => {
                let sharegpt = json!({"rolecall_dpo": {
                    "file_name": "data/train-00000.jsonl", "formatting": "sharegpt", "ranking": true,
                    "columns": {"messages": "conversations", "chosen": "chosen", "rejected": "rejected",
                                "system": "system", "tools": "tools"},
                }});
                let mut rows = json!({"rolecall_sft": {
                    "file_name": "data/train-00000.jsonl", "formatting": "openai",
                    "columns": {"messages": "messages", "tools": "tools"},
                    "tags": {"role_tag": "role", "content_tag": "content", "user_tag": "user",
                             "assistant_tag": "assistant", "observation_tag": "tool",
                             "function_tag": "function_call", "system_tag": "system"},
                }});
                if labelled {
                    rows["rolecall_sft"]["columns"]["kto_tag"] = "kto_tag".into();
                }
                let info = if pairs { sharegpt } else { rows };
                Some(("dataset_info.json", format!("{info:#}\n")))
            }
            Self::Rows | Self::Trl | Self::Openai | Self::Verifiers => None,
        }
    }
}

const AXOLOTL: &str = "\
# Only messages with `train: true` count.
datasets:
  - path: data/train-00000.jsonl
    ds_type: json
    type: chat_template
    field_messages: messages
    field_tools: tools
    message_property_mappings: {role: role, content: content}
    message_field_training: train
    roles_to_train: []
    train_on_eos: turn
";
