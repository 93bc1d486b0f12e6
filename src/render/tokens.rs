//! What tool lists cost: a bar per tool for people.

mod json;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::iter;

use super::terminal::escaped;
use super::{Server, Text};
use crate::analysis::WINDOW;
use crate::provider::{ListCost, Model, Part};
use crate::text::counted;

/// A terminal that is narrower, or says that it has no width, breaks lines.
const NARROWEST: usize = 36;
/// From here on, what costs most of a tool has a column of its own; else it stands under the tool.
const WIDE: usize = 72;
/// Longer bars are no easier to compare.
const LONGEST_BAR: usize = 60;
/// A part that is more than this of its tool is named.
const LARGE_PART: f64 = 1.0 / 3.0;
/// More tools that cannot be rendered than these are counted.
const MAX_UNRENDERED: usize = 5;

/// What is to be told.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'a> {
    /// The models that count, one of a provider at most.
    pub models: &'a [Model],
    /// The lists, in the order of the target.
    pub lists: &'a [TokenList],
    /// The servers that were to be asked.
    pub servers: &'a [Server<'a>],
    /// Why there is no list.
    pub error: Option<&'a str>,
}

/// What a list costs.
#[derive(Clone, Debug)]
pub struct TokenList {
    /// What it is called: a path, or the name of its server.
    pub name: String,
    /// Whether a server listed it when it was asked.
    pub is_of_server: bool,
    /// The names of its tools, in their order.
    pub tools: Vec<String>,
    /// How many more elements it has that are no tools to be told of: without a name, or a provider's own.
    pub uncounted: usize,
    /// What each of the models counts.
    pub counted: Vec<Counted>,
}

/// What a model counts of a list.
#[derive(Clone, Debug)]
pub struct Counted {
    /// What each tool costs, and all together.
    pub cost: ListCost,
    /// What the parts of each tool add.
    pub parts: Vec<Vec<Part>>,
    /// What the provider itself counts of the list and of what comes once a request, where it was asked.
    pub exact: Option<usize>,
}

impl TokenList {
    /// Whether the model at an index counts all of the tools.
    fn counts_all(&self, index: usize) -> bool {
        self.counted[index].cost.tools.iter().all(Result::is_ok)
    }
}

impl Tokens<'_> {
    /// The size of all lists with each of the models, in tokens; `None` where no list is known.
    pub fn totals(&self) -> Option<Vec<usize>> {
        let total = |index: usize| self.lists.iter().map(|list| list.counted[index].cost.total).sum();
        (!self.lists.is_empty()).then(|| (0..self.models.len()).map(total).collect())
    }

    /// Whether some model counts all of the tools.
    pub fn is_complete(&self) -> bool {
        (0..self.models.len()).any(|index| self.counts_all(index))
    }

    /// Whether the model at an index does.
    pub fn counts_all(&self, index: usize) -> bool {
        self.lists.iter().all(|list| list.counts_all(index))
    }

    /// What comes besides with each of the models, once a request, in tokens; 0 where there is no tool.
    pub fn overheads(&self) -> Vec<usize> {
        let overheads = |index: usize| self.lists.iter().map(move |list| list.counted[index].cost.overhead);
        (0..self.models.len()).map(|index| overheads(index).max().unwrap_or_default()).collect()
    }

    /// For people: the lists with their largest tools, at most `top` of each, and what the numbers mean. `width` is in
    /// columns.
    pub fn text(&self, top: Option<usize>, width: usize, style: Text) -> String {
        let mut page = Page { models: self.models, width: width.max(NARROWEST), style, out: String::new() };
        for list in self.lists {
            page.list(list, top.unwrap_or(usize::MAX));
        }
        let tools: usize = self.lists.iter().map(|list| list.tools.len()).sum();
        if let (Some(totals), true) = (self.totals(), self.lists.len() > 1) {
            let name = format!("{} of {}", counted(tools, "tool"), counted(self.lists.len(), "server"));
            page.head("together", &name, &totals, |index| self.counts_all(index));
            page.out.push('\n');
        }
        if tools > 0 {
            page.meaning(&self.overheads());
        } else if self.lists.is_empty() && self.servers.is_empty() && self.error.is_none() {
            page.line("there is no server, and no tool");
        }
        page.out
    }
}

