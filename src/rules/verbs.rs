//! The verbs that tools are named and described with, and what a tool that does so does to the world. The one list of
//! them. English only: of words in other languages nothing is known.

use crate::text::{stem, words};

/// What a tool with this verb does to what is outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It looks, and changes nothing.
    Reads,
    /// It may make or change something, or only answer: `create`, `generate`, `set`.
    MayWrite,
    /// It changes something that was there.
    Writes,
    /// It takes something away, which may be a label or a link that is soon put back.
    Removes,
    /// What it takes away is lost.
    Destroys,
    /// It tells nothing: `run`, `process`.
    Acts,
}

use Effect::*;

/// By the alphabet.
#[rustfmt::skip] // one a line, so that a verb is one line in every diff
static VERBS: &[(&str, Effect)] = &[
    ("accept", MayWrite),
    ("act", Acts),
    ("add", MayWrite),
    ("aggregate", Acts),
    ("allow", MayWrite),
    ("analyse", Reads),
    ("analyze", Reads),
    ("append", Writes),
    ("apply", MayWrite),
    ("approve", MayWrite),
    ("archive", MayWrite),
    ("ask", Reads),
    ("assign", MayWrite),
    ("attach", MayWrite),
    ("authorize", MayWrite),
    ("await", Acts),
    ("backup", MayWrite),
    ("batch", Acts),
    ("block", MayWrite),
    ("book", MayWrite),
    ("browse", Reads),
    ("build", MayWrite),
    ("bulk", MayWrite),
    ("buy", MayWrite),
    ("calculate", Reads),
    ("call", Acts),
    ("cancel", MayWrite),
    ("capture", Acts),
    ("check", Reads),
    ("clear", MayWrite),
    ("click", Acts),
    ("clone", MayWrite),
    ("close", MayWrite),
    ("comment", MayWrite),
    ("commit", MayWrite),
    ("compare", Reads),
    ("compose", MayWrite),
    ("compute", Reads),
    ("configure", MayWrite),
    ("connect", MayWrite),
    ("convert", Reads),
    ("copy", MayWrite),
    ("count", Reads),
    ("create", MayWrite),
    ("customize", MayWrite),
    ("deactivate", MayWrite),
    ("debug", Acts),
    ("decline", MayWrite),
    ("decode", Acts),
    ("decrypt", Acts),
    ("define", MayWrite),
    ("delete", Destroys),
    ("deploy", MayWrite),
    ("describe", Reads),
    ("destroy", Destroys),
    ("detach", MayWrite),
    ("detect", Reads),
    ("diff", Reads),
    ("disable", MayWrite),
    ("disconnect", MayWrite),
    ("dispatch", Acts),
    ("download", Reads),
    ("draft", MayWrite),
    ("drag", Acts),
    ("drop", Removes),
    ("duplicate", MayWrite),
    ("edit", Writes),
    ("emit", Acts),
    ("emulate", Acts),
    ("enable", MayWrite),
    ("encode", Acts),
    ("encrypt", Acts),
    ("enter", Acts),
    ("erase", Destroys),
    ("escalate", Acts),
    ("estimate", Reads),
    ("evaluate", Reads),
    ("examine", Reads),
    ("exclude", Acts),
    ("exec", Acts),
    ("execute", Acts),
    ("expand", Acts),
    ("explain", Reads),
    ("explore", Reads),
    ("export", Acts),
    ("extend", MayWrite),
    ("extract", Acts),
    ("fetch", Reads),
    ("fill", MayWrite),
    ("filter", Reads),
    ("find", Reads),
    ("follow", Acts),
    ("force", Acts),
    ("fork", MayWrite),
    ("format", MayWrite),
    ("forward", Acts),
    ("generate", MayWrite),
    ("get", Reads),
    ("give", MayWrite),
    ("grant", MayWrite),
    ("group", Acts),
    ("handle", Acts),
    ("help", Acts),
    ("hide", Acts),
    ("highlight", Acts),
    ("hover", Acts),
    ("ignore", MayWrite),
    ("import", MayWrite),
    ("include", MayWrite),
    ("init", MayWrite),
    ("initialize", MayWrite),
    ("insert", Writes),
    ("inspect", Reads),
    ("install", MayWrite),
    ("interact", Acts),
    ("invite", MayWrite),
    ("invoke", Acts),
    ("join", MayWrite),
    ("keep", Acts),
    ("kill", MayWrite),
    ("label", MayWrite),
    ("launch", MayWrite),
    ("learn", Acts),
    ("link", MayWrite),
    ("list", Reads),
    ("load", Reads),
    ("lock", MayWrite),
    ("log", MayWrite),
    ("look", Reads),
    ("lookup", Reads),
    ("make", MayWrite),
    ("manage", Acts),
    ("map", Acts),
    ("mark", MayWrite),
    ("measure", Reads),
    ("merge", MayWrite),
    ("migrate", MayWrite),
    ("modify", Writes),
    ("monitor", Reads),
    ("move", Writes),
    ("mute", MayWrite),
    ("navigate", Acts),
    ("notify", MayWrite),
    ("open", MayWrite),
    ("optimize", MayWrite),
    ("orchestrate", Acts),
    ("order", MayWrite),
    ("organize", MayWrite),
    ("overwrite", Writes),
    ("parse", Reads),
    ("patch", MayWrite),
    ("pause", MayWrite),
    ("peek", Reads),
    ("perform", Acts),
    ("pin", MayWrite),
    ("ping", Reads),
    ("place", MayWrite),
    ("play", Acts),
    ("poll", Reads),
    ("populate", MayWrite),
    ("post", MayWrite),
    ("predict", Reads),
    ("preserve", MayWrite),
    ("press", Acts),
    ("preview", Reads),
    ("process", Acts),
    ("provide", Acts),
    ("prune", MayWrite),
    ("publish", MayWrite),
    ("purge", Destroys),
    ("push", MayWrite),
    ("put", MayWrite),
    ("query", Reads),
    ("rank", Acts),
    ("read", Reads),
    ("reboot", MayWrite),
    ("recommend", Reads),
    ("record", MayWrite),
    ("redeploy", MayWrite),
    ("refresh", MayWrite),
    ("register", MayWrite),
    ("reject", MayWrite),
    ("release", MayWrite),
    ("reload", MayWrite),
    ("remove", Removes),
    ("rename", Writes),
    ("render", Reads),
    ("reorder", MayWrite),
    ("replace", MayWrite),
    ("reply", MayWrite),
    ("report", MayWrite),
    ("request", MayWrite),
    ("resend", MayWrite),
    ("reserve", MayWrite),
    ("reset", MayWrite),
    ("resize", MayWrite),
    ("resolve", Reads),
    ("restart", MayWrite),
    ("restore", MayWrite),
    ("resume", MayWrite),
    ("retrieve", Reads),
    ("retry", MayWrite),
    ("return", Acts),
    ("revert", MayWrite),
    ("review", Reads),
    ("revoke", MayWrite),
    ("rollback", MayWrite),
    ("run", Acts),
    ("save", MayWrite),
    ("scan", Reads),
    ("schedule", MayWrite),
    ("scrape", Reads),
    ("search", Reads),
    ("select", Acts),
    ("send", MayWrite),
    ("set", MayWrite),
    ("share", MayWrite),
    ("show", Reads),
    ("sign", MayWrite),
    ("simulate", Reads),
    ("skip", Acts),
    ("solve", Acts),
    ("sort", Reads),
    ("spawn", Acts),
    ("split", Acts),
    ("star", MayWrite),
    ("start", MayWrite),
    ("stop", MayWrite),
    ("store", MayWrite),
    ("submit", MayWrite),
    ("subscribe", MayWrite),
    ("suggest", Acts),
    ("summarize", Reads),
    ("swap", MayWrite),
    ("switch", MayWrite),
    ("sync", MayWrite),
    ("tag", MayWrite),
    ("tail", Reads),
    ("take", Acts),
    ("terminate", MayWrite),
    ("test", Reads),
    ("think", Acts),
    ("toggle", MayWrite),
    ("trace", Reads),
    ("train", Acts),
    ("transfer", MayWrite),
    ("transform", MayWrite),
    ("translate", Reads),
    ("trigger", MayWrite),
    ("troubleshoot", Acts),
    ("truncate", Destroys),
    ("type", Acts),
    ("unassign", MayWrite),
    ("uninstall", Removes),
    ("unlink", MayWrite),
    ("unlock", MayWrite),
    ("unpublish", MayWrite),
    ("unsubscribe", MayWrite),
    ("unwrap", Acts),
    ("update", Writes),
    ("upgrade", MayWrite),
    ("upload", Writes),
    ("upsert", Writes),
    ("use", Acts),
    ("validate", Reads),
    ("verify", Reads),
    ("view", Reads),
    ("wait", Acts),
    ("watch", Reads),
    ("whoami", Reads),
    ("wipe", Destroys),
    ("write", Writes),
    ("zoom", Acts),
];

