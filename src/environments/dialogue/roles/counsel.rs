//! The counsellor of somebody who seeks help in Chinese: their feelings, the strategies that help, and the
//! words of each.

use super::advice::{Advice, advice};
use super::scene::Scene;
use crate::environments::dialogue::cues::{Topic, addressed_zh, clauses, feelings, wants_advice};
use crate::text::unique;

/// The shortest and longest clause, in characters, that is said back.
const RESTATED: std::ops::RangeInclusive<usize> = 6..=30;

/// A counsellor's idea of somebody's worry.
pub(super) struct Counsellor {
    feelings: Vec<&'static str>,
    advice: Advice,
    /// The seeker's clauses, said to them.
    restated: Vec<String>,
    wants_advice: bool,
    wants_facts: bool,
    thanks: bool,
    /// The number of times that the counsellor has spoken.
    spoken: usize,
}

impl Counsellor {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let talk = &scene.talk;
        let mut worry: Vec<&str> = talk.of_user().collect();
        worry.reverse();
        let worry = worry.join("。");
        let request = talk.request();
        // The last words matter most; if they are few, all of them.
        let own = clauses(request).chain(clauses(&worry));
        let own = unique(own.filter(|clause| is_of_seeker(clause)).map(addressed_zh));
        let (mut restated, plain): (Vec<_>, Vec<_>) =
            own.into_iter().partition(|own| !feelings(own).is_empty());
        restated.extend(plain);
        Self {
            feelings: feelings(&worry),
            advice: advice(Topic::of(&worry)),
            restated,
            wants_advice: wants_advice(request),
            wants_facts: holds(
                request,
                &["正常吗", "为什么", "是不是", "什么是", "怎么回事"],
            ),
            thanks: request.contains("谢谢") && !wants_advice(request),
            spoken: talk.of_agent().count(),
        }
    }

    /// The strategies that help, in order.
    pub(super) fn strategies(&self) -> Vec<&'static str> {
        if self.thanks {
            return vec!["Others"];
        }
        let is_first = self.spoken == 0;
        let guides = self.wants_advice || !is_first || !self.wants_facts;
        let steps = [
            Some("Approval and Reassurance"),
            (is_first && !self.restated.is_empty()).then_some("Restatement"),
            self.wants_facts.then_some("Information"),
            is_first.then_some("Interpretation"),
            guides.then_some("Direct Guidance"),
        ];
        steps.into_iter().flatten().collect()
    }

    /// The words of a strategy to the seeker.
    pub(super) fn says(&self, strategy: &str) -> String {
        match strategy {
            "Information" => self.advice.fact.to_owned(),
            // The next step; when all were said, the last one again.
            "Direct Guidance" => {
                let [.., last] = &self.advice.steps;
                let next = self.advice.steps.get(self.spoken);
                (*next.unwrap_or(last)).to_owned()
            }
            "Approval and Reassurance" => self.reassurance(),
            "Restatement" => match self.restated.first() {
                Some(clause) => format!("你提到{clause}。"),
                None => "我听到了你说的这些。".to_owned(),
            },
            "Interpretation" => self.advice.meaning.to_owned(),
            // It has lived through nothing, and says so.
            "Self-disclosure" => "我没有亲身经历过，不过很多人都说起过类似的感受。".to_owned(),
            _ if self.thanks => "不客气，祝你一切都慢慢好起来。".to_owned(),
            _ => "祝你早日走出困扰，愿意的话可以随时再来聊聊。".to_owned(),
        }
    }

    fn reassurance(&self) -> String {
        match (self.feelings.first(), self.spoken == 0) {
            (Some(feeling), true) => {
                format!("你好，抱抱你。遇到这样的事，感到{feeling}是很自然的。")
            }
            (Some(_), false) => "你愿意说出来，已经很不容易了。".to_owned(),
            (None, true) => "你好，抱抱你。能感觉到这件事让你很不好受。".to_owned(),
            (None, false) => "能感觉到这件事让你很不好受。".to_owned(),
        }
    }

    /// The seeker's feelings, and the way to answer.
    pub(super) fn thought(&self) -> String {
        let feelings = match &self.feelings[..] {
            [] => "没有直接说出情绪".to_owned(),
            some => format!("感到{}", some.join("、")),
        };
        let wish = match (self.thanks, self.wants_advice) {
            (true, _) => "现在表示了感谢",
            (false, true) => "希望得到建议",
            (false, false) => "希望有人倾听",
        };
        let steps = self.strategies().join("，再用 ");
        format!(
            "求助者因为{}方面的事而困扰，{feelings}，{wish}。回应的思路：先用 {steps}。",
            self.advice.name
        )
    }
}

/// Whether a clause tells something of the seeker that can be said back.
fn is_of_seeker(clause: &str) -> bool {
    let asks = holds(clause, &["怎么", "吗", "如何", "为什么", "谢"]);
    let fits = RESTATED.contains(&clause.chars().count());
    clause.contains('我') && !clause.contains('你') && !asks && fits
}

fn holds(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}
