//! The incremental parse: tells, after an edit, whether the document is still free of errors and whether an item
//! still stands where it stood. The only module that names tree-sitter.
//!
//! The values themselves come from the reader, which is exact about what is wrong: tree-sitter's recovery takes
//! `{"a": tru, "b": 1}` for an `a` that is `"b"`, and depends on how the text was typed.

use tree_sitter::{InputEdit, Parser, Point};

use crate::text::{Splice, Text, TextRange};

/// A parser to keep; making one costs more than a small parse.
pub struct Engine {
    parser: Parser,
    object: u16,
}

/// The parse of one text.
pub struct Tree {
    tree: tree_sitter::Tree,
}

impl Default for Engine {
    fn default() -> Self {
        let language: tree_sitter::Language = tree_sitter_json::LANGUAGE.into();
        let object = language.id_for_node_kind("object", true);
        let mut parser = Parser::new();
        // Fails only where grammar and library disagree on their ABI, which the tests would show; `parse` is then `None`.
        if let Err(error) = parser.set_language(&language) {
            log::error!("tree-sitter-json does not load: {error}");
        }
        Self { parser, object }
    }
}

impl Engine {
    /// Parses `text`, which takes about 60 ms a megabyte.
    pub fn parse(&mut self, text: &Text) -> Option<Tree> {
        let mut chunk = |offset: usize, _: Point| -> &[u8] { text.chunk_from(offset) };
        let tree = self.parser.parse_with_options(&mut chunk, None, None)?;
        Some(Tree { tree })
    }

    /// Parses what became of a text whose edits were [told](Tree::splice) to its tree.
    pub fn parse_again(&mut self, text: &Text, old: &Tree) -> Option<Tree> {
        let mut chunk = |offset: usize, _: Point| -> &[u8] { text.chunk_from(offset) };
        let tree = self.parser.parse_with_options(&mut chunk, Some(&old.tree), None)?;
        Some(Tree { tree })
    }

    /// Whether an object stands exactly at `range`.
    pub fn is_object(&self, tree: &Tree, range: TextRange) -> bool {
        tree.tree
            .root_node()
            .named_descendant_for_byte_range(range.start, range.start + 1)
            .is_some_and(|node| node.kind_id() == self.object && node.byte_range() == range.as_usize())
    }
}

impl Tree {
    /// Whether anything in the text is not JSON with comments.
    pub fn has_error(&self) -> bool {
        self.tree.root_node().has_error()
    }

    /// Tells the tree what an edit did, before the new text is parsed with it.
    pub fn splice(&mut self, splice: Splice) {
        // Nothing here reads rows and columns, so they need not be right.
        let nowhere = Point::new(0, 0);
        self.tree.edit(&InputEdit {
            start_byte: splice.start,
            old_end_byte: splice.old_end,
            new_end_byte: splice.new_end,
            start_position: nowhere,
            old_end_position: nowhere,
            new_end_position: nowhere,
        });
    }
}
