//! The verbs that tools are named and described with, and what a tool that does so does to the world. The one list of
//! them. English only: of words in other languages nothing is known.

use crate::text::{stem, words};

/// What a tool with this verb does to what is outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It looks, and changes nothing.
    Reads,
    /// It may make or change something, or only answer: `create`, `set`.
    MayWrite,
    /// It changes something that was there.
    Writes,
    /// It takes something away, which may be a label or a link that is soon put back.
    Removes,
    /// What it takes away is lost.
    Destroys,
    /// Nobody knows: `run`, `generate`; or the word is as often a noun: `report`, `tag`.
    Acts,
}

use Effect::*;

/// By the alphabet.
#[rustfmt::skip] // one a line, so that a verb is one line in every diff
static VERBS: &[(&str, Effect)] = &[
    ("accept", MayWrite),
    ("access", Acts),
    ("act", Acts),
    ("activate", MayWrite),
    ("adapt", Acts),
    ("add", MayWrite),
    ("aggregate", Acts),
    ("allow", MayWrite),
    ("analyse", Reads),
    ("analyze", Reads),
    ("answer", Acts),
    ("append", Writes),
    ("apply", MayWrite),
    ("approve", MayWrite),
    ("archive", MayWrite),
    ("ask", Reads),
    ("assess", Reads),
    ("assign", MayWrite),
    ("attach", MayWrite),
    ("audit", Reads),
    ("authorize", MayWrite),
    ("await", Acts),
    ("backup", Acts),
    ("batch", Acts),
    ("begin", Acts),
    ("block", MayWrite),
    ("book", MayWrite),
    ("broadcast", Acts),
    ("browse", Reads),
    ("build", Acts),
    ("bulk", MayWrite),
    ("buy", MayWrite),
    ("calculate", Reads),
    ("call", Acts),
    ("cancel", MayWrite),
    ("capture", Acts),
    ("change", MayWrite),
    ("check", Reads),
    ("choose", Acts),
    ("claim", Acts),
    ("classify", Reads),
    ("clean", MayWrite),
    ("clear", MayWrite),
    ("click", Acts),
    ("clone", MayWrite),
    ("close", MayWrite),
    ("comment", MayWrite),
    ("commit", MayWrite),
    ("compare", Reads),
    ("complete", Acts),
    ("compose", Acts),
    ("compress", Acts),
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
    ("diagnose", Reads),
    ("diff", Reads),
    ("disable", MayWrite),
    ("discard", Acts),
    ("disconnect", MayWrite),
    ("discover", Reads),
    ("dismiss", Acts),
    ("dispatch", Acts),
    ("download", Reads),
    ("draft", Acts),
    ("drag", Acts),
    ("drop", Removes),
    ("duplicate", MayWrite),
    ("echo", Acts),
    ("edit", Writes),
    ("emit", Acts),
    ("emulate", Acts),
    ("enable", MayWrite),
    ("encode", Acts),
    ("encrypt", Acts),
    ("end", Acts),
    ("enter", Acts),
    ("enumerate", Reads),
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
    ("format", Acts),
    ("forward", Acts),
    ("gather", Acts),
    ("generate", Acts),
    ("geocode", Reads),
    ("get", Reads),
    ("give", MayWrite),
    ("go", Acts),
    ("grant", MayWrite),
    ("group", Acts),
    ("handle", Acts),
    ("help", Acts),
    ("hide", Acts),
    ("highlight", Acts),
    ("hover", Acts),
    ("identify", Reads),
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
    ("label", Acts),
    ("launch", MayWrite),
    ("learn", Acts),
    ("link", MayWrite),
    ("list", Reads),
    ("load", Reads),
    ("locate", Reads),
    ("lock", MayWrite),
    ("log", Acts),
    ("look", Reads),
    ("lookup", Reads),
    ("make", Acts),
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
    ("observe", Reads),
    ("open", MayWrite),
    ("optimize", MayWrite),
    ("orchestrate", Acts),
    ("order", MayWrite),
    ("organize", MayWrite),
    ("overwrite", Writes),
    ("parse", Reads),
    ("patch", Acts),
    ("pause", MayWrite),
    ("peek", Reads),
    ("perform", Acts),
    ("pick", Acts),
    ("pin", MayWrite),
    ("ping", Reads),
    ("place", Acts),
    ("play", Acts),
    ("poll", Reads),
    ("populate", MayWrite),
    ("post", MayWrite),
    ("predict", Reads),
    ("preserve", MayWrite),
    ("press", Acts),
    ("preview", Reads),
    ("process", Acts),
    ("promote", MayWrite),
    ("propose", Acts),
    ("protect", Acts),
    ("provide", Acts),
    ("prune", MayWrite),
    ("publish", MayWrite),
    ("pull", MayWrite),
    ("purge", Destroys),
    ("push", MayWrite),
    ("put", MayWrite),
    ("query", Reads),
    ("rank", Acts),
    ("read", Reads),
    ("rebase", MayWrite),
    ("reboot", MayWrite),
    ("rebuild", MayWrite),
    ("recall", Acts),
    ("receive", Acts),
    ("recommend", Reads),
    ("reconnect", MayWrite),
    ("record", Acts),
    ("recreate", MayWrite),
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
    ("report", Acts),
    ("request", Acts),
    ("rerun", MayWrite),
    ("research", Acts),
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
    ("reverse", Acts),
    ("revert", MayWrite),
    ("review", Reads),
    ("revoke", MayWrite),
    ("rollback", MayWrite),
    ("route", Acts),
    ("run", Acts),
    ("save", MayWrite),
    ("scale", MayWrite),
    ("scan", Reads),
    ("schedule", MayWrite),
    ("scrape", Reads),
    ("screenshot", Acts),
    ("search", Reads),
    ("see", Reads),
    ("select", Acts),
    ("send", MayWrite),
    ("set", MayWrite),
    ("setup", MayWrite),
    ("share", MayWrite),
    ("show", Reads),
    ("shutdown", MayWrite),
    ("sign", MayWrite),
    ("simulate", Reads),
    ("skip", Acts),
    ("solve", Acts),
    ("sort", Reads),
    ("spawn", Acts),
    ("split", Acts),
    ("stage", MayWrite),
    ("star", MayWrite),
    ("start", MayWrite),
    ("stash", MayWrite),
    ("stop", MayWrite),
    ("store", MayWrite),
    ("submit", MayWrite),
    ("subscribe", MayWrite),
    ("suggest", Acts),
    ("summarize", Reads),
    ("swap", MayWrite),
    ("switch", MayWrite),
    ("sync", MayWrite),
    ("synthesize", Acts),
    ("tag", Acts),
    ("tail", Reads),
    ("take", Acts),
    ("terminate", MayWrite),
    ("test", Reads),
    ("think", Acts),
    ("toggle", MayWrite),
    ("trace", Reads),
    ("track", Acts),
    ("train", Acts),
    ("transcribe", Reads),
    ("transfer", MayWrite),
    ("transform", MayWrite),
    ("translate", Reads),
    ("trigger", MayWrite),
    ("troubleshoot", Acts),
    ("truncate", Destroys),
    ("try", Acts),
    ("turn", Acts),
    ("type", Acts),
    ("unapprove", MayWrite),
    ("unassign", MayWrite),
    ("uninstall", Removes),
    ("unlink", MayWrite),
    ("unlock", MayWrite),
    ("unpublish", MayWrite),
    ("unresolve", MayWrite),
    ("unstar", MayWrite),
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

/// The words of a name; none of one that is much longer than a name can be.
fn name_words(name: &str) -> Vec<String> {
    if name.len() > 256 { Vec::new() } else { words(name) }
}

/// The first verb of a name with its place among the words.
pub(super) fn first(name: &str) -> Option<(usize, &'static str, Effect)> {
    name_words(name).iter().enumerate().find_map(|(at, word)| find(word).map(|(verb, effect)| (at, verb, effect)))
}

/// The first verb of a name that tells something.
pub(super) fn telling(name: &str) -> Option<(&'static str, Effect)> {
    name_words(name).iter().filter_map(|word| find(word)).find(|(_, effect)| *effect != Acts)
}

/// Whether a name says that something is deleted, or taken away: `docker_delete_image`, and not `list_delete_requests`.
pub(super) fn is_destructive(name: &str) -> bool {
    let mut effects = name_words(name).into_iter().filter_map(|word| effect(&word));
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
        assert_eq!(telling("tag_stop"), Some(("stop", MayWrite)));
    }
}
