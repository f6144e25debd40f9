//! Hidden thinking in what a model wrote, where its server did not take it out.

/// Marks before and after hidden thinking, as chat templates of reasoning models write them.
const MARKS: [(&str, &str); 12] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
];
/// Mark that some agents write before a thought that is a move of theirs.
const THOUGHT: &str = "<thought>";

/// Parts of the harmony format: where a channel begins, where its text begins, and what ends it.
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const START: &str = "<|start|>";
const ENDS: [&str; 3] = ["<|end|>", START, "<|return|>"];
/// Stands before the tool that a message goes to, in its role or in the name of its channel.
const RECIPIENT: &str = "to=";
/// Names of channels where a server has left out the special tokens.
const BARE_FINAL: &str = "assistantfinal";
const BARE_ANALYSIS: &str = "analysis";

/// Splits what a model wrote into its hidden thinking and its answer; none where nothing was hidden.
///
/// Thinking that never ends leaves no answer behind it; a mark that only ends has all before it as thinking, if no other
/// was hidden. Marks are read in any case, those in square brackets at the start of a line. JSON is data: its marks are
/// part of texts. A block `<thought>` alone is a thought as somebody's move.
pub fn thinking_apart(text: &str) -> Option<(String, String)> {
    // All marks hold one of these, and most answers none.
    if !text.contains(['<', '[', '◁']) && !text.trim_start().starts_with(['a', 'A']) {
        return None;
    }
    // Lengths in bytes stay: only ASCII letters change.
    let lower = text.to_ascii_lowercase();
    if is_data(&lower) {
        return None;
    }
    if lower.contains(CHANNEL) {
        return harmony(text, &lower);
    }
    let trimmed = lower.trim_start();
    if trimmed.starts_with(BARE_ANALYSIS)
        && let Some(end) = lower.find(BARE_FINAL)
    {
        let start = lower.len() - trimmed.len() + BARE_ANALYSIS.len();
        return Some((text[start..end].trim().to_owned(), text[end + BARE_FINAL.len()..].trim_start().to_owned()));
    }
    let (thinking, answer) = marked(text, &lower)?;
    // Agents that write their moves in tags begin so.
    let moves = trimmed.starts_with(THOUGHT) && !answer.contains(MARKS[0].1);
    let is_move = moves
        && if answer.trim().is_empty() { lower.trim_end().ends_with("</thought>") } else { answer.starts_with('<') };
    (!is_move).then_some((thinking, answer))
}

/// Whether JSON begins here, in a fence or not.
fn is_data(lower: &str) -> bool {
    let start = lower.trim();
    let inside = start.strip_prefix('[').map(|inside| inside.trim_start().starts_with(['{', '"', '[', ']']));
    let is_text = start.starts_with('"') && start.ends_with('"');
    start.starts_with('{') || start.starts_with("```") || is_text || inside == Some(true)
}

fn harmony(text: &str, lower: &str) -> Option<(String, String)> {
    let (mut thinking, mut answer) = (String::new(), String::new());
    let mut places = lower.match_indices(CHANNEL).map(|(place, _)| place).peekable();
    let before = text.get(..*places.peek()?)?;
    if !before.starts_with(START) {
        answer.push_str(before);
    }
    while let Some(start) = places.next() {
        let end = places.peek().copied().unwrap_or(text.len());
        let (whole, small) = (&text[start..end], &lower[start..end]);
        let Some(body) = small.find(MESSAGE).map(|place| place + MESSAGE.len()) else {
            answer.push_str(whole);
            continue;
        };
        let length = ENDS.iter().filter_map(|end| small[body..].find(end)).min();
        let said = &whole[body..length.map_or(whole.len(), |length| body + length)];
        let header = &small[CHANNEL.len()..];
        if header.starts_with("final") {
            answer.push_str(said);
        } else if header.starts_with("commentary") && small[..body].contains(RECIPIENT) {
            // The call of a tool, for those who read it.
            answer.push_str(whole);
        } else if let Some(role) = recipient(lower, start) {
            answer.push_str(&text[role..end]);
        } else {
            thinking.push_str(said);
        }
    }
    Some((thinking.trim().to_owned(), answer.trim_start().to_owned()))
}

/// Start of the role before a channel, where it names the tool that the message goes to.
fn recipient(lower: &str, channel: usize) -> Option<usize> {
    let role = lower[..channel].rfind(START)?;
    lower[role..channel].contains(RECIPIENT).then_some(role)
}

fn marked(text: &str, lower: &str) -> Option<(String, String)> {
    let (mut thinking, mut answer) = (String::new(), String::new());
    let (mut place, mut hidden) = (0, false);
    while let Some((start, open, close)) = next_mark(lower, place) {
        let begins = lower[start..].starts_with(open);
        answer.push_str(&text[place..start]);
        place = start + if begins { open.len() } else { close.len() };
        if !begins {
            // Templates may write the mark that begins themselves; a further one that ends is a slip.
            if !hidden {
                thinking.push_str(&std::mem::take(&mut answer));
            }
        } else if let Some(length) = lower[place..].find(close) {
            thinking.push_str(&text[place..place + length]);
            place += length + close.len();
        } else {
            thinking.push_str(&text[place..]);
            place = text.len();
        }
        hidden = true;
        if is_data(&lower[place..]) {
            break;
        }
    }
    if !hidden {
        return None;
    }
    answer.push_str(&text[place..]);
    Some((thinking.trim().to_owned(), answer.trim_start().to_owned()))
}

