//! Values as text: bounded, cut between characters, never with a panic, and nothing of it is traced itself.
use crate::list::Text;
use crate::local::Busy;
use crate::locks;
use crate::output;
use std::cell::Cell;
use std::fmt::{self, Debug, Display, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// `cut`: how many characters the whole had (at least), 0 where it is whole.
pub enum Value {
    Json(Text, usize),
    Text(Text, usize),
    Type(&'static str),
}

/// A field of which nothing can be known.
pub fn hidden() -> Value {
    Value::Type("_")
}

impl Debug for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Json(text, _) => out.write_str(text),
            Value::Text(text, cut) => {
                out.write_str(text)?;
                out.write_str(if *cut > 0 { "…" } else { "" })
            }
            Value::Type(name) => out.write_str(name),
        }
    }
}

/// Whether it says no more than a name: `Parser`, `Parser { .. }`.
pub fn is_opaque(value: &Value) -> bool {
    match value {
        Value::Text(text, 0) => {
            let name = text.trim_end_matches(" { .. }").trim_end_matches("(..)");
            !name.is_empty() && name.chars().all(|each| each.is_alphanumeric() || each == '_' || each == ':')
        }
        _ => false,
    }
}

/// So many numbers of a list are shown, where nothing else stands between them.
const SHOWN_NUMBERS: usize = 32;

/// Takes so many characters and counts the rest, up to a bound at which writing ends.
pub struct Counting {
    pub text: Text,
    left: usize,
    pub total: usize,
    bound: usize,
    /// Numbers in a row.
    numbers: usize,
    /// What is written now begins with the name of a type of which the words may take a lock.
    named: bool,
    /// It was shown until there.
    locked: bool,
}

impl Counting {
    pub fn new(limit: usize) -> Counting {
        let bound = limit.saturating_mul(16).saturating_add(4096);
        Counting { text: Text::new(), left: limit, total: 0, bound, numbers: 0, named: false, locked: false }
    }

    pub fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Counted, not kept.
    pub fn skip(&mut self, text: &str) -> fmt::Result {
        self.total += text.chars().count();
        if self.total > self.bound {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}

/// What `Debug` writes; lists of numbers are shortened. It ends where the fields begin of what may lock: where that takes the lock itself,
/// nothing is shown under it.
struct Shortening<'a> {
    sink: &'a mut Counting,
    /// The type's name; none where all of it is text of ours.
    of: Option<&'static str>,
}

impl<'a> Write for Shortening<'a> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let sink = &mut *self.sink;
        sink.locked |= sink.named && (text.starts_with(" {") || text.starts_with('('));
        if sink.locked {
            return Err(fmt::Error);
        }
        sink.named = self.of.map_or(false, |name| locks::is_name(text, name));
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_number {
            sink.numbers += 1;
        }
        if sink.numbers > SHOWN_NUMBERS && (is_number || text == ", ") {
            return Ok(());
        }
        if !is_number && text != ", " {
            if sink.numbers > SHOWN_NUMBERS {
                let more = sink.numbers - SHOWN_NUMBERS;
                write!(sink, "… {} more", more)?;
            }
            sink.numbers = 0;
        }
        sink.write_str(text)
    }
}

impl Write for Counting {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut end = text.len();
        let mut taken = 0;
        for (at, _) in text.char_indices() {
            if taken == self.left {
                end = at;
                break;
            }
            taken += 1;
        }
        self.text.push_str(&text[..end]);
        self.left -= taken;
        self.total += taken;
        if end < text.len() {
            self.skip(&text[end..])
        } else {
            Ok(())
        }
    }
}

/// Values in values, which may hold each other: so deep and no deeper, and so much of all together.
struct Nested;

thread_local! {
    /// How deep, and characters of the values that the outermost one holds.
    static NESTED: Cell<(u32, usize)> = Cell::new((0, 0));
}

impl Nested {
    fn enter(bound: usize) -> Option<Nested> {
        let is_there_room = NESTED.try_with(|nested| {
            let (depth, spent) = nested.get();
            let spent = if depth == 0 { 0 } else { spent };
            nested.set((depth + 1, spent));
            depth < 6 && spent < bound
        });
        let nested = Nested;
        if is_there_room.unwrap_or(false) {
            Some(nested)
        } else {
            None
        }
    }

    fn spend(characters: usize) {
        let _ = NESTED.try_with(|nested| nested.set((nested.get().0, nested.get().1.saturating_add(characters))));
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        let _ = NESTED.try_with(|nested| nested.set((nested.get().0.saturating_sub(1), nested.get().1)));
    }
}

/// Runs the program's own code that shows a value: what it calls is not recorded, and its panics are no one's business.
fn quietly(show: &mut dyn FnMut(&mut Counting) -> fmt::Result) -> Option<Counting> {
    let _busy = Busy::set();
    let mut sink = Counting::new(output::value_limit());
    let _nested = Nested::enter(sink.bound)?;
    let shown = catch_unwind(AssertUnwindSafe(|| show(&mut sink)));
    Nested::spend(sink.total);
    match shown {
        Ok(_) if sink.locked => Some(sink),
        Ok(Ok(())) => Some(sink),
        Ok(Err(_)) if sink.total > sink.bound => Some(sink),
        _ => None,
    }
}

fn cut_of(sink: &Counting) -> usize {
    let kept = sink.text.chars().count();
    if sink.total > kept || sink.locked {
        sink.total.max(kept + 1)
    } else {
        0
    }
}

fn text(show: &mut dyn FnMut(&mut Counting) -> fmt::Result, name: &'static str) -> Value {
    match quietly(show) {
        Some(sink) => {
            if sink.locked {
                locks::meet(name);
            }
            let cut = cut_of(&sink);
            Value::Text(sink.text, cut)
        }
        None => Value::Type(name),
    }
}

/// As the value's own words say it; those of a type that `locks` are not asked for.
pub fn debug(value: &dyn Debug, name: &'static str) -> Value {
    text(&mut |sink| write!(Shortening { sink, of: Some(name) }, "{:?}", value), name)
}

/// What is put together of values that are shown already.
pub fn composed(value: &dyn Debug, name: &'static str) -> Value {
    text(&mut |sink| write!(Shortening { sink, of: None }, "{:?}", value), name)
}

pub fn display(value: &dyn Display, name: &'static str) -> Value {
    text(&mut |sink| write!(sink, "{}", value), name)
}

/// A value that `show` writes as JSON; it says itself how many characters it left out (0: none).
pub fn json(show: &mut dyn FnMut(usize) -> Option<(Text, usize)>, name: &'static str) -> Value {
    let _busy = Busy::set();
    let shown = catch_unwind(AssertUnwindSafe(|| show(output::value_limit())));
    match shown {
        Ok(Some((text, cut))) => Value::Json(text, cut),
        _ => Value::Type(name),
    }
}
