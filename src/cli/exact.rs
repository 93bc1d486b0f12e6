//! `tokens --exact`: has the providers count the lists, with the keys that the environment holds.

use std::io;

use futures::future::join_all;

use super::lists::List;
use super::output;
use crate::exact::{self, Access, Exact, ExactError};
use crate::probe::interrupt::interrupted;
use crate::provider::{Model, Provider};
use crate::render::TokenList;

/// How that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Every provider that there is a key of has counted every list.
    Complete,
    /// Some has not, which was said on stderr.
    Incomplete,
    /// There is no key at all, which was said on stderr.
    NoKey,
    /// The user has interrupted it.
    Interrupted,
}

/// Asks the providers of these models, all at a time, one list after the other.
pub(super) fn ask(lists: &[List], models: &[Model], counted: &mut [TokenList]) -> io::Result<Asked> {
    let variable = |name: &str| std::env::var(name).ok();
    let providers: Vec<Provider> = models.iter().map(|model| model.family.provider()).collect();
    let missing: Vec<String> = exact::missing(&providers, &variable)
        .iter()
        .map(|(provider, keys)| format!("`{}` for {}", keys.join("` or `"), provider.label()))
        .collect();
    if missing.len() == models.len() {
        output::message(&format!("`--exact` needs a key in the environment: {}", missing.join(", ")));
        return Ok(Asked::NoKey);
    }
    if !missing.is_empty() {
        output::remark(&format!("only estimated, without a key: {}", missing.join(", ")));
    }
    let mut asked = Asked::Complete;
    let mut failed = |of: &str, provider: Provider, error: &ExactError| {
        output::message(&format!("{of}{}: {error}", provider.label()));
        asked = Asked::Incomplete;
    };
    let access = providers.iter().map(|provider| match Access::new(*provider, &variable) {
        Ok(access) => Some(access),
        Err(ExactError::NoKey(_)) => None,
        Err(error) => {
            failed("", *provider, &error);
            None
        }
    });
    let access: Vec<Option<Access>> = access.collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for (list, counted) in lists.iter().zip(counted) {
        output::progress(&format!("having {} counted", counted.name));
        let answers = list.with_tools(|tools| {
            let each = models.iter().zip(&access).map(async |(model, access)| match access {
                Some(access) => Some(exact::count(model, tools, access).await),
                None => None,
            });
            runtime.block_on(async {
                tokio::select! {
                    biased;
                    () = interrupted() => None,
                    answers = join_all(each) => Some(answers),
                }
            })
        });
        output::progress("");
        let Some(answers) = answers else { return Ok(Asked::Interrupted) };
        let of = if lists.len() > 1 { format!("{}: ", list.name) } else { String::new() };
        for ((provider, counted), answer) in providers.iter().zip(&mut counted.counted).zip(answers) {
            match answer {
                Some(Err(error)) => failed(&of, *provider, &error),
                answer => counted.exact = answer.and_then(Result::ok).map(Exact::tokens),
            }
        }
    }
    Ok(asked)
}