/// The next mark from a place on, in one walk.
fn next_mark(lower: &str, from: usize) -> Option<(usize, &'static str, &'static str)> {
    let mut place = from;
    while let Some(step) = lower[place..].find(['<', '[', '◁']) {
        place += step;
        let rest = &lower[place..];
        let is_first = |mark: &str| {
            !mark.starts_with('[')
                || lower[..place].trim_end_matches([' ', '\t']).ends_with('\n')
                || lower[..place].trim_start().is_empty()
        };
        let found =
            MARKS.iter().find(|(open, close)| rest.starts_with(open) && is_first(open) || rest.starts_with(close));
        if let Some((open, close)) = found {
            return Some((place, open, close));
        }
        place += rest.chars().next().map_or(1, char::len_utf8);
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn thinking_is_told_from_the_answer() {
        let table = [
            ("<think>\nHe asks.\n</think>\n\nAct: look", "He asks.", "Act: look"),
            ("<THINKING>a</Thinking> b", "a", "b"),
            ("He asks.\n</think>\nAct: look", "He asks.", "Act: look"),
            ("<think>a</think>b<think>c</think>d", "ac", "bd"),
            ("<think>\nThe secret place is drawer 2, so", "The secret place is drawer 2, so", ""),
            ("Sure. <thought>The secret", "The secret", "Sure. "),
            ("[THINK]a[/THINK]b", "a", "b"),
            ("◁think▷a◁/think▷b", "a", "b"),
            ("<|START_THINKING|>a<|END_THINKING|>b", "a", "b"),
            ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>look", "hm", "look"),
            ("<|channel|>final<|message|>look", "", "look"),
            ("<|channel|>analysis<|message|>hm", "hm", ""),
            ("analysisHe wants a cup.assistantfinalAct: look", "He wants a cup.", "Act: look"),
            ("<think></think>b", "", "b"),
            ("`take cup` failed, so I look.</think>\nAct: look", "`take cup` failed, so I look.", "Act: look"),
            ("<think>a</think>\nAct: look\n</think>", "a", "Act: look\n"),
            ("<think>x</think>{\"a\":\"<reasoning>\"}", "x", "{\"a\":\"<reasoning>\"}"),
            ("<thought>I know.</thought> Act: look", "I know.", "Act: look"),
            ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b", "ab", ""),
        ];
        for (text, thinking, answer) in table {
            assert_eq!(thinking_apart(text), Some((thinking.to_owned(), answer.to_owned())), "{text}");
        }
        let call = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.act<|message|>{}";
        let answer = "<|channel|>commentary to=functions.act<|message|>{}";
        assert_eq!(thinking_apart(call), Some(("hm".to_owned(), answer.to_owned())));
        let answer = "<|start|>assistant to=functions.act<|channel|>commentary json<|message|>{}";
        let call = format!("<|channel|>analysis<|message|>hm<|end|>{answer}");
        assert_eq!(thinking_apart(&call), Some(("hm".to_owned(), answer.to_owned())));
    }

    #[test]
    fn what_hides_nothing_stays() {
        for text in [
            "Act: look",
            "search[boots]",
            "<tool_call>{}</tool_call>",
            "{\"text\": \"<think>\"}",
            "",
            "analysis",
            "search[think]",
            "<thought>I know.</thought>",
            "```json\n{\"a\": \"<think>x\"}\n```",
        ] {
            assert_eq!(thinking_apart(text), None, "{text}");
        }
    }

    /// A model that repeats a mark for ever costs no more than another one.
    #[test]
    fn many_marks_are_one_walk() {
        let marks = "</think>".repeat(200_000);
        assert_eq!(thinking_apart(&marks), Some((String::new(), String::new())));
        let open = "<".repeat(1_000_000);
        assert_eq!(thinking_apart(&open), None);
    }

    proptest! {
        /// Nothing is lost but marks and the blanks around both parts, and no answer holds a mark that begins.
        #[test]
        fn no_mark_stays_in_an_answer(text in "(?s)(<think>|</think>|\\[THINK\\]|\\[/THINK\\]|<|[a ü\n◁]){0,12}") {
            let letters = |text: &str| text.chars().filter(|letter| "aü".contains(*letter)).count();
            if let Some((thinking, answer)) = thinking_apart(&text) {
                let lower = answer.to_ascii_lowercase();
                prop_assert!(!lower.contains("<think>"), "{}", answer);
                prop_assert_eq!(letters(&thinking) + letters(&answer), letters(&text));
            }
        }
    }
}
