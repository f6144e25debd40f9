//! The words by which users understand what they are asked; one blank stands between two of them.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// A sentence without a question mark asks if it begins with one of these.
pub(super) const OPENERS: &str = "\
    where wheres where's which what what's how should could please tell can do does did is are \
    would may must any remind repeat explain describe list show name who whose why when help";

/// They may stand before what a sentence begins with.
pub(super) const FILLERS: &str = "\
    and so then but or sorry sir madam hi hello hey ok okay well excuse me";

/// They ask for a place.
pub(super) const WHERE: &str = "where wheres where's whereabouts location locations";

/// After `which` and `what` these ask for a place.
pub(super) const PLACES: &str = "\
    place places room rooms receptacle receptacles container containers spot spots part location \
    locations furniture";

/// Verbs for what somebody prefers.
pub(super) const CUES: &str = "\
    prefer prefers preferred preference preferences mean means meant want wants wanted like need \
    needs needed choose pick select take bring use get fetch grab put move carry \
    should shall must right correct yours favourite favorite looking";

/// They tell how things are; a question with one of them and no cue is about that.
pub(super) const STATES: &str = "\
    is are was were has have does did lie lies stand stands contain contains hold holds see there";

/// Words that a question for what is meant may consist of if it names nothing. Whatever else it holds
/// may be the name of something else.
pub(super) const COMMON: &str = "\
    which what what's one ones of them these those this that it the a an any all two both do does \
    did you your yours i me we us my is are was were be would will could can should shall must may \
    have has to for in on into with and or so then but please tell know say exactly really now \
    first next kind kinds type types sort sorts there here particular specific special certain \
    prefer preferred preference preferences mean meant want wanted like need needed choose pick \
    select take bring use get fetch grab put move carry clean heat cool right correct favourite \
    favorite looking object objects item items thing things sir madam sorry just ask give deliver \
    owner search searching among between from out up down";

/// Things done with an object somewhere: where, the owner does not say.
pub(super) const DEEDS: &str = "put place move leave clean wash rinse heat warm cool chill bring";

/// With one of these it is asked where a thing is all the same.
pub(super) const SEEKS: &str = "look find search check is are located start get";

/// With one of these a sentence that names nothing is about what was named before.
pub(super) const BACK: &str = "it they them both these those look find search help";

/// Words that ask for a preference, whoever is asked.
pub(super) const PREFERENCES: &str = "prefer prefers preferred preference preferences favourite favorite";

/// Verbs of taking something for somebody.
pub(super) const TAKES: &str = "take bring use pick choose select grab fetch";

/// They may stand between `which` or `what` and the class.
pub(super) const BETWEEN: &str = "\
    one ones two both kind kinds type types sort sorts of the these those your my all exactly other \
    particular specific";

/// Receptacles that there are in some room.
const FURNITURE: &str = "\
    armchair basin bathtub bathtubbasin bed cabinet cart coffeemachine coffeetable counter \
    countertop cupboard desk diningtable drawer dresser fridge garbagecan handtowelholder \
    laundryhamper microwave ottoman refrigerator safe shelf sidetable sink sinkbasin sofa \
    stoveburner table toaster toilet toiletpaperhanger towelholder tvstand";

/// With one of these between two classes the second has nothing to do with the question.
pub(super) const STOPS: &str = "\
    i i'm i've we because since that not except without besides with if while when instead than";

/// With one of these the question is about the second alone.
pub(super) const TURNS: &str = "to for find";

/// They stand before the name of something.
pub(super) const ARTICLES: &str = "the a an my your";

/// Further words of questions, which name nothing.
pub(super) const VERBS: &str = "\
    be been being did does done had having he she him her his they there their theirs us our ours who whose why \
    when how if whether again still yet already also too very maybe perhaps please thank thanks hi hello \
    see seen saw find found locate located get got think guess believe suppose reckon hide hidden keep kept \
    lie lies lying left leave lost last lost come comes came anything something nothing everything stuff \
    anyone someone nobody correct task goal open opened closed shut empty full inside at on off by about \
    best good better likely usually probably where's wheres whereabouts same next second third another \
    few many much more most several enough able allowed supposed start begin done hand hands way ways";

/// They ask for advice where to look.
pub(super) const HINTS: &str = "\
    suggest suggestion suggestions hint hints clue clues idea ideas advice help look looking search searching \
    try check find location locations start begin else somewhere elsewhere spot spots";

/// Nobody knows the answer to a question for these.
pub(super) const UNKNOWABLE: &str = "\
    time clock weather temperature date day year month hour hours minute minutes steps moves turns questions color colour colors colours red \
    green blue black white heavy weigh weighs weight big large small tall size cost costs price expensive cheap \
    old new age why when who whose made material shape brand far long name names owner";

/// Whether a class is one of receptacles that there are in some room.
pub(super) fn is_furniture(class: &str) -> bool {
    static CLASSES: LazyLock<FxHashSet<&str>> = LazyLock::new(|| FURNITURE.split(' ').collect());
    CLASSES.contains(class)
}
