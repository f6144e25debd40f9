//! The thoughts of an inner monologue, made from what happened: after everything that comes back, what
//! it has brought, the sub-goal now and what is left (ReSpAct appendix B.3, Tables 7 and 12).

use crate::language::{Fact, for_each_fact, indefinite};
use crate::{Command, class_of};

/// Something that happened: what came back, or what was done next.
#[derive(Clone, Copy, Debug)]
pub(super) enum TrajectoryStep<'a> {
    /// The environment showed this.
    Seen(&'a str),
    /// The user said this.
    Replied(&'a str),
    /// This command was given.
    Done(&'a str),
    /// This was said to the user.
    Said(&'a str),
}

/// Writes one thought after the other.
#[derive(Default)]
pub(super) struct Monologue<'a> {
    /// Names that were seen.
    seen: Vec<&'a str>,
    /// Classes of which something was taken.
    taken: Vec<&'a str>,
    begun: bool,
}

/// The command of a step, if it changes something in the house.
fn milestone<'a>(step: &TrajectoryStep<'a>) -> Option<Command<'a>> {
    let TrajectoryStep::Done(command) = step else {
        return None;
    };
    let command = Command::read(command);
    let moves = matches!(command, Command::Take { .. } | Command::Put { .. });
    let changes = moves || matches!(command, Command::Treat { .. } | Command::Use(_));
    changes.then_some(command)
}

impl<'a> Monologue<'a> {
    /// The thought after `back`, where `ahead` follows; none if nothing follows.
    pub(super) fn thought(&mut self, back: TrajectoryStep<'a>, ahead: &[TrajectoryStep<'a>]) -> Option<String> {
        let milestones: Vec<Command<'a>> = ahead.iter().filter_map(milestone).collect();
        let (now, later) = milestones.split_first()?;
        let next = ahead.first()?;
        let is_first = !std::mem::replace(&mut self.begun, true);
        let brought = match back {
            TrajectoryStep::Replied(reply) => thought_about_reply(reply, ahead),
            TrajectoryStep::Seen(text) => self.brought(text, now),
            TrajectoryStep::Done(_) | TrajectoryStep::Said(_) => return None,
        };
        let whole = self.left(&milestones, None);
        let goal = self.goal(now);
        let means = means(next, now);
        let mut left = self.left(later, Some(now));
        let then = match now {
            Command::Take { object, .. } if !self.seen.contains(object) => Some("take it"),
            Command::Use(lamp) if !self.seen.contains(lamp) => Some("turn it on"),
            _ => None,
        };
        left.splice(0..0, then.map(str::to_owned));
        Some(if is_first {
            format!("I have to {}. Sub-goal now: {goal}{means}.", listed(&whole))
        } else if left.is_empty() {
            format!("{brought} Sub-goal now: {goal}{means}. After that nothing is left.")
        } else {
            let left = left.join(", ");
            format!("{brought} Sub-goal now: {goal}{means}. Left: {left}.")
        })
    }

    /// The news of an observation.
    fn brought(&mut self, text: &'a str, now: &Command<'a>) -> String {
        let mut brought = "Nothing new.".to_owned();
        for_each_fact(text, |fact| match fact {
            Fact::Nothing => brought = "That did not work.".to_owned(),
            Fact::Closed(place) => brought = format!("The {place} is closed."),
            Fact::Contents { receptacle, items } => {
                let items: Vec<&'a str> = items.collect();
                brought = match now {
                    Command::Take { object, .. } | Command::Use(object) => {
                        let class = class_of(object);
                        match items.contains(object) {
                            true => format!("The {object} is in/on the {receptacle}."),
                            false => format!("There is no {class} in/on the {receptacle}."),
                        }
                    }
                    _ => format!("I stand at the {receptacle}."),
                };
                self.seen.extend(items);
            }
            Fact::Taken { object, .. } => {
                self.taken.push(class_of(object));
                brought = format!("I hold the {object} now.");
            }
            Fact::Put { object, to } => brought = format!("The {object} is in/on the {to} now."),
            Fact::Treated { verb, object } => {
                brought = format!("The {object} is {} now.", state(verb));
            }
            _ => {}
        });
        brought
    }

    /// The sub-goal that a command reaches.
    fn goal(&self, milestone: &Command<'a>) -> String {
        match milestone {
            Command::Take { object, from } if self.seen.contains(object) => {
                format!("take the {object} from the {from}")
            }
            Command::Take { object, .. } => self.find(class_of(object), false),
            Command::Treat { verb, object, with } => format!("{verb} the {object} with the {with}"),
            Command::Put { object, to } => format!("put the {object} in/on the {to}"),
            Command::Use(lamp) if self.seen.contains(lamp) => format!("turn on the {lamp}"),
            Command::Use(lamp) => format!("find {}", indefinite(class_of(lamp))),
            // No other command reaches anything.
            _ => String::new(),
        }
    }

    fn find(&self, class: &str, repeated: bool) -> String {
        if repeated || self.taken.contains(&class) {
            format!("find another {class}")
        } else {
            format!("find {}", indefinite(class))
        }
    }

    /// The rest of the task, in general words: which thing and place it will be is not known yet.
    fn left(&self, milestones: &[Command<'a>], now: Option<&Command<'a>>) -> Vec<String> {
        let mut found: Vec<&str> = match now {
            Some(Command::Take { object, .. }) => vec![class_of(object)],
            _ => Vec::new(),
        };
        let mut left = Vec::new();
        for milestone in milestones {
            match milestone {
                Command::Take { object, .. } => {
                    let class = class_of(object);
                    left.push(self.find(class, found.contains(&class)));
                    left.push("take it".to_owned());
                    found.push(class);
                }
                Command::Treat { verb, with, .. } => {
                    left.push(format!("{verb} it with the {}", class_of(with)));
                }
                Command::Put { to, .. } => left.push(format!("put it in/on the {}", class_of(to))),
                Command::Use(lamp) => left.push(format!("turn on {}", indefinite(class_of(lamp)))),
                _ => {}
            }
        }
        left
    }
}

