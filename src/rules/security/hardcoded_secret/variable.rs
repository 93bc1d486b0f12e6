//! What the variable is called that takes a secret's place.

use super::{Place, PlaceKind};
use crate::model::Server;
use crate::model::secret::{Secret, is_secret_name, name_before, variable_name};

/// The variables of one entry with the secrets that they hold.
#[derive(Default)]
pub(super) struct Variables<'v>(Vec<(String, &'v str)>);

impl<'v> Variables<'v> {
    /// The name of a variable for a secret; two secrets have two.
    pub(super) fn of(&mut self, server: &Server, place: &Place<'v>, secret: &Secret) -> String {
        let text = &place.value.as_str().unwrap_or_default()[secret.range.as_usize()];
        let wanted = name(server, place, secret);
        let names = std::iter::once(wanted.clone()).chain((2..).map(|count| format!("{wanted}_{count}")));
        let is_free = |name: &String| self.0.iter().all(|(other, held)| other != name || *held == text);
        let name = names.into_iter().find(is_free).unwrap_or(wanted);
        self.0.push((name.clone(), text));
        name
    }
}

fn name(server: &Server, place: &Place, secret: &Secret) -> String {
    let before = &place.value.as_str().unwrap_or_default()[..secret.range.start];
    let name = match (place.kind, place.name) {
        (PlaceKind::Environment, Some(name)) => return variable_name(name),
        (PlaceKind::Header, Some(name)) => name,
        _ if secret.kind == "a password" => "password",
        (_, flag) => name_before(before).or(flag.filter(|flag| is_secret_name(flag))).unwrap_or("token"),
    };
    let is_variable = name.contains('_') && *name == *variable_name(name);
    if is_variable { name.to_owned() } else { variable_name(&format!("{}_{name}", server.name())) }
}
