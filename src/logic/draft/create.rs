//! A sandbox to create (api.md §2.2), as the official command line creates one.

use super::{Wrong, env, some, timeout};
use crate::logic::{World, words};
use crate::model::request::{CreateSandbox, Resources};
use crate::model::{Clean, Foreign, SandboxName, Span, Tags};
use crate::text::{clean_str, say};
use serde_json::json;

/// In the order of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateField {
    Name,
    Timeout,
    Vcpus,
    Persistent,
    Ports,
    Tags,
    Image,
    Runtime,
    Env,
}

/// The first one is none: a sandbox is then made from an image.
pub const RUNTIMES: &[&str] = &["none", "node22", "node24", "node26", "python3.13"];
const LONGEST_NAME: usize = 128;
const MOST_PORTS: usize = 15;
const FIRST_PORT: u16 = 1024;
const MOST_TAGS: usize = 5;
const LONGEST_TAG: usize = 256;
const LONGEST_IMAGE: usize = 255;

#[derive(Clone, PartialEq, Eq)]
pub struct CreateDraft {
    pub name: String,
    pub timeout: String,
    pub vcpus: String,
    pub persistent: bool,
    pub ports: String,
    pub tags: String,
    pub image: String,
    /// A place in [`RUNTIMES`].
    pub runtime: usize,
    pub env: String,
}

impl Default for CreateDraft {
    fn default() -> Self {
        Self {
            name: String::new(),
            timeout: "5m".to_owned(),
            vcpus: String::new(),
            persistent: true,
            ports: String::new(),
            tags: String::new(),
            image: String::new(),
            runtime: 0,
            env: String::new(),
        }
    }
}

impl CreateDraft {
    /// # Errors
    /// What is wrong, field by field; a name that `world` has already is wrong too.
    pub fn request(&self, world: &World) -> Result<CreateSandbox, Vec<(CreateField, Clean)>> {
        use CreateField as F;
        let mut wrong = Wrong(Vec::new());
        let name = wrong.sort(F::Name, name(&self.name, world));
        let timeout = timeout(&self.timeout, Span::seconds(1), "at least 1s");
        let timeout = wrong.sort(F::Timeout, timeout);
        let resources = wrong.sort(F::Vcpus, vcpus(&self.vcpus));
        let ports = wrong.sort(F::Ports, ports(&self.ports));
        let tags = wrong.sort(F::Tags, tags(&self.tags));
        let runtime = RUNTIMES.get(self.runtime).filter(|_| self.runtime > 0);
        let image = wrong.sort(F::Image, image(&self.image, runtime.is_some()));
        let env = wrong.sort(F::Env, env(&self.env));
        if !wrong.0.is_empty() {
            return Err(wrong.0);
        }
        Ok(CreateSandbox {
            name,
            ports,
            timeout,
            resources,
            runtime: runtime.map(|runtime| Foreign::from(*runtime)),
            image,
            persistent: Some(self.persistent),
            network_policy: Some(json!({"mode": "allow-all"})),
            env: Some(env),
            tags: (!tags.is_empty()).then_some(tags),
            // Ready for terminals, as the official command line makes them.
            interactive: Some(true),
            ..CreateSandbox::default()
        })
    }
}

/// Empty: the service finds one.
fn name(text: &str, world: &World) -> Result<Option<SandboxName>, Clean> {
    let Some(text) = some(text) else {
        return Ok(None);
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if let Some(c) = text.chars().find(|c| !fits(*c)) {
        let c = clean_str(&c.to_string());
        return Err(say(format_args!(
            "letters, digits, - and _ only, not \"{c}\""
        )));
    }
    if text.len() > LONGEST_NAME {
        return Err(Clean::from("at most 128 characters"));
    }
    let name = SandboxName::new(text);
    match world.named(&name) {
        Some(_) => Err(Clean::from("there is a sandbox of that name")),
        None => Ok(Some(name)),
    }
}

fn vcpus(text: &str) -> Result<Option<Resources>, Clean> {
    let Some(text) = some(text) else {
        return Ok(None);
    };
    match text.parse() {
        Ok(vcpus) if vcpus == 1 || vcpus > 1 && vcpus % 2 == 0 => Ok(Some(Resources {
            vcpus,
            memory: None,
        })),
        _ => Err(Clean::from("1, or an even number")),
    }
}

fn ports(text: &str) -> Result<Vec<u16>, Clean> {
    let mut ports = Vec::new();
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    for word in words {
        let port = word.parse().ok().filter(|port| *port >= FIRST_PORT);
        let port = port.ok_or_else(|| {
            say(format_args!(
                "{} is no port from 1024 to 65535",
                clean_str(word)
            ))
        })?;
        if ports.contains(&port) {
            return Err(say(format_args!("{port} stands twice")));
        }
        ports.push(port);
    }
    if ports.len() > MOST_PORTS {
        return Err(Clean::from("at most 15 ports"));
    }
    Ok(ports)
}

fn tags(text: &str) -> Result<Tags, Clean> {
    let mut tags = Tags::new();
    for (name, value) in words::pairs(text)? {
        if value.chars().count() > LONGEST_TAG {
            return Err(Clean::from("a value has at most 256 characters"));
        }
        if tags
            .insert(Foreign::from(name.as_str()), Foreign::from(value))
            .is_some()
        {
            return Err(say(format_args!("{} stands twice", clean_str(&name))));
        }
    }
    if tags.len() > MOST_TAGS {
        return Err(Clean::from("at most 5 tags"));
    }
    Ok(tags)
}

fn image(text: &str, has_runtime: bool) -> Result<Option<Foreign>, Clean> {
    match some(text) {
        Some(_) if has_runtime => Err(Clean::from("an image or a runtime, not both")),
        Some(image) if image.chars().count() > LONGEST_IMAGE => {
            Err(Clean::from("at most 255 characters"))
        }
        image => Ok(image.map(Foreign::from)),
    }
}
