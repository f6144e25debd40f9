//! Worries of somebody who seeks help in Chinese.

use rolecall_core::text::unique;

/// The topic of a worry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Marks, examinations, school.
    Study,
    /// Colleagues, bosses, jobs.
    Work,
    /// Parents and relatives.
    Family,
    /// Partners, and parting from them.
    Love,
    /// Friends and room-mates.
    Friends,
    /// Sleeping badly.
    Sleep,
    /// Being alone.
    Loneliness,
    /// Oneself, one's looks and worth.
    Oneself,
    /// Anything else.
    Other,
}

/// Words of each topic, by which it is known; the topic with most of them wins, the earlier of equal ones.
#[rustfmt::skip]
const TOPICS: &[(Topic, &[&str])] = &[
    (Topic::Study, &["考试", "成绩", "学习", "高考", "高三", "老师", "作业", "论文", "考研", "学校", "复习", "上课"]),
    (Topic::Work, &["工作", "同事", "领导", "老板", "公司", "加班", "辞职", "上班", "面试", "入职", "职场", "客户"]),
    (Topic::Love, &["男朋友", "女朋友", "分手", "前任", "恋爱", "喜欢的人", "老公", "老婆", "异地", "暗恋", "离婚", "婚姻"]),
    (Topic::Family, &["父母", "爸", "妈", "家里", "家人", "弟弟", "哥哥", "姐姐", "妹妹", "奶奶", "爷爷", "孩子", "亲戚"]),
    (Topic::Friends, &["朋友", "室友", "宿舍", "同学", "闺蜜", "社交", "聚会"]),
    (Topic::Sleep, &["睡", "失眠", "熬夜", "做梦", "噩梦"]),
    (Topic::Loneliness, &["孤独", "孤单", "一个人", "寂寞", "没有人", "没人"]),
    (Topic::Oneself, &["自卑", "自己很差", "没用", "外貌", "丑", "胖", "自信", "性格", "内向", "敏感"]),
];

impl Topic {
    /// The topic that a text is about by most of its words.
    pub fn of(text: &str) -> Self {
        let mut best = (Self::Other, 0);
        for (topic, words) in TOPICS {
            let hits = words.iter().map(|word| text.matches(word).count()).sum();
            if hits > best.1 {
                best = (*topic, hits);
            }
        }
        best.0
    }
}

/// Words of feeling, and the noun of the feeling.
#[rustfmt::skip]
const FEELINGS: &[(&str, &str)] = &[
    ("焦虑", "焦虑"), ("紧张", "紧张"), ("担心", "担心"), ("害怕", "害怕"), ("不敢", "害怕"), ("恐惧", "害怕"),
    ("难过", "难过"), ("伤心", "难过"), ("哭", "难过"), ("委屈", "委屈"), ("孤独", "孤独"), ("孤单", "孤独"),
    ("生气", "生气"), ("烦", "烦躁"), ("累", "疲惫"), ("压力", "压力"), ("自卑", "自卑"), ("后悔", "后悔"),
    ("内疚", "内疚"), ("迷茫", "迷茫"), ("尴尬", "尴尬"), ("失眠", "疲惫"), ("痛苦", "痛苦"),
];

/// The feelings that a text names or shows, in the order of the table, each once.
pub fn feelings(text: &str) -> Vec<&'static str> {
    unique(FEELINGS.iter().filter(|(word, _)| text.contains(word)).map(|(_, feeling)| *feeling))
}

/// Whether the text asks for advice.
pub fn wants_advice(text: &str) -> bool {
    const ASKING: &str = "怎么 如何 该不该 要不要 怎样 办 建议 ？ ?";
    ASKING.split(' ').any(|word| text.contains(word))
}

/// The parts of a text between its marks.
pub fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| "，。！？；：、,.!?;:\n…".contains(c)).map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_and_feelings_are_known_by_their_words() {
        let text = "总觉得同事在背后议论我，该怎么办？晚上睡不好，很紧张。";
        assert_eq!(Topic::of(text), Topic::Work);
        assert_eq!(feelings(text), ["紧张"]);
        assert!(wants_advice(text));
        assert_eq!(clauses(text).count(), 4);
        assert_eq!((Topic::of("今天天气很好"), feelings("").len()), (Topic::Other, 0));
        assert!(!wants_advice("谢谢你"));
    }
}
