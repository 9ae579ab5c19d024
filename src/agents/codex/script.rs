//! A command as a person would type it: the script of `bash -lc`, else its words.

use serde_json::Value;

pub fn script(command: &Value) -> String {
    let Some(words) = command.as_array() else {
        return command.as_str().unwrap_or_default().to_owned();
    };
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        [shell, flag, script] if is_shell(shell) && is_script_flag(flag) => (*script).to_owned(),
        words => words.join(" "),
    }
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ash" | "fish")
}

fn is_script_flag(word: &str) -> bool {
    word.starts_with('-') && word.ends_with('c')
}
