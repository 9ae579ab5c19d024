//! Names of sources: as short as they can be without meaning two.

use super::Source;
use crate::model::{Clean, Command, Foreign};
use crate::text::{clean_str, say};

/// The program's own name, without its folder.
pub(super) fn program(command: &Command) -> Clean {
    let program = command.name.as_ref().map_or("?", Foreign::as_raw);
    clean_str(program.rsplit('/').next().unwrap_or(program))
}

/// `web` where it is the sandbox's only source, `npm` where all are of one sandbox, else `web/npm`; `#2` for the second
/// of that name.
pub(super) fn give(sources: &mut [Source]) {
    let mut given: Vec<Clean> = Vec::with_capacity(sources.len());
    for source in &*sources {
        let beside = sources
            .iter()
            .filter(|other| other.sandbox == source.sandbox)
            .count();
        let name = if beside == sources.len() {
            source.program.clone()
        } else if beside == 1 {
            source.sandbox.clone()
        } else {
            say(format_args!("{}/{}", source.sandbox, source.program))
        };
        let numbered = (2..).map(|n| say(format_args!("{name}#{n}")));
        let mut free = std::iter::once(name.clone()).chain(numbered);
        let free = free.find(|name| !given.contains(name));
        given.push(free.unwrap_or(name));
    }
    for (source, name) in sources.iter_mut().zip(given) {
        source.name = name;
    }
}
