//! What the last words of a process say.

use crate::facts::Cause;

/// Why a process failed, by what it wrote to stderr.
pub(super) fn cause(stderr: &str) -> Option<Cause> {
    let line = stderr.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(Cause::Said(line.trim().to_owned()))
}
