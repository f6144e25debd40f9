//! Use of the user's replies, and of the lessons of earlier trials.

use super::advice::Advice;
use super::{Belief, Goal, Hint, Report, Talk, Thought, Topic, Wording};

use rolecall_core::text::mention::{mentions, words};

impl Talk {
    /// The user replied.
    ///
    /// Sentences of the form `A is in B` (ABA appendix A) say where things are: nobody asked for
    /// these objects, and the places need no further search.
    pub(super) fn hear(&mut self, reply: &str, belief: &mut Belief) {
        let asked = self.asked.take();
        if self.hear_goal(asked, reply, belief) {
            return;
        }
        let mut advice = Advice::read(reply, belief, asked == Some(Topic::Which));
        let placements = belief.hear(reply);
        if placements.said > 0 {
            advice.places.clear();
            let needed = belief.goal.as_ref().map_or(1, |goal| goal.count);
            if asked != Some(Topic::Which) || advice.objects.len() > needed {
                advice.objects.clear();
            }
        }
        for index in &advice.not_there {
            if let Some(place) = belief.room.receptacle_mut(*index) {
                place.doubted = true;
            }
        }
        if self.ambiguous && asked.is_some() && !advice.objects.is_empty() {
            belief.want(&advice.objects);
        }
        if !advice.objects.is_empty() {
            self.preferred = advice.objects;
        }
        if std::mem::take(&mut self.chatting) {
            self.report = Some(Report::Thanks);
        }
        if let Some(topic) = asked {
            self.report = Some(Report::Confirm(topic));
            if self.phrasing == Wording::Aba {
                self.due = Some(Thought::Answered);
            }
        }
        if !matches!(asked, Some(Topic::Where(_))) {
            return;
        }
        self.leads = advice.places;
        self.leads.retain(|lead| belief.is_unseen(*lead));
        self.following = !self.leads.is_empty();
        let of_use = self.following || placements.usable > 0 || !advice.not_there.is_empty();
        if !of_use {
            self.fruitless = self.fruitless.saturating_add(1);
            self.report = None;
        }
    }

    /// Takes a reply that states the whole task; whether that is all there is to it. The task that is known already
    /// is no answer to another question.
    fn hear_goal(&mut self, asked: Option<Topic>, reply: &str, belief: &mut Belief) -> bool {
        let was_asked = asked == Some(Topic::Goal);
        match Goal::stated(reply) {
            Some(goal) if was_asked => {
                belief.correct(goal);
                self.due = Some(Thought::Plan);
            }
            Some(goal) if belief.goal.as_ref() == Some(&goal) => {
                let in_vain = u8::from(asked.is_some());
                self.fruitless = self.fruitless.saturating_add(in_vain);
                (self.report, self.chatting) = (None, false);
                return true;
            }
            _ => {}
        }
        was_asked
    }