/// A word in small letters, where it is a verb, with what it does.
fn find(word: &str) -> Option<(&'static str, Effect)> {
    VERBS.binary_search_by_key(&word, |(verb, _)| verb).ok().map(|at| VERBS[at])
}

/// What a word in small letters does, as it stands in a name.
pub(super) fn effect(word: &str) -> Option<Effect> {
    find(word).map(|(_, effect)| effect)
}

/// The verb that a sentence starts with: `list` for `Lists the files`.
pub(super) fn opening(text: &str) -> Option<&'static str> {
    let word: String = text.trim_start().chars().take_while(|char| char.is_alphanumeric()).take(20).collect();
    let word = word.to_lowercase();
    let found = find(&word).or_else(|| find(&stem(&word))).or_else(|| find(word.strip_suffix('s')?));
    found.map(|(verb, _)| verb)
}

/// The first verb of a name with its place among the words.
pub(super) fn first(name: &str) -> Option<(usize, &'static str, Effect)> {
    words(name).iter().enumerate().find_map(|(at, word)| find(word).map(|(verb, effect)| (at, verb, effect)))
}

/// Whether a name says that something is deleted, or taken away: `docker_delete_image`, and not `list_delete_requests`.
pub(super) fn is_destructive(name: &str) -> bool {
    let mut effects = words(name).into_iter().filter_map(|word| effect(&word));
    effects.find(|effect| matches!(effect, Reads | Removes | Destroys)).is_some_and(|effect| effect != Reads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_searched() {
        assert!(VERBS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(effect("delete"), Some(Destroys));
        assert_eq!(effect("deletes"), None);
    }

    #[test]
    fn a_sentence_starts_with_its_verb() {
        assert_eq!(opening(" Lists the files."), Some("list"));
        assert_eq!(opening("Fetches a page"), Some("fetch"));
        assert_eq!(opening("QUERIES: all"), Some("query"));
        assert_eq!(opening("Caches it"), None);
        assert_eq!(opening("The files"), None);
        assert_eq!(opening("列出文件"), None);
    }

    #[test]
    fn the_first_telling_verb_decides() {
        for name in ["delete_file", "docker-delete-image", "mergeRequestDelete", "REMOVE", "delete_view"] {
            assert!(is_destructive(name), "{name}");
        }
        for name in ["list_delete_requests", "get_deleted", "deleted_items", "check_drop", "run", "", "删除"] {
            assert!(!is_destructive(name), "{name}");
        }
        assert_eq!(first("app_update_it"), Some((1, "update", Writes)));
    }
}
