//! What the model server says, by voice: answers that the shipped casts can read.

/// What is said where the path names no voice.
const SAYS: &[&str] = &["Think: I look at the next shelf and remember what stands there."];

/// The voice's words for a request of so many bytes.
pub(super) fn says(voice: &str, bytes: usize) -> &'static str {
    let all: &[&str] = match voice {
        "agent" => &[
            "Act: go to shelf 1",
            "Think: I look at the next shelf and remember what stands there.",
            "Speak: Where can I find the mug that you want?",
            "Act: go to countertop 1",
            "Act: open drawer 1",
        ],
        "user" => &[
            "You will find it on the countertop 1.",
            "It is in the drawer 1, I believe.",
            "I do not know where that is.",
        ],
        "thinker" => &["Think: Sub-goal: find a mug.", "Think: Sub-goal: take the mug 1."],
        "clarifier" => &["Judge: clear. The task says all that is needed."],
        "executor" => &["Act: go to shelf 1", "Act: go to countertop 1", "Act: open drawer 1"],
        "planner" => &["Plan:\ngo to shelf 1\ngo to countertop 1"],
        "tpe-thinker" => &["The user asks who built the bridge. I look for the builder."],
        "tpe-planner" => &["Plan: Find the builder.\n#So1 = DOCUMENT[who built it]\n\
             Plan: Find what the user likes.\n#So2 = PERSONA[So1]"],
        "tpe-executor" => &["It was designed by the engineer Agatha Rowntree and finished in 1871."],
        _ => SAYS,
    };
    all[bytes % all.len()]
}
