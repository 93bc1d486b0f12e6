//! How a server is reached, and the words that people and clients have for it.

/// How a server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// It is started, and talks over stdin and stdout.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// The HTTP with server-sent events of 2024.
    Sse,
    /// WebSocket, which is not in the specification.
    WebSocket,
}

impl Transport {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "Streamable HTTP",
            Transport::Sse => "HTTP+SSE",
            Transport::WebSocket => "WebSocket",
        }
    }

    /// What a word says, in whatever way some client or document writes it; `None` for one that is nobody's.
    pub fn meant(word: &str) -> Option<Transport> {
        let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        Some(match &*letters.to_ascii_lowercase() {
            "stdio" | "stdin" | "stdout" | "local" | "command" | "process" => Transport::Stdio,
            "http" | "https" | "streamable" | "streamablehttp" | "httpstream" | "httpstreamable" | "remote" | "url" => {
                Transport::Http
            }
            "sse" | "httpsse" | "serversentevents" => Transport::Sse,
            "ws" | "wss" | "websocket" => Transport::WebSocket,
            _ => return None,
        })
    }

    /// What a URL most likely speaks.
    pub fn of_url(url: &str) -> Transport {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        if url.starts_with("ws://") || url.starts_with("wss://") {
            Transport::WebSocket
        } else if path.trim_end_matches('/').ends_with("/sse") {
            Transport::Sse
        } else {
            Transport::Http
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_in_every_spelling() {
        for word in ["http", "HTTP", "streamable-http", "streamableHttp", "streamable_http", "remote"] {
            assert_eq!(Transport::meant(word), Some(Transport::Http), "{word}");
        }
        assert_eq!(Transport::meant("STDIO "), Some(Transport::Stdio));
        assert_eq!(Transport::meant("docker"), None);
    }

    #[test]
    fn the_end_of_a_path_tells_of_events() {
        assert_eq!(Transport::of_url("https://a.example/sse/?x=1"), Transport::Sse);
        assert_eq!(Transport::of_url("https://a.example/mcp?next=/sse"), Transport::Http);
        assert_eq!(Transport::of_url("https://a.example/assess"), Transport::Http);
        assert_eq!(Transport::of_url("wss://a.example/sse"), Transport::WebSocket);
    }
}
