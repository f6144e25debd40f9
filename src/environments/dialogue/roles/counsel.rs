//! The counsellor of somebody who seeks help in Chinese: their feelings, the strategies that help, and the
//! words of each.

use super::advice::{Advice, advice};
use super::scene::Scene;
use crate::cues::{Topic, addressed_zh, clauses, feelings, wants_advice};
use rolecall_core::text::unique;

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
    /// All that it has said, also of the response that is being made.
    told: Vec<String>,
}

impl Counsellor {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let talk = &scene.talk;
        let mut worry: Vec<&str> = talk.of_user().collect();
        worry.reverse();
        let worry = worry.join("。");
        let said_now = scene.brief.sections.iter().map(|section| section.text.as_str());
        let request = talk.request();
        // The last words matter most; if they are few, all of them.
        let restated = clauses(request).chain(clauses(&worry));
        let restated = unique(restated.filter(|clause| is_of_seeker(clause)).map(addressed_zh));
        let (mut restated, plain): (Vec<_>, Vec<_>) =
            restated.into_iter().partition(|clause| !feelings(clause).is_empty());
        restated.extend(plain);
        Self {
            feelings: feelings(&worry),
            advice: advice(Topic::of(&worry)),
            restated,
            wants_advice: wants_advice(request),
            wants_facts: holds(request, &["正常吗", "为什么", "是不是", "什么是", "怎么回事"]),
            thanks: request.contains("谢谢") && !wants_advice(request),
            spoken: talk.of_agent().count(),
            told: talk.of_agent().chain(said_now).map(str::to_owned).collect(),
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

    /// The words of a strategy to the seeker: the first that were not said in the conversation. When all were, words
    /// with the number of the response, which are new.
    pub(super) fn says(&self, strategy: &str) -> String {
        let mut ways = self.ways(strategy).into_iter();
        let is_new = |way: &String| !self.told.iter().any(|told| told.contains(way.as_str()));
        ways.find(is_new).unwrap_or_else(|| {
            let number = self.spoken + 1;
            let ends = match strategy {
                "Information" => "其中没有什么是你一个人才有的",
                "Direct Guidance" => "不妨从最小的一步做起",
                "Approval and Reassurance" => "你一直没有放弃",
                "Restatement" => "你说的我都记着",
                "Interpretation" => "也许事情还有别的一面",
                "Self-disclosure" => "我也还在学着理解",
                _ => "愿意的话可以再聊",
            };
            format!("这是我第{number}次回应你，{ends}。")
        })
    }

    /// The words of a strategy, the best ones first.
    fn ways(&self, strategy: &str) -> Vec<String> {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let general = advice(Topic::Other);
        match strategy {
            "Information" => owned(&[self.advice.fact, general.fact]),
            "Direct Guidance" => {
                let steps = self.advice.steps.iter().chain(&general.steps);
                let restated =
                    self.restated.iter().map(|clause| format!("关于“{clause}”，可以先想想你最希望它变成什么样。"));
                steps.map(|step| (*step).to_owned()).chain(restated).collect()
            }
            "Approval and Reassurance" => self.reassurances(),
            "Restatement" => self
                .restated
                .iter()
                .map(|clause| format!("你提到{clause}。"))
                .chain(["我听到了你说的这些。".to_owned()])
                .collect(),
            "Interpretation" => owned(&[self.advice.meaning, general.meaning]),
            // It has no life of its own, and says so.
            "Self-disclosure" => {
                owned(&["我没有亲身经历过，不过很多人都说起过类似的感受。", "我自己没有这样的经历，所以更想听你说说。"])
            }
            _ if self.thanks => owned(&["不客气，祝你一切都慢慢好起来。", "能帮到你我很高兴。"]),
            _ => owned(&["祝你早日走出困扰，愿意的话可以随时再来聊聊。", "照顾好自己，我会一直在这里。"]),
        }
    }

    fn reassurances(&self) -> Vec<String> {
        let first = match self.feelings.first() {
            Some(feeling) => format!("你好，抱抱你。遇到这样的事，感到{feeling}是很自然的。"),
            None => "你好，抱抱你。能感觉到这件事让你很不好受。".to_owned(),
        };
        let first = (self.spoken == 0).then_some(first).into_iter();
        let brave = "你愿意说出来，已经很不容易了。".to_owned();
        let brave = (!self.feelings.is_empty()).then_some(brave);
        let feelings = self.feelings.iter().map(|feeling| format!("会{feeling}并不是你的错。"));
        let others = [
            "能感觉到这件事让你很不好受。",
            "谢谢你继续告诉我这些。",
            "慢慢来，不用着急。",
            "你已经在认真地面对这件事了。",
        ];
        first.chain(brave).chain(others.map(str::to_owned)).chain(feelings).collect()
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
        format!("求助者因为{}方面的事而困扰，{feelings}，{wish}。回应的思路：先用 {steps}。", self.advice.name)
    }
}

/// Whether a clause tells something of the seeker that can be said back.
fn is_of_seeker(clause: &str) -> bool {
    let asks = holds(clause, &["怎么", "吗", "如何", "为什么", "谢"]);
    clause.contains('我') && !clause.contains('你') && !asks && RESTATED.contains(&clause.chars().count())
}

fn holds(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}
