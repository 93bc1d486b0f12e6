//! What is wrong with a text as JSON, where, and the one edit that mends it where there is one.

use std::fmt;

use crate::text::{Edit, TextRange};

/// A place where the text breaks the grammar.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// What was met, or the last thing before the place where something is missing.
    pub range: TextRange,
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// One edit that most likely mends it; only reading again tells.
    pub repair: Option<Edit>,
}

impl SyntaxError {
    /// Where what has the error is: an unclosed bracket is marked at the end of what it holds, but is an error of the
    /// container that it opens.
    pub fn origin(&self) -> usize {
        match self.kind {
            SyntaxErrorKind::Unclosed { opened, .. } => opened,
            _ => self.range.start,
        }
    }

    /// Whether reading the value or member at `place` alone gives this error, too. A comma that is missing before it
    /// is an error of the container around it.
    pub fn is_within(&self, place: TextRange) -> bool {
        let origin = self.origin();
        let is_before = self.kind == SyntaxErrorKind::MissingComma && origin == place.start;
        place.start <= origin && origin < place.end && !is_before
    }
}

/// What is wrong. Its `Display` is the message.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxErrorKind {
    /// Nothing but white space and comments.
    Empty,
    /// Two values or members follow each other.
    MissingComma,
    /// A key is not followed by a colon.
    MissingColon,
    /// A colon or comma is not followed by a value.
    MissingValue,
    /// A value stands where a key has to.
    MissingKey,
    /// A comma without a value before it.
    ExtraComma,
    /// The text ends, or another bracket comes, before this one is closed.
    Unclosed {
        /// `}` or `]`.
        expected: char,
        /// Where its opening bracket is.
        opened: usize,
    },
    /// A closing bracket that closes nothing.
    UnexpectedClose {
        /// The bracket.
        found: char,
    },
    /// A string without a quote at its end.
    UnclosedString,
    /// A string in single quotes.
    SingleQuotes {
        /// Whether the second one is there.
        closed: bool,
    },
    /// A string in the quotes of a word processor.
    CurlyQuotes {
        /// The first of them.
        found: char,
    },
    /// A key without quotes.
    BareKey,
    /// A word that is no JSON value.
    UnknownWord {
        /// The word.
        word: String,
        /// The JSON value that it stands for, where that is plain.
        meant: Option<&'static str>,
    },
    /// A number that JSON writes otherwise.
    InvalidNumber,
    /// A backslash with something after it that is no escape.
    InvalidEscape,
    /// A line break in a string.
    LineBreak,
    /// A control character in a string.
    ControlCharacter {
        /// The character.
        found: char,
    },
    /// A character that has no place outside strings.
    UnexpectedCharacter {
        /// The character.
        found: char,
    },
    /// A comment as shells and Python write it.
    HashComment,
    /// A comment that is not closed.
    UnclosedComment,
    /// Something other than white space before the first bracket.
    TextBeforeValue,
    /// More text after the first value.
    TrailingContent,
    /// Deeper nesting than is read.
    TooDeep,
}

impl SyntaxErrorKind {
    /// Whether what was read around it may be other than what was meant: text may have been taken for a string, or
    /// members for those of another object.
    pub fn is_structural(&self) -> bool {
        match self {
            Self::MissingColon
            | Self::MissingKey
            | Self::Unclosed { .. }
            | Self::UnexpectedClose { .. }
            | Self::UnclosedString
            | Self::SingleQuotes { closed: false }
            | Self::UnexpectedCharacter { .. }
            | Self::UnclosedComment
            | Self::TooDeep => true,
            Self::Empty
            | Self::MissingComma
            | Self::MissingValue
            | Self::ExtraComma
            | Self::SingleQuotes { closed: true }
            | Self::CurlyQuotes { .. }
            | Self::BareKey
            | Self::HashComment
            | Self::UnknownWord { .. }
            | Self::InvalidNumber
            | Self::InvalidEscape
            | Self::LineBreak
            | Self::ControlCharacter { .. }
            | Self::TextBeforeValue
            | Self::TrailingContent => false,
        }
    }
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(out, "nothing here: a JSON value is expected"),
            Self::MissingComma => write!(out, "expected `,` before this"),
            Self::MissingColon => write!(out, "expected `:` and a value after this key"),
            Self::MissingValue => write!(out, "expected a value here"),
            Self::MissingKey => write!(out, "expected a key before this value"),
            Self::ExtraComma => write!(out, "expected a value before this `,`"),
            Self::Unclosed { expected, .. } => write!(out, "expected `{expected}`"),
            Self::UnexpectedClose { found } => write!(out, "`{found}` closes nothing"),
            Self::UnclosedString => write!(out, "expected `\"` at the end of this string"),
            Self::SingleQuotes { .. } => write!(out, "expected `\"` around this string, not `'`"),
            Self::CurlyQuotes { found } => write!(out, "expected `\"` around this string, not `{found}`"),
            Self::BareKey => write!(out, "expected `\"` around this key"),
            Self::UnknownWord { word, .. } => write!(out, "`{word}` is not a JSON value"),
            Self::InvalidNumber => write!(out, "not a number as JSON writes it"),
            Self::InvalidEscape => write!(out, "not an escape that JSON knows"),
            Self::LineBreak => write!(out, "a line break in a string is written `\\n`"),
            Self::ControlCharacter { found } => {
                write!(out, "a control character (U+{:04X}) has to be escaped in a string", u32::from(*found))
            }
            Self::UnexpectedCharacter { found } if found.is_ascii_graphic() => write!(out, "unexpected `{found}`"),
            Self::UnexpectedCharacter { found } => write!(out, "unexpected character U+{:04X}", u32::from(*found)),
            Self::HashComment => write!(out, "JSON knows no comments with `#`"),
            Self::UnclosedComment => write!(out, "expected `*/` at the end of this comment"),
            Self::TextBeforeValue => write!(out, "a JSON file starts with its value, and this stands before it"),
            Self::TrailingContent => write!(out, "a JSON file holds one value, and this stands after it"),
            Self::TooDeep => write!(out, "nested too deeply: what is inside is not read"),
        }
    }
}
