//! General advice on each topic of worry: its meaning, a known fact, and steps to try.

use crate::cues::Topic;

/// The advice on a topic.
pub(super) struct Advice {
    /// The topic, in a thought.
    pub(super) name: &'static str,
    /// The possible meaning of the worry.
    pub(super) meaning: &'static str,
    /// Something that is generally known.
    pub(super) fact: &'static str,
    /// Steps to try, the first one first.
    pub(super) steps: [&'static str; 3],
}

/// The advice on the topic.
pub(super) fn advice(topic: Topic) -> Advice {
    let [name, meaning, fact, steps @ ..] = *match topic {
        Topic::Study => &STUDY,
        Topic::Work => &WORK,
        Topic::Family => &FAMILY,
        Topic::Love => &LOVE,
        Topic::Friends => &FRIENDS,
        Topic::Sleep => &SLEEP,
        Topic::Loneliness => &LONELINESS,
        Topic::Oneself => &ONESELF,
        Topic::Other => &OTHER,
    };
    Advice { name, meaning, fact, steps }
}

const STUDY: [&str; 6] = [
    "学业",
    "这可能是因为你把结果看得很重，身体也跟着紧张起来。",
    "适度的压力有助于发挥，压力过大反而会让人难以集中。",
    "建议你把大目标拆成每天能完成的小任务，完成一项就划掉一项。",
    "紧张的时候可以先停下来，慢慢地做几次深呼吸。",
    "也可以和老师或者同学说说你的困难，请他们帮忙看看从哪里入手。",
];

const WORK: [&str; 6] = [
    "工作",
    "人在紧张的环境里，容易把别人中性的举动也理解成对自己的否定。",
    "适应一份新的工作或新的要求，通常需要几个月的时间。",
    "建议你先把担心的事情写下来，再写下你确实看到的事实，比较一下两者。",
    "可以找一位信得过的同事聊聊，听听他的看法。",
    "下班以后给自己留一段完全不想工作的时间。",
];

const FAMILY: [&str; 6] = [
    "家庭",
    "家人的话背后，往往有他们自己的担心和期待，并不代表你不够好。",
    "很多家庭的冲突，来自双方表达关心的方式不同。",
    "建议你找一个大家都平静的时候，用“我感到”开头说说自己的感受。",
    "可以先说清楚你希望他们怎么做，而不只是他们哪里不对。",
    "如果一时谈不拢，也可以请一位双方都信任的长辈帮忙。",
];

const LOVE: [&str; 6] = [
    "感情",
    "你这么难受，是因为你在这段关系里认真付出过。",
    "失去一段亲密关系之后，情绪反复一段时间是常见的反应。",
    "建议你允许自己难过，把想说的话写下来，不一定要寄出去。",
    "可以重新安排周末的时间，做一些以前想做却没有做的事。",
    "如果还想继续这段关系，可以先想清楚自己最在意的是什么，再和对方谈。",
];

const FRIENDS: [&str; 6] = [
    "人际关系",
    "关系变淡往往不是因为讨厌，而是双方都在等对方先开口。",
    "朋友之间有误会很常见，说开的时间越早越容易化解。",
    "建议你选一个轻松的时刻，主动说一句简单的话，看看对方的反应。",
    "可以用“我”开头表达感受，不急着讨论谁对谁错。",
    "同时也给自己找一两个新的圈子，不把所有期待放在一个人身上。",
];

const SLEEP: [&str; 6] = [
    "睡眠",
    "越是要求自己马上睡着，身体往往越清醒。",
    "规律的起床时间，比早早躺下更能帮助睡眠。",
    "建议你固定起床时间，睡前一小时放下手机。",
    "躺下二十分钟还睡不着，可以先起来做一件平静的事。",
    "如果持续几周都睡不好，可以去看看医生。",
];

const LONELINESS: [&str; 6] = [
    "孤独",
    "孤独其实是在提醒我们，需要和别人建立连接。",
    "到了新的环境，多数人都要过一段时间才会有自己的圈子。",
    "建议你从一个固定的兴趣小组开始，每周去一次。",
    "可以每周和家人或者老朋友通一次电话。",
    "一个人的时候，也可以给自己安排一件期待的小事。",
];

const ONESELF: [&str; 6] = [
    "自我评价",
    "我们常常拿自己的短处去比别人的长处，这样的比较并不公平。",
    "性格没有好坏之分，不同的性格有各自擅长的事。",
    "建议你每天写下一件自己做得还不错的小事。",
    "可以只和昨天的自己比，而不是和别人比。",
    "想到“我不行”的时候，问问自己有没有相反的例子。",
];

const OTHER: [&str; 6] = [
    "生活",
    "这样的感受往往是在提醒你，有些需要还没有被照顾到。",
    "情绪会有起伏，多数强烈的情绪过一段时间会慢慢减弱。",
    "建议你先把最困扰自己的一件事写下来，想想哪一小步是现在就能做的。",
    "可以和一个信得过的人聊聊，不用一个人扛着。",
    "如果这种状态持续很久，可以寻求专业的心理咨询。",
];