    /// Takes what earlier trials of the same task have shown (Reflexion): where things are is looked at
    /// first, where they are not comes last, and in an ambiguous task what is meant is taken.
    pub(super) fn learn_from(&mut self, lessons: &str, belief: &mut Belief) {
        let Some(goal) = belief.goal.clone() else {
            return;
        };
        let lamp = goal.lamp().unwrap_or_default();
        for sentence in lessons.split(['\n', '.', '!', '?', ';']) {
            let advice = Advice::read(sentence, belief, false);
            let words = words(sentence);
            let speaks_of = |class: &str| !mentions(&words, |word| word == class).is_empty();
            let of_lamp = speaks_of(lamp) && !speaks_of(&goal.object);
            let class = if of_lamp { lamp } else { &*goal.object };
            let places = advice.places.iter().copied().filter_map(|index| belief.room.receptacle(index));
            let places: Vec<Box<str>> = places.map(|place| place.name.clone()).collect();
            if !places.is_empty() {
                belief.lessons.push(Hint::of(class, places));
            }
            if of_lamp {
                continue;
            }
            self.leads.extend(advice.places);
            for index in advice.not_there {
                if let Some(place) = belief.room.receptacle_mut(index) {
                    place.ruled_out = true;
                }
            }
            if self.ambiguous && sentence.contains("meant") {
                if sentence.contains("not ") {
                    belief.tried.extend(advice.objects);
                } else {
                    belief.want(&advice.objects);
                }
            }
        }
        let known = |lead: u8| belief.room.receptacle(lead);
        let ruled_out = |lead: u8| known(lead).is_some_and(|place| place.ruled_out);
        let leads = &mut self.leads;
        leads.retain(|lead| belief.is_unseen(*lead) && !ruled_out(*lead));
        self.following = !self.leads.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::super::goal::Need;
    use super::*;

    fn belief() -> Belief {
        let mut belief = Belief::default();
        let text = "You are in the middle of a room. Looking quickly around you, you see a desk 1, \
                    a drawer 2, a drawer 1, and a fridge 1.\nYour task is to: look at mug under the \
                    desklamp.";
        belief.observe(text, false, "examine");
        belief
    }

    fn asked(topic: Topic, ambiguous: bool) -> Talk {
        let mut talk = Talk::default();
        (talk.asked, talk.ambiguous) = (Some(topic), ambiguous);
        talk
    }

    #[test]
    fn the_whole_task_is_taken_where_it_was_asked_for_and_leads_nowhere_else() {
        let mut belief = belief();
        let mut talk = asked(Topic::Where(Need::Object), false);
        talk.hear("Look at mug under the desklamp.", &mut belief);
        assert_eq!((talk.fruitless, talk.following), (1, false));
        let mut talk = asked(Topic::Goal, false);
        talk.hear("put a hot mug in fridge.", &mut belief);
        assert_eq!(&*belief.goal.as_ref().unwrap().target, "fridge");
        assert_eq!(talk.due, Some(Thought::Plan));
        // Another answer to that question leads nowhere.
        talk.asked = Some(Topic::Goal);
        talk.hear("Go to desk 1.", &mut belief);
        assert_eq!((talk.fruitless, talk.following), (0, false));
    }

    #[test]
    fn placements_are_knowledge_and_neither_leads_nor_wishes() {
        let mut belief = belief();
        let mut talk = asked(Topic::Where(Need::Object), true);
        talk.hear("mug 1 is in desk 1, mug 2 is in fridge 1.", &mut belief);
        assert!(talk.leads.is_empty() && talk.preferred.is_empty() && talk.fruitless == 0);
        assert_eq!(belief.need(), None);
        assert!(talk.leaves_a_choice(&belief));
        talk.asked = Some(Topic::Which);
        talk.hear("I mean mug 2.", &mut belief);
        assert!(!talk.leaves_a_choice(&belief));
        assert_eq!(*belief.wanted, ["mug 2".into()]);
        let mut evaded = asked(Topic::Which, true);
        belief.wanted.clear();
        evaded.hear("That depends, I would say.", &mut belief);
        assert!(belief.wanted.is_empty() && evaded.leaves_a_choice(&belief));
    }

    #[test]
    fn where_any_object_will_do_a_wish_is_a_preference_only() {
        let mut belief = belief();
        let mut talk = asked(Topic::Which, false);
        talk.hear("I mean mug 2.", &mut belief);
        assert!(belief.wanted.is_empty());
        assert_eq!(*talk.preferred, ["mug 2".into()]);
    }

    #[test]
    fn an_answer_that_contradicts_what_was_seen_leads_nowhere() {
        let mut belief = belief();
        belief.perform("go to desk 1");
        belief.observe("On the desk 1, you see nothing.", false, "");
        let mut talk = asked(Topic::Where(Need::Object), false);
        talk.hear("mug 1 is in desk 1.", &mut belief);
        assert_eq!((talk.fruitless, talk.following), (1, false));
    }

    #[test]
    fn lessons_say_where_to_look_first_and_last() {
        let mut belief = belief();
        let mut talk = asked(Topic::Which, true);
        let lessons = "I ran out of steps. The mug is not in drawer 1, 2.\nThe mug 2 was in fridge \
                       1. The desklamp was in desk 1. The mug 3 was not meant.";
        talk.learn_from(lessons, &mut belief);
        let place = |name: &str| belief.room.find(name).unwrap();
        assert_eq!(talk.leads, [place("fridge 1")]);
        assert!(talk.following);
        for (name, ruled_out) in [("drawer 1", true), ("drawer 2", true), ("desk 1", false)] {
            assert_eq!(belief.room.receptacle(place(name)).unwrap().ruled_out, ruled_out, "{name}");
        }
        let hinted = |class, name| belief.is_hinted(class, belief.room.receptacle(place(name)).unwrap());
        assert!(hinted("desklamp", "desk 1") && hinted("mug", "fridge 1"));
        assert!(!hinted("mug", "desk 1"));
        assert_eq!(*belief.tried, ["mug 3".into()]);
        assert!(belief.wanted.is_empty());
        talk.learn_from("The mug 2 is meant.", &mut belief);
        assert_eq!(*belief.wanted, ["mug 2".into()]);
    }
}
