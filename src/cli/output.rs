//! Writing to stdout and stderr: colours where a terminal wants them, messages that cannot be mistaken for output.

use std::io::{self, BufWriter, Write};

use anstream::{AutoStream, ColorChoice};

use crate::render::{Text, terminal};

/// Frames need some room; a terminal that is narrower, or says that it has no width, breaks their lines.
const NARROWEST: usize = 60;

/// Whether stdout is written with colours: on a terminal, unless `NO_COLOR` says no; elsewhere only when
/// `CLICOLOR_FORCE` says so.
pub(super) fn style() -> Text {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Never => Text::Plain,
        _ => Text::Styled,
    }
}

/// How many columns the terminal has that stdout is, for frames.
pub(super) fn width() -> Option<usize> {
    columns().map(|columns| columns.max(NARROWEST))
}

/// How many columns the terminal has that stdout is.
pub(super) fn columns() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width))
}

/// Lets `content` write to stdout, through a buffer.
pub(super) fn with_stdout(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(64 * 1024, AutoStream::auto(io::stdout().lock()));
    content(&mut out)?;
    out.flush()
}

/// Writes text to stdout.
pub(super) fn write(text: &str) -> io::Result<()> {
    with_stdout(|out| out.write_all(text.as_bytes()))
}

/// Tells on stderr that something went wrong. Where stderr is closed there is nobody to tell.
pub(super) fn message(text: &str) {
    let _ = writeln!(io::stderr(), "error: {}", terminal::escaped(text));
}

/// Says something on stderr that is not wrong.
pub(super) fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{}", terminal::escaped(text));
}

/// Asks something on stderr: no line break follows.
pub(super) fn prompt(text: &str) {
    let _ = write!(io::stderr(), "{}", terminal::escaped(text));
}

/// Shows on stderr, where it is a terminal, what is being done, in the place of what was shown before; nothing, once it
/// is done.
pub(super) fn progress(text: &str) {
    if let Some((terminal_size::Width(width), _)) = terminal_size::terminal_size_of(io::stderr()) {
        let line: String = terminal::escaped(text).chars().take(usize::from(width).saturating_sub(1)).collect();
        let _ = write!(anstream::stderr(), "\r\u{1b}[K{line}");
    }
}
