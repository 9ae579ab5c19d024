//! How the class of an action shows: a role, and a sign that stays when colour and words do not.

use super::{Piece, Role, label};
use crate::logic::Class;

/// How the name of an action of that class is drawn.
pub fn role(class: Class) -> Role {
    match class {
        Class::Free => Role::Free,
        Class::Changes => Role::Changes,
        Class::Billable => Role::Billable,
        Class::Destructive => Role::Destructive,
    }
}

/// Behind an action's name where there is no room for the word; nothing for what only reads.
pub fn class_sign(class: Class) -> Piece {
    let sign = match class {
        Class::Free => "",
        Class::Changes => "*",
        Class::Billable => "$",
        Class::Destructive => "!",
    };
    label(sign, role(class))
}

/// The word, as dialogs, help and palette show it.
pub fn class_word(class: Class) -> Piece {
    label(class.word(), role(class))
}
