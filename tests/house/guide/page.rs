//! The blocks of a guide, with what the line before each says about it.

/// A block of code.
pub(crate) enum Block {
    /// "New file `PATH`"
    File { path: String, text: String },
    /// "In `PATH`, among the modules"
    Module { path: String, text: String },
    /// "In `PATH`, among the dependencies"
    Dependency { path: String, text: String },
    /// "In `PATH`, at the end of `TABLE`"
    Entry { path: String, table: String, text: String },
    /// Commands, one a line.
    Commands(Vec<String>),
    /// The first lines of what the last command before it prints.
    Seen {
        /// The lines.
        text: String,
        /// There are no further ones, which the block would say by a line `...`.
        whole: bool,
    },
}

/// A guide.
pub(crate) struct Page {
    pub(crate) blocks: Vec<Block>,
}

impl Page {
    pub(crate) fn parse(text: &str) -> Self {
        let mut blocks = Vec::new();
        let mut before = "";
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(language) = line.strip_prefix("```") else {
                if !line.is_empty() {
                    before = line;
                }
                continue;
            };
            let inside = lines.by_ref().take_while(|line| *line != "```");
            let inside: String = inside.map(|line| format!("{line}\n")).collect();
            blocks.push(block(language, before, inside));
        }
        Self { blocks }
    }
}

fn block(language: &str, before: &str, text: String) -> Block {
    let mut named = before.split('`').skip(1).step_by(2).map(str::to_owned);
    let mut next = || named.next().unwrap_or_else(|| panic!("no name in `{before}`"));
    match language {
        "sh" => Block::Commands(text.lines().map(str::to_owned).collect()),
        "text" => match text.strip_suffix("...\n") {
            Some(beginning) => Block::Seen { text: beginning.to_owned(), whole: false },
            None => Block::Seen { text, whole: true },
        },
        _ if before.starts_with("New file") => Block::File { path: next(), text },
        _ if before.contains("among the modules") => Block::Module { path: next(), text },
        _ if before.contains("among the dependencies") => Block::Dependency { path: next(), text },
        _ if before.contains("at the end of") => Block::Entry { path: next(), table: next(), text },
        _ => panic!("nothing says where this block of `{language}` belongs: {before}"),
    }
}
