//! Moving a piece of text to another place of a document: its lines are indented for where they go.

/// The white space that the line around `offset` starts with.
pub(super) fn indentation(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether only white space stands before `offset` on its line.
pub(super) fn starts_line(text: &str, offset: usize) -> bool {
    text[..offset].trim_end_matches([' ', '\t']).ends_with('\n')
}

/// A piece of text whose lines are indented by `to` where they were by `from`. Its first line is left alone: it goes
/// behind something.
pub(super) fn moved(piece: &str, from: &str, to: &str) -> String {
    let mut lines = piece.split('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push('\n');
        if !line.trim().is_empty() {
            out.push_str(to);
        }
        out.push_str(line.strip_prefix(from).unwrap_or_else(|| line.trim_start_matches([' ', '\t'])));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_shape() {
        let text = "  {\r\n    \"a\": [\r\n      1\r\n    ]\r\n  }";
        assert_eq!(indentation(text, text.find("1").expect("one")), "      ");
        assert!(
            starts_line(text, text.find("1").expect("one")) && !starts_line(text, text.find("[").expect("a bracket"))
        );
        assert_eq!(moved(text.trim_start(), "  ", "\t"), "{\r\n\t  \"a\": [\r\n\t    1\r\n\t  ]\r\n\t}");
        assert_eq!(moved("{\n1}", "  ", " "), "{\n 1}");
    }
}
