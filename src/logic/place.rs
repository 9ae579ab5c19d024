//! Where the user is: views, tabs of the stage, panes.

/// What a number key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum View {
    #[default]
    Dashboard,
    /// Runs of coding agents, over all sandboxes.
    Runs,
    Activity,
}

impl View {
    pub const ALL: [Self; 3] = [Self::Dashboard, Self::Runs, Self::Activity];

    /// Its name in what is remembered.
    pub fn id(self) -> &'static str {
        match self {
            Self::Dashboard => "dashboard",
            Self::Runs => "runs",
            Self::Activity => "activity",
        }
    }
}

/// Tabs of the stage: facts about the selected sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Tab {
    #[default]
    Logs,
    Agent,
    Shell,
    Sessions,
    Info,
}

impl Tab {
    pub const ALL: [Self; 5] = [
        Self::Logs,
        Self::Agent,
        Self::Shell,
        Self::Sessions,
        Self::Info,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Logs => "Logs",
            Self::Agent => "Agent",
            Self::Shell => "Shell",
            Self::Sessions => "Sessions",
            Self::Info => "Info",
        }
    }

    /// The tab `by` steps further, around the end.
    pub fn step(self, by: isize) -> Self {
        let count = Self::ALL.len();
        let at = Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0);
        let to = (at + count).saturating_add_signed(by) % count;
        Self::ALL.get(to).copied().unwrap_or_default()
    }
}

/// What has the keys when no dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Pane {
    #[default]
    List,
    /// The stage's list of commands (Logs tab), or its whole (other tabs).
    Stage,
    /// The lines of the chosen command.
    Lines,
    /// The steps of the chosen command, as an agent's run.
    Agent,
    /// A shell: every key is the program's, but for one.
    Shell,
    Runs,
    Activity,
}

impl Pane {
    pub const ALL: [Self; 7] = [
        Self::List,
        Self::Stage,
        Self::Lines,
        Self::Agent,
        Self::Shell,
        Self::Runs,
        Self::Activity,
    ];
}
