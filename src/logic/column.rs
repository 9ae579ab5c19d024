//! The table of the list's columns, which are also what it can be sorted by.

macro_rules! columns {
    ($($column:ident, $id:literal, $title:literal, $about:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Column { $($column),* }

        impl Column {
            pub const ALL: [Self; [$($id),*].len()] = [$(Self::$column),*];

            /// Its name in settings: the title as it is written there.
            pub fn id(self) -> &'static str {
                match self { $(Self::$column => $id),* }
            }

            pub fn title(self) -> &'static str {
                match self { $(Self::$column => $title),* }
            }

            /// What it tells, in a phrase.
            pub fn about(self) -> &'static str {
                match self { $(Self::$column => $about),* }
            }
        }
    };
}

// As they usually stand.
columns! {
    Name, "name", "NAME", "what it is called; always shown";
    Status, "status", "STATUS", "what it is doing";
    Left, "left", "LEFT", "time until the service stops it";
    Agent, "agent", "AGENT", "how the coding agent in it stands";
    Cost, "cost", "COST", "of the running session so far, memory only";
    Created, "created", "CREATED", "how long ago it was made";
    Region, "region", "REGION", "where it runs";
    Memory, "memory", "MEMORY", "how much it has";
    Vcpus, "vcpus", "VCPUS", "how many it has";
    Image, "image", "IMAGE", "image or runtime it boots from";
    Tags, "tags", "TAGS", "name:value, as given";
    Cpu, "cpu", "CPU", "time used, up to the last stop";
    Egress, "out", "OUT", "sent, up to the last stop";
    Ingress, "in", "IN", "received, up to the last stop";
    Changed, "changed", "CHANGED", "how long ago its status changed";
    Snapshot, "snapshot", "SNAPSHOT", "what it would resume from";
    Mounts, "mounts", "MOUNTS", "drives in its file system";
}

impl Column {
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.id() == id)
    }

    /// What the sort key steps through.
    pub fn next_sortable(self) -> Self {
        use Column::{Changed, Cost, Created, Left, Name, Status};
        match self {
            Created => Name,
            Name => Status,
            Status => Left,
            Left => Cost,
            Cost => Changed,
            _ => Created,
        }
    }
}
