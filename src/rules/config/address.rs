//! The parts of a URL that rules speak of.

use std::net::IpAddr;

/// A URL's start, taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address<'u> {
    /// What stands before `://`.
    pub(super) scheme: &'u str,
    /// The host, without the brackets around one of many colons.
    pub(super) host: &'u str,
    /// What stands behind the host's colon.
    pub(super) port: Option<&'u str>,
}

impl<'u> Address<'u> {
    /// `None` where the text has no `://`.
    pub(super) fn of(url: &'u str) -> Option<Address<'u>> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
            Some((host, port)) => (host, port.strip_prefix(':')),
            None => host.split_once(':').map_or((host, None), |(host, port)| (host, Some(port))),
        };
        Some(Address { scheme, host, port })
    }

    /// Whether what it leads to is on this machine or in the same house, as far as its name says.
    pub(super) fn is_near(&self) -> bool {
        let host = self.host.trim_end_matches('.').to_ascii_lowercase();
        if let Ok(address) = host.parse::<IpAddr>() {
            return is_near(address);
        }
        let ends = [".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".intranet"];
        // A name without a dot is one of the own network: `localhost`, a container.
        !host.contains('.') || ends.iter().any(|end| host.ends_with(end))
    }
}

fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                // RFC 6598: shared, which private networks over the internet use as well.
                || first == 100 && (64..128).contains(&second)
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.to_ipv4_mapped().is_some_and(|address| is_near(address.into()))
        }
    }
}

/// Whether a variable or a placeholder stands in a piece of a URL, so that nobody knows what it is.
pub(super) fn is_open(piece: &str) -> bool {
    piece.contains(['$', '{', '<', '%'])
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_url_has_parts() {
        let parts = |url: &'static str| Address::of(url).map(|it| (it.scheme, it.host, it.port));
        assert_eq!(parts("http://me:pw@a.example:80/x"), Some(("http", "a.example", Some("80"))));
        assert_eq!(parts("https://[::1]:8?x"), Some(("https", "::1", Some("8"))));
        assert_eq!(parts("http://"), Some(("http", "", None)));
        assert_eq!(parts("a.example"), None);
    }

    #[test]
    fn the_own_house_is_near() {
        let is_near = |url: &str| Address::of(url).is_some_and(|address| address.is_near());
        for near in ["localhost", "127.0.0.1", "[::1]", "nas.local", "10.1.2.3", "172.31.0.1", "192.168.0.9", "db"] {
            assert!(is_near(&format!("http://{near}:8080/mcp")), "{near}");
        }
        for far in ["a.example", "172.32.0.1", "8.8.8.8", "[2001:db8::1]", "localhost.example"] {
            assert!(!is_near(&format!("http://{far}/mcp")), "{far}");
        }
    }
}
