//! A helpful user that is wrong once: for exemplars, which show an agent that sees through bad advice and asks again.

use async_trait::async_trait;

use super::reply::HelpfulUser;
use super::wording::CHECK;
use super::{Asked, Changes, Knowledge, Question, class_of, say};
use crate::domain::{Message, Utterance};
use crate::environments::household::language::is_meant;
use crate::ports::{Turn, UserError, UserSimulator};
use crate::text::mention::{mentions, words};

/// A user whose first reply, where it is asked for the place of something, names a likely receptacle that has it not.
/// Later it answers as the helpful one.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct MistakenUser(HelpfulUser);

#[async_trait]
impl UserSimulator for MistakenUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let has_replied = turn.view.all().any(|event| matches!(event.message, Message::Replied(_)));
        let wrong = if has_replied { None } else { wrong_place(turn)? };
        match wrong {
            Some(place) => Ok(Utterance::text(say(turn.seed, CHECK, &place))),
            None => self.0.reply(turn).await,
        }
    }
}

/// A receptacle that the question takes to be likely and that has nothing of what is asked for.
fn wrong_place(turn: &Turn) -> Result<Option<String>, UserError> {
    let said = super::question(turn)?;
    let plan = Knowledge::of(&turn.view);
    let mut changes = Changes::default();
    changes.fold(&turn.view, &plan);
    let objects = plan.object_classes();
    let is_receptacle = |word: &str| changes.room.iter().any(|name| class_of(name) == word);
    let question = Question::read(&said.text, &|word| objects.contains(word), &is_receptacle);
    let Some(Asked::Where { things, .. }) = question.asked.first() else {
        return Ok(None);
    };
    let likely = mentions(&words(&said.text), is_receptacle);
    let holds = |place: &str| {
        let mut inside = plan.placements().filter(|(_, at)| *at == place);
        inside.any(|(object, _)| things.iter().any(|thing| is_meant(object, thing)))
    };
    let room = changes.room.iter().map(|name| &**name);
    let wrong = room.filter(|place| !holds(place) && likely.iter().any(|mention| is_meant(place, mention)));
    let wrong: Vec<&str> = wrong.collect();
    // Independent of the choice of words, which uses the low end of the seed.
    let draw = (turn.seed.0 >> 16).checked_rem(wrong.len() as u64);
    Ok(draw.and_then(|draw| wrong.get(draw as usize)).map(|place| (*place).to_owned()))
}