/// What is written on.
struct Page<'a> {
    models: &'a [Model],
    width: usize,
    style: Text,
    out: String,
}

/// The columns of the rows of a list; widths in characters.
struct Columns {
    name: usize,
    bar: usize,
    number: usize,
    /// The largest number.
    most: usize,
    /// Whether what costs most of a tool stands beside it.
    is_wide: bool,
}

/// A tool, as it is shown.
struct Row {
    name: String,
    /// What it costs with the model that has most of the list; none where it cannot be rendered for that.
    tokens: Option<usize>,
    reason: Option<String>,
}

impl Page<'_> {
    fn list(&mut self, list: &TokenList, top: usize) {
        let totals: Vec<usize> = list.counted.iter().map(|counted| counted.cost.total).collect();
        self.head(&list.name, &counted(list.tools.len(), "tool"), &totals, |index| list.counts_all(index));
        self.exact(list);
        // The first of those that have most.
        let Some(most) = (0..totals.len()).max_by_key(|index| (totals[*index], Reverse(*index))) else { return };
        let Counted { cost, parts, .. } = &list.counted[most];
        let mut order: Vec<usize> = (0..list.tools.len()).collect();
        order.sort_by_key(|index| Reverse(cost.tools[*index].as_ref().ok()));
        let rows: Vec<Row> = order
            .iter()
            .take(top)
            .map(|index| {
                let tokens = cost.tools[*index].as_ref().ok().copied();
                let name = one_line(&list.tools[*index]);
                Row { name, tokens, reason: tokens.and_then(|tokens| large_part(&parts[*index], tokens)) }
            })
            .collect();
        let sign = self.models[most].accuracy().sign();
        let columns = self.columns(&rows, sign);
        rows.iter().for_each(|row| self.row(row, sign, cost.total, &columns));
        let rest = &order[rows.len()..];
        if !rest.is_empty() {
            let tokens: usize = rest.iter().flat_map(|index| &cost.tools[*index]).sum();
            self.line(&format!("  and {} more, {sign}{}", rest.len(), counted(tokens, "token")));
        }
        if list.uncounted > 0 {
            let more = counted(list.uncounted, "more element");
            self.line(&format!("  {more} not counted: without a name, or a provider's own tool"));
        }
        self.unrendered(list);
        self.out.push('\n');
    }

    /// What a list is called, its size with each of the models, and that of the largest as a share of the window.
    /// `counts_all` tells of the model at an index whether it counts all tools.
    fn head(&mut self, name: &str, tools: &str, totals: &[usize], counts_all: impl Fn(usize) -> bool) {
        let mut pieces = vec![format!("{}: {tools}", self.painted("1", &one_line(name)))];
        for (index, (model, total)) in self.models.iter().zip(totals).enumerate() {
            let sign = match *total {
                _ if !counts_all(index) => "at least ",
                0 => "",
                _ => model.accuracy().sign(),
            };
            let number = if index == 0 { counted(*total, "token") } else { total.to_string() };
            pieces.push(format!("{sign}{number} with {}", one_line(&model.name)));
        }
        let share = totals.iter().max().copied().unwrap_or_default() as f64 * 100.0 / WINDOW as f64;
        pieces.push(format!("{share:.1} % of a 200k window"));
        self.flow(pieces.iter().map(String::as_str), " · ");
    }

    /// What the providers count, and how far off we are.
    fn exact(&mut self, list: &TokenList) {
        for (model, Counted { cost, exact, .. }) in self.models.iter().zip(&list.counted) {
            let Some(exact) = exact else { continue };
            let estimate = cost.total + cost.overhead;
            let off = (estimate as f64 - *exact as f64) * 100.0 / (*exact).max(1) as f64;
            let (label, sign) = (model.family.provider().label(), model.accuracy().sign());
            let pieces = [
                format!(
                    "  {} by {label} itself, with what comes once a request",
                    self.painted("1", &counted(*exact, "token"))
                ),
                format!("estimate {sign}{estimate}, {off:+.1} %"),
            ];
            self.flow(pieces.iter().map(String::as_str), " · ");
        }
    }

    fn columns(&self, rows: &[Row], sign: &str) -> Columns {
        let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or_default();
        let is_wide = self.width >= WIDE;
        let most = longest(&mut rows.iter().filter_map(|row| row.tokens));
        let number = sign.chars().count() + most.to_string().len();
        let names = longest(&mut rows.iter().map(|row| row.name.chars().count()));
        let name = names.min(self.width * 35 / 100);
        let reasons = longest(&mut rows.iter().flat_map(|row| &row.reason).map(|reason| reason.chars().count()));
        let reason = if is_wide && reasons > 0 { reasons.min(self.width / 4) + 2 } else { 0 };
        // Two spaces before the name, the bar, the number and the share, which has five characters.
        let bar = self.width.saturating_sub(2 + name + 2 + 2 + number + 2 + 5 + reason).clamp(4, LONGEST_BAR);
        Columns { name, bar, number, most, is_wide }
    }

    fn row(&mut self, row: &Row, sign: &str, total: usize, columns: &Columns) {
        let Columns { name: name_width, bar: bar_width, number: number_width, most, is_wide } = *columns;
        let name = cut(&row.name, name_width);
        let number = row.tokens.map_or("-".to_owned(), |tokens| format!("{sign}{tokens}"));
        let share = match row.tokens {
            Some(tokens) if tokens * 200 < total => "<1 %".to_owned(),
            Some(tokens) => format!("{:.0} %", tokens as f64 * 100.0 / total.max(1) as f64),
            None => String::new(),
        };
        let bar = bar(row.tokens.unwrap_or_default(), most, bar_width);
        let bar = self.painted("36", &format!("{bar:bar_width$}"));
        let reason = row.reason.as_deref().unwrap_or_default();
        let left = format!("  {name:name_width$}  {bar}  {number:>number_width$}  {share:>5}");
        if is_wide && !reason.is_empty() {
            let room = self.width.saturating_sub(2 + name_width + 2 + bar_width + 2 + number_width + 2 + 5 + 2);
            let reason = self.painted("2", &cut(reason, room));
            self.line(&format!("{left}  {reason}"));
            return;
        }
        self.line(&left);
        if !reason.is_empty() {
            let reason = self.painted("2", &cut(reason, self.width.saturating_sub(4)));
            self.line(&format!("    {reason}"));
        }
    }

    /// The tools that some model's number is without.
    fn unrendered(&mut self, list: &TokenList) {
        for (model, counted_by) in self.models.iter().zip(&list.counted) {
            let tools = list.tools.iter().zip(&counted_by.cost.tools);
            let without: Vec<_> = tools.filter_map(|(name, tokens)| Some((name, tokens.as_ref().err()?))).collect();
            if without.is_empty() {
                continue;
            }
            let count = counted(without.len(), "tool");
            let line = format!("  the number with {} is without {count}:", one_line(&model.name));
            self.flow(line.split(' '), " ");
            for (name, reason) in without.iter().take(MAX_UNRENDERED) {
                let name = one_line(name);
                let line = format!("    {name} {}", escaped(&reason.to_string()));
                self.flow(line.split(' '), " ");
            }
            if without.len() > MAX_UNRENDERED {
                self.line(&format!("    and {} more", without.len() - MAX_UNRENDERED));
            }
        }
    }

    /// What comes besides, how good the numbers are, and what they are not.
    fn meaning(&mut self, overheads: &[usize]) {
        let overheads = self.models.iter().zip(overheads);
        let overheads = overheads.map(|(model, overhead)| format!("{overhead} with {}", one_line(&model.name)));
        let overheads: Vec<String> = overheads.collect();
        let besides = format!("besides, once a request because it has tools at all: {}", overheads.join(", "));
        self.flow(besides.split(' '), " ");
        for model in self.models {
            let (name, family) = (one_line(&model.name), model.family.label());
            let is_named = name.eq_ignore_ascii_case(family);
            let name = if is_named { name } else { format!("{name} ({family})") };
            let line = format!("{name}: {}", model.accuracy().says);
            self.flow(line.split(' '), " ");
        }
        let not_a_bill = "this is the size of the tools in a request, not a bill: what has been sent before may be cached \
            for less, and clients rename tools, leave some out or load them late";
        self.flow(not_a_bill.split(' '), " ");
    }

    /// Pieces that stay whole, on as few lines as they need; lines after the first are indented by two more.
    fn flow<'p>(&mut self, pieces: impl Iterator<Item = &'p str>, separator: &str) {
        let mut line = String::new();
        let (mut is_first, mut indent) = (true, None);
        for piece in pieces {
            let length = seen_length(&line) + separator.chars().count() + seen_length(piece);
            if !line.trim().is_empty() && length > self.width {
                self.line(&line);
                let deeper = || " ".repeat(line.len() - line.trim_start().len() + 2);
                line = format!("{}{piece}", indent.get_or_insert_with(deeper));
            } else if is_first {
                line.push_str(piece);
            } else {
                line.push_str(separator);
                line.push_str(piece);
            }
            is_first = false;
        }
        self.line(&line);
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    /// A text in a style of ANSI terminals.
    fn painted(&self, style: &str, text: &str) -> String {
        match self.style {
            Text::Plain => text.to_owned(),
            Text::Styled => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
        }
    }
}

