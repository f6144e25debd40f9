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

/// Header of the answer, and of the thinking, in the harmony format.
const FINAL: &str = "<|channel|>final<|message|>";
const ANALYSIS: &str = "<|channel|>analysis<|message|>";
/// Both where a server has left out the special tokens.
const BARE_FINAL: &str = "assistantfinal";
const BARE_ANALYSIS: &str = "analysis";

/// Splits what a model wrote into its hidden thinking and its answer; none where nothing was hidden.
///
/// Thinking that never ends leaves no answer behind it; a mark that only ends has all before it as thinking.
/// Marks are read in any case. A text that begins as JSON is data: its marks are part of texts.
pub fn thinking_apart(text: &str) -> Option<(String, String)> {
    // All marks hold one of these, and most answers none.
    let marked = text.contains(['<', '[', '◁']) || text.trim_start().starts_with(BARE_ANALYSIS);
    if !marked || text.trim_start().starts_with(['{', '"']) {
        return None;
    }
    // Lengths in bytes stay: only ASCII letters change.
    let lower = text.to_ascii_lowercase();
    harmony(text, &lower).or_else(|| marks(text, &lower))
}

fn harmony(text: &str, lower: &str) -> Option<(String, String)> {
    let bare = lower.trim_start().starts_with(BARE_ANALYSIS).then_some(BARE_FINAL);
    let start = bare.and_then(|bare| Some((lower.find(bare)?, bare.len())));
    let (end, length) = match (lower.find(FINAL), lower.find(ANALYSIS), start) {
        (Some(end), _, _) => (end, FINAL.len()),
        (None, Some(start), _) => {
            // The thinking ends where another message begins, such as a call of a tool.
            let next = lower[start + ANALYSIS.len()..].find("<|channel|>");
            let end = next.map_or(lower.len(), |next| start + ANALYSIS.len() + next);
            (end, 0)
        }
        (None, None, Some(start)) => start,
        (None, None, None) => return None,
    };
    let is_bare = !lower.contains(ANALYSIS) && !lower.contains(FINAL);
    let begin = if is_bare { lower.find(BARE_ANALYSIS).map_or(0, |start| start + BARE_ANALYSIS.len()) } else { 0 };
    let before = &text[begin.min(end)..end];
    let thinking =
        ["<|start|>assistant", "<|end|>", ANALYSIS].iter().fold(before.to_owned(), |text, mark| text.replace(mark, ""));
    Some((thinking.trim().to_owned(), text[end + length..].trim_start().to_owned()))
}

fn marks(text: &str, lower: &str) -> Option<(String, String)> {
    let (mut thinking, mut answer) = (String::new(), String::new());
    let mut place = 0;
    // Nearest first: `<think>` before the mark that ends it.
    while let Some((start, (open, close))) = MARKS
        .iter()
        .filter_map(|marks| Some((first_of(&lower[place..], *marks)?, *marks)))
        .min_by_key(|(start, _)| *start)
    {
        let rest = &lower[place + start..];
        if !rest.starts_with(open) {
            // It ends what never began: chat templates may write the first mark themselves.
            thinking.push_str(&std::mem::take(&mut answer));
            thinking.push_str(&text[place..place + start]);
            place += start + close.len();
            continue;
        }
        answer.push_str(&text[place..place + start]);
        let inside = place + start + open.len();
        let length = lower[inside..].find(close);
        let end = length.map_or(text.len(), |length| inside + length);
        thinking.push_str(&text[inside..end]);
        place = length.map_or(end, |_| end + close.len());
    }
    if place == 0 {
        return None;
    }
    answer.push_str(&text[place..]);
    Some((thinking.trim().to_owned(), answer.trim_start().to_owned()))
}

/// Place of the first of both marks.
fn first_of(lower: &str, (open, close): (&str, &str)) -> Option<usize> {
    [lower.find(open), lower.find(close)].into_iter().flatten().min()
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
        ];
        for (text, thinking, answer) in table {
            assert_eq!(thinking_apart(text), Some((thinking.to_owned(), answer.to_owned())), "{text}");
        }
        let call = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.act<|message|>{}";
        let answer = "<|channel|>commentary to=functions.act<|message|>{}";
        assert_eq!(thinking_apart(call), Some(("hm".to_owned(), answer.to_owned())));
    }

    #[test]
    fn what_hides_nothing_stays() {
        for text in
            ["Act: look", "search[boots]", "<tool_call>{}</tool_call>", "{\"text\": \"<think>\"}", "", "analysis"]
        {
            assert_eq!(thinking_apart(text), None, "{text}");
        }
    }

    proptest! {
        /// Nothing is lost but marks and the blanks around both parts, and no answer holds a mark that begins.
        #[test]
        fn no_mark_stays_in_an_answer(text in "(?s)(<think>|</think>|\\[THINK\\]|\\[/THINK\\]|<|[a ü\n◁]){0,12}") {
            let letters = |text: &str| text.chars().filter(|letter| "aü".contains(*letter)).count();
            if let Some((thinking, answer)) = thinking_apart(&text) {
                let lower = answer.to_ascii_lowercase();
                prop_assert!(!lower.contains("<think>") && !lower.contains("[think]"), "{}", answer);
                prop_assert_eq!(letters(&thinking) + letters(&answer), letters(&text));
            }
        }
    }
}
