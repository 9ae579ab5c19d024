//! The table of actions. A row is all that palette, help, key bar, README and read-only mode know of one.

/// What an action may cost. Shown wherever the action is shown; `--read-only` leaves only [`Class::Free`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Only reads.
    Free,
    /// Runs something, or alters settings, in what already runs.
    Changes,
    /// Boots, extends, creates, takes a snapshot.
    Billable,
    /// Stops, kills, deletes, overwrites.
    Destructive,
}

impl Class {
    pub fn word(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Changes => "changes",
            Self::Billable => "billable",
            Self::Destructive => "destructive",
        }
    }
}

/// Where an action applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Valid {
    /// Everywhere but under a dialog.
    Everywhere,
    /// On the dashboard, whichever pane has the keys.
    Dashboard,
    List,
    /// On the dashboard, but for what is read: a log's lines, an agent's run.
    Lists,
    /// In the list of sandboxes, and in that of runs.
    Rows,
    /// The stage's list of commands, sessions or facts.
    Stage,
    Lines,
    /// In an agent's run.
    Agent,
    /// In a log's lines, and in an agent's run.
    Reading,
    /// In a shell, after its escape key.
    Shell,
    /// A log's lines, the commands beside them, and an agent's run.
    Log,
    /// In panes with something to move through.
    Moving,
}

/// One row of the table.
#[derive(Debug)]
pub struct ActionRow {
    pub action: Action,
    /// Stable name, for settings and tests.
    pub id: &'static str,
    /// Short, for the key bar.
    pub title: &'static str,
    /// One sentence, for help.
    pub help: &'static str,
    pub class: Class,
    pub valid: Valid,
}

macro_rules! actions {
    ($($action:ident, $id:literal, $title:literal, $class:ident, $valid:ident, $help:literal;)*) => {
        /// Everything a key can ask for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action { $($action),* }

        /// The table, in the order in which help shows it.
        pub static ACTIONS: &[ActionRow] = &[$(ActionRow {
            action: Action::$action,
            id: $id,
            title: $title,
            help: $help,
            class: Class::$class,
            valid: Valid::$valid,
        }),*];

        impl Action {
            pub fn row(self) -> &'static ActionRow {
                // The table is generated from the same list as the enum, in the same order.
                &ACTIONS[self as usize]
            }
        }
    };
}

