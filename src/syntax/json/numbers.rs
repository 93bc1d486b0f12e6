//! What JSON's grammar calls a number.

/// Whether JSON's grammar calls this a number.
pub(super) fn is_number(word: &[u8]) -> bool {
    let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(word);
    if whole == 0 || (whole > 1 && word[0] == b'0') {
        return false;
    }
    let mut word = &word[whole..];
    if let Some(fraction) = word.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        word = &fraction[length..];
    }
    if let Some(exponent) = word.strip_prefix(b"e").or_else(|| word.strip_prefix(b"E")) {
        let exponent = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    word.is_empty()
}
