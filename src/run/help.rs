//! What `--help` says after the options.

pub const EXAMPLES: &str = "\
Examples:
  sandtop                       with credentials your project's sandboxes, else the local engine
  sandtop --local --demo        sample sandboxes that really run, on this machine; no account
  sandtop --read-only           look, and nothing else
  sandtop ls --json | jq        the running sandboxes, for scripts
  sandtop stop web --yes        stop without a screen; rm, extend and run likewise
  sandtop tail web              what its newest command prints, as it comes
  sandtop shell web             a shell in it, in this terminal

Settings: config.toml and keys.toml; `sandtop config path` says where, `sandtop config print` and `sandtop keys` what.

Credentials, the first that is found:
  --token or SANDTOP_TOKEN with --team and --project
  VERCEL_TOKEN with VERCEL_TEAM_ID and VERCEL_PROJECT_ID
  VERCEL_AUTH_TOKEN, VERCEL_OIDC_TOKEN
  the login of the Vercel CLI, with .vercel/project.json
Variables are also read from .env.local and .env of the working directory.

Environment:
  SANDTOP_API_URL   as --api-url      SANDTOP_TOKEN   as --token      SANDTOP_CONFIG_DIR   as --config-dir
  SANDTOP_LOG       what sandtop logs about itself to sandtop.log in the data directory (debug, info, ...)
  NO_COLOR          set and not empty: no colours
  HTTPS_PROXY, SSL_CERT_FILE and their like are honoured

Exit codes:
  0  done    1  failed    2  wrong usage, no terminal, or credentials without team and project
  101  a bug in sandtop    128+n  ended by signal n";

pub const LS_EXAMPLES: &str = "\
Without credentials, or with --local, this asks the local engine that is running; none is started for it.

Exit codes:
  0  listed    1  failed    2  wrong usage, or credentials without team and project";

pub const DOCTOR_HELP: &str = "\
Credentials are told by the name of their place, never by their value. It asks the service for one page of the list,
starts no engine, and changes nothing but a directory to try the isolation in, which it clears again.

Exit codes:
  0  usable    1  something is in the way    2  wrong usage";

pub const DEED_HELP: &str = "\
Prints a line for each name on standard output, as it comes; with --json an object a line: name, deed, result (done,
refused, failed, unknown) and why. A sandbox that was made anew or runs in another session since it was looked up is
left alone.

Exit codes:
  0  done to all of them    1  not to all, or the answer was no
  2  wrong usage, credentials without team and project, or no terminal to ask in (--yes does not ask)
  130  Ctrl-C: what was sent may still happen";

pub const RUN_HELP: &str = "\
Standard output and standard error stay apart. Into a file or a pipe they go as the command wrote them; on a terminal
without what does something to it. With --json each piece is an object a line, and the last one tells the exit code.
Ctrl-C leaves the command running, and says where.

Examples:
  sandtop run web -- npm test
  sandtop run web --cwd app --env CI=1 --timeout 10m -- sh -c 'make && make check'
  sandtop run web --detach -- node server.js

Exit codes:
  the command's own    2  wrong usage, credentials without team and project, or no terminal to ask in
  125  it was not run, or its end was not seen    130  Ctrl-C    141  nobody reads the output any more";

pub const TAIL_HELP: &str = "\
Without --cmd or --all: of each sandbox the newest command that runs, else the newest one. A log is told from its start.
A stream that breaks off is opened again, and what was told already is not told again. Looking is free: nothing is
resumed, and the logs of a sandbox that has stopped are not there any more.

On a terminal colours stay, unless NO_COLOR or --no-color is there, and nothing else that a command may do to it. Into a
file or a pipe the text goes without its control sequences. With several logs each line begins with its source. With
--json a line is an object: time (of its arrival; not of what was written before), sandbox, command, stream, text. The
texts of a command's stream, one after the other, are its bytes; one without a line break at its end was not finished.
What is to be told about a log itself goes to standard error. With --agent the lines are those of `sandtop read`.

Examples:
  sandtop tail web
  sandtop tail web worker --all --include error --exclude healthcheck
  sandtop tail web --cmd cmd_1 --json | jq -j .text
  sandtop tail web --agent

Exit codes:
  one command    its own
  several        0  all ended with 0    1  one of them did not
  125  a log could not be read, or its end was not seen
  2  wrong usage, or credentials without team and project    130  Ctrl-C    141  nobody reads the output any more";

pub const READ_HELP: &str = "\
FILE is what an agent printed (`-`: standard input), or its session file. Without --exit it counts as still running.

Read are Claude Code (stream-json, json, session files), Codex (exec --json, old and new, rollout files), OpenCode, Gemini
CLI, Cursor and OpenClaw. With --json a line is an object: {\"type\":\"step\",…} for each step, and
{\"type\":\"run\",…} with state and totals at each change of state and at the end; what is not there is not known.

Examples:
  claude -p --output-format stream-json --verbose 'fix it' >run.jsonl 2>run.err; sandtop read run.jsonl --exit $?
  sandtop read ~/.claude/projects/-app/session.jsonl --json | jq -r 'select(.tool).short'

Exit codes:
  0  read    1  the file cannot be read    2  wrong usage";

pub const SHELL: &str = "\
Without a command it is the best shell that the image has: bash, zsh, or sh. As with ssh, what runs there has this
terminal for itself: every key goes to it, Ctrl-C too, and what it prints comes unchanged. A connection that breaks is
noticed within half a minute.

Where standard input is no terminal, the shell is sh, and the input is typed in, and an end of file (Ctrl-D) on a line of its own after it. A sandbox that has stopped
stays so without --resume. A shell changes what runs, so with `read_only` in config.toml there is none.

Examples:
  sandtop shell web
  sandtop shell web --cwd /tmp --env DEBUG=1 -- python3
  sandtop shell web --record demo.cast, then sandtop play demo.cast

Exit codes:
  the shell's own    2  wrong usage, or credentials without team and project
  125  it was not opened, or its end was not seen    128+n  ended by signal n    141  nobody reads the output any more";

pub const PLAY: &str = "\
Space pauses, the arrow keys go five seconds back and forth, 0 to 9 to that tenth, + and - change the speed, q leaves.
What was recorded is drawn, never sent: nothing in a file can ring, copy, or change this terminal.

Exit codes:
  0  left    1  the file cannot be played    2  wrong usage, or no terminal    128+n  ended by signal n";