actions! {
    Quit, "quit", "quit", Free, Everywhere, "Leave the dashboard.";
    Help, "help", "help", Free, Everywhere, "Show the keys that apply here, and all others.";
    Dashboard, "dashboard", "dashboard", Free, Everywhere, "Open the dashboard: list and stage.";
    Runs, "runs", "agent runs", Free, Everywhere, "Open the runs of coding agents, over all sandboxes; who waits for you comes first.";
    Activity, "activity", "activity", Free, Everywhere, "Open the activity view: every request, what failed and why.";
    Refresh, "refresh", "refresh", Free, Everywhere, "Read everything on screen again now; also retries a log stream that gave up.";
    Back, "back", "back", Free, Everywhere, "Leave what is open: the zoom, a search, the pane, the view, in this order.";
    Zoom, "zoom", "zoom", Free, Everywhere, "Give the focused pane the whole screen, and back.";
    NextPane, "next-pane", "next pane", Free, Dashboard, "Move the keys to the next pane.";
    PreviousPane, "previous-pane", "previous pane", Free, Dashboard, "Move the keys to the previous pane.";
    NextTab, "next-tab", "next tab", Free, Dashboard, "Show the next tab of the stage.";
    PreviousTab, "previous-tab", "previous tab", Free, Dashboard, "Show the previous tab of the stage.";
    Open, "open", "open", Free, Moving, "Go into what is selected: a sandbox's stage, a command's lines, a step of a run.";
    Up, "up", "up", Free, Moving, "Move up one.";
    Down, "down", "down", Free, Moving, "Move down one.";
    PageUp, "page-up", "page up", Free, Moving, "Move up a page.";
    PageDown, "page-down", "page down", Free, Moving, "Move down a page.";
    Top, "top", "top", Free, Moving, "Go to the first.";
    Bottom, "bottom", "bottom", Free, Moving, "Go to the last; in a log, follow it again.";
    Left, "left", "left", Free, Lines, "Scroll long lines to the left.";
    Right, "right", "right", Free, Lines, "Scroll long lines to the right.";
    Filter, "filter", "filter", Free, Rows, "Filter the list: fuzzy words, status:running, tag:key=value, region:iad1; the runs: words.";
    Sort, "sort", "sort", Free, List, "Sort by the next column.";
    SortReverse, "sort-reverse", "reverse", Free, List, "Turn the order around.";
    Columns, "columns", "columns", Free, Dashboard, "Choose which columns the list shows, and in which order.";
    Mark, "mark", "mark", Free, List, "Mark the sandbox, or unmark it, and move on; actions then go to all marked ones.";
    MarkRange, "mark-range", "mark range", Free, List, "Mark everything between the last mark and here.";
    MarkAll, "mark-all", "mark all", Free, List, "Mark every sandbox that the filter shows; esc clears all marks.";
    MarkInvert, "mark-invert", "invert marks", Free, List, "Turn the marks around, among what the filter shows.";
    Search, "search", "search", Free, Log, "Search the log, or all that a run holds, by a regular expression; capitals only count where one is typed.";
    NextHit, "next-hit", "next hit", Free, Reading, "Go to the next line or step that the search found.";
    PreviousHit, "previous-hit", "previous hit", Free, Reading, "Go to the line or step before that the search found.";
    NextError, "next-error", "next error", Free, Reading, "Go to the next line that says it is an error, or the next step that failed.";
    PreviousError, "previous-error", "previous error", Free, Reading, "Go to the line before that says it is an error, or the step before that failed.";
    NextStderr, "next-stderr", "next stderr", Free, Lines, "Go to the next line of stderr.";
    PreviousStderr, "previous-stderr", "previous stderr", Free, Lines, "Go to the line before of stderr.";
    Raw, "raw", "raw", Free, Reading, "From a step of a run to its raw lines in the log, and back from a line to its step.";
    NextTurn, "next-turn", "next turn", Free, Agent, "Go to the agent's next turn.";
    PreviousTurn, "previous-turn", "previous turn", Free, Agent, "Go to the beginning of the turn, or to the turn before.";
    NextEdit, "next-edit", "next edit", Free, Agent, "Go to the next change of a file.";
    PreviousEdit, "previous-edit", "previous edit", Free, Agent, "Go to the change of a file before.";
    NextQuestion, "next-question", "next question", Free, Agent, "Go to the next question or permission that a person must answer.";
    PreviousQuestion, "previous-question", "previous question", Free, Agent, "Go to the question or permission before.";
    NextFile, "next-file", "next file", Free, Agent, "Go to the newest change of the next of the files it touched.";
    FoldTurn, "fold-turn", "fold turn", Free, Agent, "Fold the turn to one line, or unfold it.";
    FoldTurns, "fold-turns", "fold all", Free, Agent, "Fold all turns, or unfold them.";
    Kinds, "kinds", "kinds", Free, Agent, "Show only what was said, only tools, edits, errors and questions, or everything again.";
    ReadAs, "read-as", "read as", Free, Agent, "Read the log as an agent's format that you name, whatever it looks like.";
    CopyAnswer, "copy-answer", "copy answer", Free, Agent, "Copy what the agent said last.";
    CopyPath, "copy-path", "copy path", Free, Agent, "Copy the path of the file that the step changed, or that was gone to last.";
    MarkCommand, "mark-command", "mark", Free, Stage, "Mark the command, or unmark it, and move on; marked ones are merged. Among merged sources: mute.";
    MergeLogs, "merge-logs", "merge logs", Free, Dashboard, "Read several logs as one: the marked commands or all of the sandbox; from the list, what runs in the marked or filtered sandboxes.";
    MergeNew, "merge-new", "everything new", Free, Dashboard, "Read as one what every command prints that begins from now on, in all that runs.";
    Mute, "mute", "mute", Free, Dashboard, "Leave out the lines of the chosen source of merged logs, or show them again.";
    Solo, "solo", "solo", Free, Dashboard, "Show only the lines of the chosen source of merged logs, or all again.";
    FilterLines, "filter-lines", "filter lines", Free, Lines, "Show only lines that match: words (one of them), !not these, +2 lines around each; esc shows all.";
    GoToTime, "go-to-time", "go to time", Free, Lines, "Go to the first line that arrived at a time: 14:03, or -5m.";
    Wrap, "wrap", "wrap", Free, Lines, "Let long lines go on below, or cut them.";
    LineNumbers, "line-numbers", "line numbers", Free, Lines, "Show the numbers of lines, or hide them.";
    ArrivalTimes, "arrival-times", "arrival times", Free, Lines, "Show when lines arrived: how long ago, in local time, in UTC, not at all.";
    StreamMarks, "stream-marks", "stream marks", Free, Lines, "Show signs before lines that are not of stdout, or hide them.";
    SourceNames, "source-names", "source names", Free, Lines, "Show before lines of merged logs whose they are, or hide it.";
    LevelColours, "level-colours", "level colours", Free, Lines, "Colour lines by how grave they say they are, or do not.";
    PrettyJson, "pretty-json", "pretty JSON", Free, Lines, "Lay lines of JSON out on several rows, or on one.";
    Follow, "follow", "follow", Free, Reading, "Follow the end of the log or run, or stay where you are.";
    SelectLines, "select-lines", "select lines", Free, Lines, "Select lines by moving, until they are copied, saved or piped; esc ends it.";
    Copy, "copy", "copy", Free, Moving, "Copy what is selected: a name, a fact, lines of a log; there else the last in view. In a run the step, as Markdown.";
    CopyAll, "copy-all", "copy all", Free, Reading, "Copy the whole log, or what the filter shows of it; a run as Markdown.";
    CopyMatch, "copy-match", "copy match", Free, Lines, "Copy the text that the search found, without the rest of its line.";
    SaveLines, "save-lines", "save", Free, Lines, "Save the selected lines, or all: plain text, .ansi as they came, .jsonl with times.";
    OpenPager, "open-pager", "pager", Free, Lines, "Read the selected lines, or all, in $PAGER.";
    OpenEditor, "open-editor", "editor", Free, Lines, "Open the selected lines, or all, in $VISUAL or $EDITOR.";
    PipeLines, "pipe-lines", "pipe", Free, Lines, "Give the selected lines, or all, to a command of this machine.";
    OpenUrl, "open-url", "open URL", Free, Stage, "Open the selected route's URL in the browser.";
    Stop, "stop", "stop", Destructive, Dashboard, "Stop the marked sandboxes, or else the selected one, after a question.";
    Delete, "delete", "delete", Destructive, Dashboard, "Delete the marked sandboxes, or else the selected one, after a word has been typed.";
    Kill, "kill", "signal", Destructive, Dashboard, "Send a signal to the chosen command, after a question.";
    Extend, "extend", "extend", Billable, Dashboard, "Give the marked sandboxes, or else the selected one, more time, after a question.";
    ExtendWarned, "extend-warned", "extend it", Billable, Everywhere, "Give more time to the sandbox whose near end was warned of, after a question.";
    Resume, "resume", "resume", Billable, Dashboard, "Resume the marked sandboxes, or else the selected one, after a question.";
    Undo, "undo", "take back", Free, Everywhere, "Take back a stop or a deletion that is confirmed and not sent yet.";
    Run, "run", "run", Changes, Dashboard, "Run a command in the selected sandbox's session, by a form.";
    RunAgain, "run-again", "run again", Changes, Dashboard, "Run the chosen command once more, after a question.";
    EditRun, "edit-run", "edit and run", Changes, Dashboard, "Run a command that begins as the chosen one, by a form.";
    Shell, "shell", "shell", Changes, Dashboard, "Go into the selected sandbox's shell, or open one; where it has stopped, after a question.";
    NewShell, "new-shell", "new shell", Changes, Dashboard, "Open another shell, by a form: program, user, directory, environment.";
    Shells, "shells", "shells", Free, Everywhere, "List all open shells of all sandboxes, and go to one.";
    ShellEscape, "shell-escape", "shell keys", Free, Shell, "In a shell this key is sandtop's, and all others go to the program; pressed twice it goes there too.";
    ShellLeave, "shell-leave", "leave", Free, Shell, "Give the keys back to the dashboard; the shell stays in view.";
    ShellDetach, "shell-detach", "background", Free, Shell, "Leave the shell and go back to the list; it goes on in the background.";
    ShellNext, "shell-next", "next", Free, Shell, "Go to the next shell of this sandbox.";
    ShellPrevious, "shell-previous", "previous", Free, Shell, "Go to the shell before of this sandbox.";
    ShellCopyMode, "shell-copy-mode", "copy mode", Free, Shell, "Move through the screen and what is above it by vi keys; select, search and copy.";
    ShellSearch, "shell-search", "search", Free, Shell, "Search the screen and what is above it.";
    ShellPaste, "shell-paste", "paste", Changes, Shell, "Type what was copied last in a shell.";
    ShellAnswer, "shell-answer", "answer", Free, Shell, "Answer a program that wants to fill the clipboard.";
    ShellRename, "shell-rename", "rename", Free, Shell, "Give the shell a name.";
    ShellRecord, "shell-record", "record", Free, Shell, "Record what the shell prints to a file (asciicast), or end that.";
    ShellExtend, "shell-extend", "extend", Billable, Shell, "Give the shell's session more time, after a question.";
    ShellKeepAlive, "shell-keep-alive", "keep alive", Billable, Shell, "Extend the session whenever its end is near and the shell has the keys; or stop that.";
    ShellReconnect, "shell-reconnect", "reconnect", Changes, Shell, "Open a shell in place of one that ended or was lost.";
    ShellClose, "shell-close", "close", Changes, Shell, "Close the shell; while it is open, after a question.";
    Create, "create", "create", Billable, Lists, "Create a sandbox, by a form.";
    Sample, "sample", "sample", Billable, Dashboard, "Create three samples on the local engine: a web server, a failing build, agents' runs.";
    Palette, "palette", "palette", Free, Everywhere, "Find an action or a sandbox by typing a part of its name.";
    Mouse, "mouse", "mouse", Free, Everywhere, "Give the mouse to the terminal (to select text), and back.";
    Redraw, "redraw", "redraw", Free, Everywhere, "Draw the whole screen anew.";
    Suspend, "suspend", "suspend", Free, Everywhere, "Put the dashboard into the background (fg brings it back).";
}
