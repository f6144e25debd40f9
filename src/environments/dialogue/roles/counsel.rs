//! Somebody seeks help in Chinese: how they feel, which strategies help, and what each of them says.

use super::advice::{Advice, advice};
use super::scene::Scene;
use crate::environments::dialogue::cues::{Topic, addressed_zh, clauses, feelings, wants_advice};

/// The shortest and longest clause, in characters, that is said back.
const RESTATED: std::ops::RangeInclusive<usize> = 6..=30;

/// A counsellor's idea of what somebody worries about.
pub(super) struct Counsellor {
    feelings: Vec<&'static str>,
    advice: &'static Advice,
    /// What the seeker told, said to them.
    restated: Vec<String>,
    wants_advice: bool,
    wants_facts: bool,
    thanks: bool,
    /// How often the counsellor has spoken.
    spoken: usize,
}

impl Counsellor {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let talk = &scene.talk;
        let mut told: Vec<&str> = talk.of_user().collect();
        told.reverse();
        let told = told.join("。");
        let request = talk.request();
        // What was said last matters most; if that is little, all of it.
        let own = clauses(request)
            .chain(clauses(&told))
            .filter(|clause| is_told(clause));
        let mut restated: Vec<String> = Vec::new();
        for clause in own.map(addressed_zh) {
            if !restated.contains(&clause) {
                restated.push(clause);
            }
        }
        restated.sort_by_key(|clause| feelings(clause).is_empty());
        Self {
            feelings: feelings(&told),
            advice: advice(Topic::of(&told)),
            restated,
            wants_advice: wants_advice(request),
            wants_facts: ["正常吗", "为什么", "是不是", "什么是", "怎么回事"]
                .iter()
                .any(|word| request.contains(word)),
            thanks: request.contains("谢谢") && !wants_advice(request),
            spoken: talk.of_agent().count(),
        }
    }

    /// The strategies that help, in order.
    pub(super) fn strategies(&self) -> Vec<&'static str> {
        if self.thanks {
            return vec!["Others"];
        }
        let restates = self.spoken == 0 && !self.restated.is_empty();
        let steps = [
            (true, "Approval and Reassurance"),
            (restates, "Restatement"),
            (self.wants_facts, "Information"),
            (self.spoken == 0, "Interpretation"),
            (
                self.wants_advice || self.spoken > 0 || !self.wants_facts,
                "Direct Guidance",
            ),
        ];
        steps
            .into_iter()
            .filter(|(due, _)| *due)
            .map(|(_, strategy)| strategy)
            .collect()
    }

    /// What a strategy says to the seeker.
    pub(super) fn says(&self, strategy: &str) -> String {
        match strategy {
            "Information" => self.advice.fact.to_owned(),
            "Direct Guidance" => self.guidance().to_owned(),
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

    /// The next thing to try; when all was said, the last one again.
    fn guidance(&self) -> &'static str {
        let steps = &self.advice.steps;
        steps
            .get(self.spoken)
            .or(steps.last())
            .copied()
            .unwrap_or_default()
    }

    fn reassurance(&self) -> String {
        let opening = if self.spoken == 0 {
            "你好，抱抱你。"
        } else {
            ""
        };
        match self.feelings.first() {
            Some(feeling) if self.spoken == 0 => {
                format!("{opening}遇到这样的事，感到{feeling}是很自然的。")
            }
            Some(_) => "你愿意说出来，已经很不容易了。".to_owned(),
            None => format!("{opening}能感觉到这件事让你很不好受。"),
        }
    }

    /// How the seeker feels, and how to answer.
    pub(super) fn thought(&self) -> String {
        let feelings = match &self.feelings[..] {
            [] => "没有直接说出情绪".to_owned(),
            some => format!("感到{}", some.join("、")),
        };
        let wish = if self.thanks {
            "现在表示了感谢"
        } else if self.wants_advice {
            "希望得到建议"
        } else {
            "希望有人倾听"
        };
        let steps = self.strategies().join("，再用 ");
        format!(
            "求助者因为{}方面的事而困扰，{feelings}，{wish}。回应的思路：先用 {steps}。",
            self.advice.name
        )
    }
}

/// Whether a clause tells something of the seeker that can be said back.
fn is_told(clause: &str) -> bool {
    let length = clause.chars().count();
    let asks = ["怎么", "吗", "如何", "为什么", "谢"]
        .iter()
        .any(|word| clause.contains(word));
    clause.contains('我') && !clause.contains('你') && !asks && RESTATED.contains(&length)
}