/// The news of a reply, judged by what is done next.
fn thought_about_reply(reply: &str, ahead: &[TrajectoryStep<'_>]) -> String {
    let next = ahead.iter().find_map(|step| match step {
        TrajectoryStep::Done(command) => Some(Command::read(command)),
        _ => None,
    });
    match next {
        Some(Command::Go(place)) if reply.contains(place) => format!("The user names the {place}."),
        Some(Command::Take { object, .. }) if reply.contains(object) => {
            format!("The user wants the {object}.")
        }
        _ => "The user leaves it to me.".to_owned(),
    }
}

/// The use of the next move for the sub-goal, if it does not reach it by itself.
fn means(next: &TrajectoryStep<'_>, now: &Command<'_>) -> String {
    match next {
        TrajectoryStep::Said(said) => match now {
            _ if said.contains("Which") => ", so I ask which one is meant".to_owned(),
            Command::Take { .. } | Command::Use(_) => ", so I ask where to look".to_owned(),
            _ => ", so I speak with the user".to_owned(),
        },
        TrajectoryStep::Done(command) => match Command::read(command) {
            Command::Go(place) => format!(", so I go to the {place}"),
            Command::Open(place) => format!(", so I open the {place}"),
            _ => String::new(),
        },
        TrajectoryStep::Seen(_) | TrajectoryStep::Replied(_) => String::new(),
    }
}

/// The state of something that was cleaned, heated or cooled.
fn state(verb: &str) -> &str {
    match verb {
        "heat" => "hot",
        "cool" => "cold",
        other => other,
    }
}

/// `a, b and c`
fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_say_what_came_back_the_sub_goal_and_what_is_left() {
        let steps = [
            TrajectoryStep::Seen("You see a bed 1.\nYour task is to: put a hot egg in bed."),
            TrajectoryStep::Said("I am looking for the egg. Where should I look?"),
            TrajectoryStep::Replied("Try the desk 1."),
            TrajectoryStep::Done("go to desk 1"),
            TrajectoryStep::Seen("On the desk 1, you see a pen 1."),
            TrajectoryStep::Done("go to safe 1"),
            TrajectoryStep::Seen("The safe 1 is closed."),
            TrajectoryStep::Done("open safe 1"),
            TrajectoryStep::Seen("You open the safe 1. The safe 1 is open. In it, you see a egg 2."),
            TrajectoryStep::Done("take egg 2 from safe 1"),
            TrajectoryStep::Seen("You pick up the egg 2 from the safe 1."),
            TrajectoryStep::Done("heat egg 2 with microwave 1"),
            TrajectoryStep::Seen("You heat the egg 2 using the microwave 1."),
            TrajectoryStep::Done("move egg 2 to bed 1"),
            TrajectoryStep::Seen("You move the egg 2 to the bed 1."),
        ];
        let mut monologue = Monologue::default();
        let mut thoughts = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            thoughts.extend(monologue.thought(*step, &steps[place + 1..]));
        }
        let left = "Left: take it, heat it with the microwave, put it in/on the bed.";
        let expected = [
            "I have to find an egg, take it, heat it with the microwave and put it in/on the bed. \
             Sub-goal now: find an egg, so I ask where to look."
                .to_owned(),
            format!("The user names the desk 1. Sub-goal now: find an egg, so I go to the desk 1. {left}"),
            format!("There is no egg in/on the desk 1. Sub-goal now: find an egg, so I go to the safe 1. {left}"),
            format!("The safe 1 is closed. Sub-goal now: find an egg, so I open the safe 1. {left}"),
            "The egg 2 is in/on the safe 1. Sub-goal now: take the egg 2 from the safe 1. Left: heat \
             it with the microwave, put it in/on the bed."
                .to_owned(),
            "I hold the egg 2 now. Sub-goal now: heat the egg 2 with the microwave 1. Left: put it \
             in/on the bed."
                .to_owned(),
            "The egg 2 is hot now. Sub-goal now: put the egg 2 in/on the bed 1. After that nothing \
             is left."
                .to_owned(),
        ];
        assert_eq!(thoughts, expected);
    }
}
