//! Somebody who seeks help and tells of a worry, in Chinese.

use async_trait::async_trait;

use super::{one_of, said_and_talk};
use crate::cues::{Talk, clauses, feelings, sentences};
use rolecall_core::domain::Utterance;
use rolecall_core::ports::{Turn, UserError, UserSimulator};

/// A client: tells more when it is asked, takes guidance up and says what still worries it, and leaves with
/// thanks.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// The number of its replies before it leaves.
    pub replies: u32,
}

#[async_trait]
impl UserSimulator for Client {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let (said, talk) = said_and_talk(turn)?;
        if turn.number >= self.replies {
            return Ok(last_words(&talk, turn));
        }
        let is_question = said.trim_end().ends_with(['？', '?']);
        let advice = guidance(said).filter(|_| !is_question);
        let advice = advice.filter(|advice| !has_said(&talk, advice));
        let text = match advice {
            Some(advice) => format!("好的，我会试试{advice}。{}", worry(&talk)),
            None => more(&talk),
        };
        Ok(Utterance::text(text))
    }
}

/// It is content if it was given any guidance: its concern is met.
fn last_words(talk: &Talk, turn: &Turn) -> Utterance {
    let is_met = talk.of_agent().any(|said| guidance(said).is_some());
    let thanks = if is_met {
        ["谢谢你听我说，我感觉好多了，我会试试看的。", "谢谢你的建议，我心里轻松了一些，再见。"]
    } else {
        ["谢谢你听我说，不过我还是不知道该怎么办，先到这里吧。", "谢谢，可是我心里还是没有答案，我想先自己静一静。"]
    };
    Utterance::leaving(one_of(turn.seed, &thanks), is_met)
}

/// Whether it has said these words before, after its first message.
fn has_said(talk: &Talk, words: &str) -> bool {
    let mut earlier = Vec::from_iter(talk.of_user());
    earlier.pop();
    earlier.iter().any(|said| said.contains(words))
}

/// The first of several ways that it has not used, or else one with the number of its message, which is new.
fn new_way(talk: &Talk, ways: impl IntoIterator<Item = String>, ends: &str) -> String {
    ways.into_iter().find(|way| !has_said(talk, way)).unwrap_or_else(|| {
        let number = talk.of_user().count() + 1;
        format!("这已经是我第{number}次说起这件事了，心里还是有些乱，{ends}")
    })
}

/// The first advising clause, as the client would say it.
fn guidance(said: &str) -> Option<String> {
    const ADVISING: &[&str] = &["建议你", "你可以", "不妨", "试着", "也可以", "可以"];
    let advised = sentences(said).into_iter().flat_map(clauses).find_map(|clause| {
        let after = |word: &&str| clause.split_once(*word).map(|(_, after)| after.trim());
        ADVISING.iter().find_map(after)
    })?;
    let advice = advised.replace("自己", "我自己").replace('你', "我").replace("我我", "我");
    (advice.chars().count() >= 4).then_some(advice)
}

/// The worry that is left, by the feelings that the client spoke of.
fn worry(talk: &Talk) -> String {
    const ENDS: &str = "还能怎么办呢？";
    let said: Vec<&str> = talk.of_user().collect();
    let feelings = feelings(&said.join("。")).into_iter().flat_map(|feeling| {
        [
            format!("可是想到这件事，我还是会感到{feeling}，{ENDS}"),
            format!("只是{feeling}的感觉一时还放不下，接下来我该做些什么呢？"),
        ]
    });
    let others = ["可是想到这件事，我心里还是放不下，还有别的办法吗？", "不过我担心自己坚持不下来，你觉得呢？"];
    new_way(talk, feelings.chain(others.map(str::to_owned)), ENDS)
}

/// More of its worry: its own words that it has not taken up again, and the time that it has lasted.
fn more(talk: &Talk) -> String {
    let parts = clauses(talk.of_user().last().unwrap_or_default())
        .filter(|clause| clause.contains('我') && clause.chars().count() >= 5);
    let ways = [
        ["这样已经有一段时间了。最让我难受的是，", "。"],
        ["就像我说的，", "，我也没有和别人说过。"],
        ["其实我一直在想，", "，这让我很乱。"],
    ];
    let parts = parts
        .filter(|clause| !has_said(talk, clause))
        .zip(ways.iter().cycle().skip(replies(talk)))
        .map(|(clause, [before, after])| format!("{before}{clause}{after}"));
    let others =
        ["其实我也说不清楚，只是最近一直这样，心里很乱。", "我也不知道为什么会这样，有时候好一点，有时候又很糟。"];
    new_way(talk, parts.chain(others.map(str::to_owned)), "也说不出更多了。")
}

/// Its messages after the first one.
fn replies(talk: &Talk) -> usize {
    talk.of_user().count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cues::TalkLine;

    #[test]
    fn a_client_takes_guidance_up() {
        let told = "你好，抱抱你。建议你先把担心的事情写下来，再比较一下。";
        assert_eq!(guidance(told).as_deref(), Some("先把担心的事情写下来"));
        assert_eq!(guidance("抱抱你。"), None);
        let line = TalkLine { user: true, text: "和室友吵架了，我晚上睡不好，很焦虑。".to_owned() };
        let talk = Talk::new("psyqa", vec![line]);
        assert!(worry(&talk).contains("焦虑"));
        assert!(more(&talk).contains("我晚上睡不好"));
    }

    #[test]
    fn a_client_never_says_the_same_twice() {
        let line = |user, text: &str| TalkLine { user, text: text.to_owned() };
        for told in ["建议你先把担心的事情写下来。", "能说说看吗？", ""] {
            let mut talk = Talk::new("psyqa", vec![line(true, "和室友吵架了，我晚上睡不好，很焦虑。")]);
            for _ in 0..30 {
                talk.lines.push(line(false, told));
                let texts = [more(&talk), worry(&talk)];
                for said in texts {
                    assert!(talk.of_user().all(|before| !before.contains(&said)), "{said}");
                    talk.lines.push(line(true, &said));
                }
            }
        }
    }
}
