//! Sentences of the first person, addressed to their speaker.

/// English: `I like my garden` becomes `you like your garden`.
pub fn addressed(text: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut after_i = false;
    for token in text.split_whitespace() {
        let start: String = token.chars().take_while(|c| !c.is_alphanumeric()).collect();
        let rest = token.strip_prefix(&start[..]).unwrap_or(token);
        let bare = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let end = rest.strip_prefix(bare).unwrap_or_default();
        let turned = match bare.replace('’', "'").as_str() {
            "I" => "you".to_owned(),
            "I'm" | "i'm" => "you are".to_owned(),
            "I've" => "you have".to_owned(),
            "I'd" => "you would".to_owned(),
            "I'll" => "you will".to_owned(),
            "am" => "are".to_owned(),
            "was" if after_i => "were".to_owned(),
            "my" | "My" => "your".to_owned(),
            "mine" => "yours".to_owned(),
            "me" => "you".to_owned(),
            "myself" => "yourself".to_owned(),
            _ => bare.to_owned(),
        };
        after_i = bare == "I";
        said.push(format!("{start}{turned}{end}"));
    }
    said.join(" ")
}

/// Chinese: 我 becomes 你. What already speaks of 你 is left alone, for then it is no longer clear who is who.
pub fn addressed_zh(text: &str) -> String {
    if text.contains('你') {
        return text.to_owned();
    }
    text.replace('我', "你")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_says_of_themselves_is_said_to_them() {
        let table = [
            ("I like my garden.", "you like your garden."),
            ("I'm afraid of “I” and me.", "you are afraid of “you” and you."),
            ("I was there myself, it was fun", "you were there yourself, it was fun"),
        ];
        for (own, theirs) in table {
            assert_eq!(addressed(own), theirs);
        }
        assert_eq!(addressed_zh("我们分手了，我很难过"), "你们分手了，你很难过");
        assert_eq!(addressed_zh("他说我不如你"), "他说我不如你");
    }
}
