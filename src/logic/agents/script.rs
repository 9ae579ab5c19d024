//! The commands of a shell script, roughly: enough to see which programs it calls.

/// Longer scripts are looked at up to here.
const LOOKED_AT: usize = 16 << 10;

/// Words that stand before a command.
const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "while", "until", "do", "!", "{",
];

/// Words by command. Quotes are taken off; nothing is expanded; text of here-documents is no command.
pub fn commands(script: &str) -> Vec<Vec<String>> {
    let mut lexer = Lexer {
        rest: &script[..script.floor_char_boundary(LOOKED_AT)],
        ..Lexer::default()
    };
    lexer.read();
    lexer.end_command();
    lexer.commands
}

#[derive(Default)]
struct Lexer<'a> {
    rest: &'a str,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    /// The word that is read, even if it is empty.
    word: Option<String>,
    /// Ends of here-documents that begin with the next line.
    documents: Vec<String>,
    /// The next word ends a here-document.
    expects_end: bool,
}

impl Lexer<'_> {
    fn read(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(c) => self.push(c),
                },
                '\'' => self.quoted('\''),
                '"' => self.quoted('"'),
                '#' if self.word.is_none() => self.skip_line(),
                '\n' => {
                    self.end_command();
                    self.skip_documents();
                }
                // A function's definition calls nothing.
                '(' if self.rest.starts_with(')') => {
                    self.word = None;
                    self.words.clear();
                }
                ';' | '&' | '|' | '(' | ')' | '`' => self.end_command(),
                '<' if self.rest.starts_with('<') => {
                    self.end_word();
                    let _ = self.next();
                    if self.rest.starts_with('-') {
                        let _ = self.next();
                    }
                    self.expects_end = !self.rest.starts_with('<');
                }
                c if c.is_whitespace() => self.end_word(),
                c => self.push(c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn quoted(&mut self, quote: char) {
        let mut inside = self.word.take().unwrap_or_default();
        while let Some(c) = self.next() {
            match c {
                c if c == quote => break,
                '\\' if quote == '"' => inside.extend(self.next()),
                c => inside.push(c),
            }
        }
        self.word = Some(inside);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if std::mem::take(&mut self.expects_end) {
            self.documents.push(word);
        } else if !self.words.is_empty() || !KEYWORDS.contains(&word.as_str()) {
            self.words.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }

    fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    fn skip_documents(&mut self) {
        for end in std::mem::take(&mut self.documents) {
            while !self.rest.is_empty() {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                if line.trim_start_matches('\t') == end {
                    break;
                }
            }
        }
    }
}