/// How many characters of a line are seen: styles are not.
fn seen_length(text: &str) -> usize {
    let mut is_style = false;
    let is_seen = |char: &char| {
        let was_style = is_style;
        is_style = *char == '\u{1b}' || is_style && *char != 'm';
        !was_style && !is_style
    };
    text.chars().filter(is_seen).count()
}

/// A name of a file, which may hold anything, on one line.
fn one_line(name: &str) -> String {
    escaped(name).replace('\t', " ")
}

/// A text of at most so many characters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().nth(width).is_none() {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A bar of so many columns for the largest number; to an eighth of one. What is not nothing is seen.
fn bar(tokens: usize, most: usize, width: usize) -> String {
    const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (tokens * width * 8).checked_div(most).unwrap_or_default().max(usize::from(tokens > 0));
    let rest = (eighths % 8).checked_sub(1).map(|index| EIGHTHS[index]);
    iter::repeat_n('█', eighths / 8).chain(rest).collect()
}

/// What costs most of a tool, where one part is a good deal of it: of a parameter that is mostly `enum`, that.
fn large_part(parts: &[Part], tokens: usize) -> Option<String> {
    let is_large = |part: &&Part| part.tokens as f64 > tokens as f64 * LARGE_PART;
    let largest = parts.iter().filter(|part| !part.is_inside).filter(is_large).max_by_key(|part| part.tokens)?;
    let inside = parts.iter().filter(|part| part.is_inside && part.pointer.starts_with(&largest.pointer));
    let told = inside.filter(is_large).max_by_key(|part| part.tokens).unwrap_or(largest);
    let share = (told.tokens * 100 / tokens.max(1)).min(100);
    Some(format!("{share} % {}", part_name(&told.pointer)))
}

/// `description`, `depth`, `definition Port`, `enum of depth`.
fn part_name(pointer: &str) -> String {
    let path: Vec<String> =
        pointer.split('/').skip(1).map(|token| one_line(&token.replace("~1", "/").replace("~0", "~"))).collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match path[..] {
        [.., "$defs" | "definitions", name] => format!("definition {name}"),
        [_, .., name, "items", "enum"] | [_, .., name, "enum"] => format!("enum of {name}"),
        [.., name] => name.to_owned(),
        [] => String::new(),
    }
}
