//! Commands: list, get, run, read, kill (api.md §2.8).

use super::answer::Answered;
use super::call::Call;
use super::client::Client;
use super::stream::LogStream;
use crate::model::request::RunCommand;
use crate::model::{Command, CommandId, Failure, Page, SessionId};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct OfCommand {
    command: Command,
}

impl Client {
    /// All commands of the session, newest first; there are no further pages.
    pub async fn list_commands(
        &self,
        session: &SessionId,
    ) -> Result<Answered<Page<Command>>, Failure> {
        let call = commands(Call::get, "list commands", session);
        self.page(call, "commands", false).await
    }

    /// With `wait` it answers when the command has ended, or times out.
    pub async fn get_command(
        &self,
        session: &SessionId,
        command: &CommandId,
        wait: bool,
    ) -> Result<Answered<Command>, Failure> {
        let call = commands(Call::get, "get command", session).id(command);
        let call = if wait {
            call.ask("wait", "true").slow()
        } else {
            call
        };
        Ok(self.fetch::<OfCommand>(call).await?.map(|of| of.command))
    }

    /// Detached: answers when the process runs. Must not be sent twice: it would run twice.
    pub async fn run_command(
        &self,
        session: &SessionId,
        wanted: &RunCommand,
    ) -> Result<Answered<Command>, Failure> {
        let wanted = RunCommand {
            wait: false,
            logs: false,
            ..wanted.clone()
        };
        let call = commands(Call::post, "run command", session).body(&wanted);
        Ok(self.fetch::<OfCommand>(call).await?.map(|of| of.command))
    }

    /// The command's object, its output, and at its end the object once more, with the exit code. Without that last
    /// one the command's fate is unknown. Must not be sent twice.
    pub async fn run_command_waiting(
        &self,
        session: &SessionId,
        wanted: &RunCommand,
    ) -> Result<Answered<LogStream>, Failure> {
        let wanted = RunCommand {
            wait: true,
            logs: true,
            ..wanted.clone()
        };
        let call = commands(Call::post, "run command", session).body(&wanted);
        self.open(call).await
    }

    /// The output from its first byte on, then live; ends when the command does.
    pub async fn logs(
        &self,
        session: &SessionId,
        command: &CommandId,
    ) -> Result<Answered<LogStream>, Failure> {
        let call = commands(Call::get, "read logs", session).id(command);
        self.open(call.then("/logs")).await
    }

    /// `signal` is a POSIX number.
    pub async fn kill(
        &self,
        session: &SessionId,
        command: &CommandId,
        signal: i32,
    ) -> Result<Answered<Command>, Failure> {
        let call = commands(Call::post, "kill command", session)
            .id(command)
            .then("/kill")
            .body(&json!({ "signal": signal }));
        Ok(self.fetch::<OfCommand>(call).await?.map(|of| of.command))
    }
}

fn commands(
    method: fn(&'static str, &'static str) -> Call,
    call: &'static str,
    session: &SessionId,
) -> Call {
    method(call, "/v2/sandboxes/sessions")
        .id(session)
        .then("/cmd")
}
