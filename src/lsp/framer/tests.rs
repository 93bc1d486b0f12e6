//! Messages in pieces, and whatever is none. What a whole session makes of them is in `tests/lsp`.

use proptest::prelude::*;

use super::*;

fn fed(pieces: &[&[u8]]) -> Vec<Framed> {
    let mut framer = Framer::default();
    let mut out = Vec::new();
    pieces.iter().for_each(|piece| framer.feed(piece, &mut out));
    out
}

const MESSAGE: &[u8] = b"{\"jsonrpc\":\"2.0\",\"method\":\"a/b\",\"params\":{\"uri\":\"file:///a.json\"}}";

#[test]
fn a_message_may_come_byte_by_byte() {
    let bytes = [framed(MESSAGE), framed(b"{"), framed(MESSAGE)].concat();
    let whole = fed(&[&bytes]);
    assert!(matches!(&whole[..], [Framed::Forward(_), Framed::Answer(_), Framed::Forward(_)]));
    assert_eq!(whole[0], Framed::Forward(framed(MESSAGE)));
    let pieces: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(fed(&pieces), whole);
}

#[test]
fn a_message_that_is_too_long_is_skipped() {
    let header = format!("Content-Length: {}\r\n\r\n", MAX_MESSAGE + 3);
    let filler = vec![b' '; 1 << 20];
    let mut framer = Framer::default();
    let mut out = Vec::new();
    framer.feed(header.as_bytes(), &mut out);
    (0..MAX_MESSAGE >> 20).for_each(|_| framer.feed(&filler, &mut out));
    assert!(framer.buffer.is_empty());
    framer.feed(&[b"   ", &framed(MESSAGE)[..]].concat(), &mut out);
    assert!(matches!(&out[..], [Framed::Answer(_), Framed::Forward(_)]), "{}", out.len());
}

#[test]
fn halves_of_pairs_are_replaced_and_pairs_are_kept() {
    let repaired = |text: &str| String::from_utf8_lossy(&repair_surrogates(text.as_bytes())).into_owned();
    assert_eq!(repaired(r"\ud83d\ude00 \uD83D \ude00"), r"\ud83d\ude00 \ufffd \ufffd");
    assert_eq!(repaired(r"\ud83d\ud83d\ude00"), r"\ufffd\ud83d\ude00");
    assert_eq!(repaired(r"\\ud83d \\\ud83d \ud8"), r"\\ud83d \\\ufffd \ud8");
}

#[test]
fn answers_of_clients_are_brought_into_shape() {
    let shaped = |answer: &str| match &fed(&[&framed(answer.as_bytes())])[..] {
        [Framed::Forward(frame)] => {
            let text = String::from_utf8_lossy(frame).into_owned();
            serde_json::from_str::<Value>(text.split_once("\r\n\r\n").expect("a header").1).expect("JSON")
        }
        other => panic!("{other:?}"),
    };
    let error = shaped(r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":7,"message":"m","stack":"s"}}"#);
    assert_eq!(error, json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 7, "message": "m" } }));
    let nothing = json!({ "jsonrpc": "2.0", "id": "a", "result": null });
    assert_eq!(shaped(r#"{"jsonrpc":"2.0","id":"a"}"#), nothing);
    assert_eq!(shaped(r#"{"jsonrpc":"2.0","id":"a","result":null,"error":null}"#), nothing);
}

proptest! {
    #[test]
    fn no_bytes_are_too_much(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                Just(framed(MESSAGE)),
                Just(framed(&MESSAGE[..30])),
                Just(b"Content-Length: ".to_vec()),
                Just(b"7\r\n\r\n".to_vec()),
                Just(b"\r\n".to_vec()),
            ],
            0..12,
        ),
    ) {
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let whole = pieces.concat();
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        // However it is cut, the protocol library sees the same.
        let forwarded = |out: Vec<Framed>| -> Vec<Framed> {
            out.into_iter().filter(|framed| matches!(framed, Framed::Forward(_))).collect()
        };
        prop_assert_eq!(forwarded(fed(&bytes)), forwarded(fed(&pieces)));
    }
}
