//! Somebody who seeks help and tells of a worry, in Chinese.

use async_trait::async_trait;

use super::wording::{leave, one_of, said_and_talk};
use crate::domain::Utterance;
use crate::environments::dialogue::cues::{Talk, clauses, feelings, sentences};
use crate::ports::{Turn, UserError, UserSimulator};

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
            let thanks = [
                "谢谢你听我说，我感觉好多了，我会试试看的。",
                "谢谢你的建议，我心里轻松了一些，再见。",
            ];
            return Ok(leave(one_of(turn.seed, &thanks)));
        }
        let is_question = said.trim_end().ends_with(['？', '?']);
        let text = match guidance(said).filter(|_| !is_question) {
            Some(advice) => {
                let worry = worry(&talk);
                format!("好的，我会试试{advice}。可是{worry}，还能怎么办呢？")
            }
            None => more(&talk, turn.number),
        };
        Ok(Utterance::text(text))
    }
}

/// The first clause that advises, as the client would say it.
fn guidance(said: &str) -> Option<String> {
    const ADVISING: &[&str] = &["建议你", "你可以", "不妨", "试着", "也可以", "可以"];
    let mut clauses = sentences(said).into_iter().flat_map(clauses);
    let advised = clauses.find_map(|clause| {
        let after = |word: &&str| clause.split_once(*word).map(|(_, after)| after.trim());
        ADVISING.iter().find_map(after)
    })?;
    let own = advised.replace("自己", "我自己").replace('你', "我");
    let own = own.replace("我我", "我");
    (own.chars().count() >= 4).then_some(own)
}

/// The worry that is left, by the feeling that the client spoke of.
fn worry(talk: &Talk) -> String {
    let said: Vec<&str> = talk.of_user().collect();
    match feelings(&said.join("。")).first() {
        Some(feeling) => format!("想到这件事，我还是会感到{feeling}"),
        None => "想到这件事，我心里还是放不下".to_owned(),
    }
}

/// More of its worry: its first words, and the time that it has lasted.
fn more(talk: &Talk, number: u32) -> String {
    let own = clauses(talk.of_user().last().unwrap_or_default());
    let own = own.filter(|clause| clause.contains('我') && clause.chars().count() >= 5);
    let own: Vec<&str> = own.collect();
    let turn = usize::try_from(number).unwrap_or_default();
    match own.get(turn).or(own.last()) {
        Some(clause) if number == 0 => format!("这样已经有一段时间了。最让我难受的是，{clause}。"),
        Some(clause) => format!("就像我说的，{clause}，我也没有和别人说过。"),
        None => "其实我也说不清楚，只是最近一直这样，心里很乱。".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environments::dialogue::cues::TalkLine;

    #[test]
    fn a_client_takes_guidance_up() {
        let told = "你好，抱抱你。建议你先把担心的事情写下来，再比较一下。";
        assert_eq!(guidance(told).as_deref(), Some("先把担心的事情写下来"));
        assert_eq!(guidance("抱抱你。"), None);
        let line = TalkLine {
            user: true,
            text: "和室友吵架了，我晚上睡不好，很焦虑。".to_owned(),
        };
        let talk = Talk::new("psyqa", vec![line]);
        assert!(worry(&talk).contains("焦虑"));
        assert!(more(&talk, 0).contains("我晚上睡不好"));
    }
}
