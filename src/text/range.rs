//! Byte ranges and the edits made of them. Knows nothing of any text.

/// A half-open range of byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextRange {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte; never below `start`.
    pub end: usize,
}

impl TextRange {
    /// The range `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// The empty range at `offset`.
    pub const fn empty(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies in the range or at its end.
    pub const fn touches(self, offset: usize) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether `other` lies wholly in this range.
    pub const fn contains(self, other: TextRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two ranges share a byte, or touch.
    pub const fn intersects(self, other: TextRange) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// The same range when counted from `base` bytes earlier.
    pub const fn shifted(self, base: usize) -> Self {
        Self::new(self.start + base, self.end + base)
    }

    /// The range as an index into a string.
    pub const fn as_usize(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// Replaces one range of a text by another text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub range: TextRange,
    /// What stands there afterwards; empty for a removal.
    pub new_text: String,
}

impl Edit {
    /// Replaces `range` by `new_text`.
    pub fn replace(range: TextRange, new_text: impl Into<String>) -> Self {
        Self { range, new_text: new_text.into() }
    }

    /// Inserts `new_text` at `offset`.
    pub fn insert(offset: usize, new_text: impl Into<String>) -> Self {
        Self::replace(TextRange::empty(offset), new_text)
    }

    /// Removes `range`.
    pub fn remove(range: TextRange) -> Self {
        Self::replace(range, "")
    }

    /// The same edit when counted from `base` bytes earlier.
    pub fn shifted(&self, base: usize) -> Self {
        Self { range: self.range.shifted(base), new_text: self.new_text.clone() }
    }

    /// What the edit does to offsets.
    pub fn splice(&self) -> Splice {
        Splice { start: self.range.start, old_end: self.range.end, new_end: self.range.start + self.new_text.len() }
    }
}

/// What an edit does to offsets: `start..old_end` became `start..new_end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splice {
    /// First byte touched.
    pub start: usize,
    /// End of what was replaced, in the text before.
    pub old_end: usize,
    /// End of the replacement, in the text after.
    pub new_end: usize,
}

impl Splice {
    /// The smallest splice that covers `self` followed by `next`, whose offsets are those of the text after `self`.
    pub fn then(self, next: Splice) -> Splice {
        let middle = self.new_end.max(next.old_end);
        Splice {
            start: self.start.min(next.start),
            old_end: self.old_end + (middle - self.new_end),
            new_end: next.new_end + (middle - next.old_end),
        }
    }

    /// Where an offset at or after `old_end` lies afterwards.
    pub const fn shift(self, offset: usize) -> usize {
        offset - self.old_end + self.new_end
    }
}

/// Applies sorted, disjoint edits to a text.
pub fn apply_edits(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + edits.iter().map(|edit| edit.new_text.len()).sum::<usize>());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.range.start]);
        out.push_str(&edit.new_text);
        at = edit.range.end;
    }
    out.push_str(&text[at..]);
    out
}
