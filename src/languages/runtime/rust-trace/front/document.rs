//! JSON from `Serialize`: whole while there is room, afterwards the rest is counted and left out, and what is open is closed.
use millwright_trace_rt::{Counting, List, Text};
use serde::ser::{self, Serialize};
use std::fmt::{self, Display, Write};

#[derive(Debug)]
pub enum Stop {
    /// There is far too much of it.
    Bound,
    /// The value's own code refuses.
    Refused,
}

impl Display for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("stopped")
    }
}
impl std::error::Error for Stop {}
impl ser::Error for Stop {
    fn custom<T: Display>(_: T) -> Stop {
        Stop::Refused
    }
}
impl From<fmt::Error> for Stop {
    fn from(_: fmt::Error) -> Stop {
        Stop::Bound
    }
}

pub type Done = Result<(), Stop>;

pub struct Document {
    out: Counting,
    /// Brackets to close.
    open: List<char>,
    /// Above 0 nothing is kept any more.
    muted: usize,
}

pub fn write(value: &dyn Writable, limit: usize) -> Option<(Text, usize)> {
    let mut document = Document { out: Counting::new(usize::MAX / 32), open: List::new(), muted: 0 };
    let limit = limit.max(16);
    let mut pen = Pen { document: &mut document, limit };
    let mut lost = 0;
    match value.write(&mut pen) {
        Ok(()) => {}
        Err(Stop::Bound) => lost = 1,
        Err(Stop::Refused) => return None,
    }
    let Document { mut out, mut open, .. } = document;
    if lost > 0 && out.text.ends_with(':') {
        out.text.push_str("null");
    }
    while let Some(bracket) = open.pop() {
        out.text.push(bracket);
    }
    let kept = out.text.chars().count();
    let cut = if out.total > kept || lost > 0 { out.total.max(kept + lost) } else { 0 };
    Some((out.text, cut))
}

/// Object-safe: one copy of `write` serves all types.
pub trait Writable {
    fn write(&self, pen: &mut Pen<'_>) -> Done;
}
impl<T: Serialize> Writable for T {
    fn write(&self, pen: &mut Pen<'_>) -> Done {
        self.serialize(pen)
    }
}

pub struct Pen<'a> {
    document: &'a mut Document,
    limit: usize,
}

impl<'a> Pen<'a> {
    pub fn put(&mut self, text: &str) -> Done {
        let document = &mut *self.document;
        if document.muted > 0 {
            document.out.skip(text)?;
            if document.out.total > self.limit.saturating_mul(16) + 4096 {
                return Err(Stop::Bound);
            }
        } else {
            document.out.write_str(text)?;
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.document.out.text.len() >= self.limit
    }

    pub fn open(&mut self, bracket: &str, close: char) -> Done {
        self.put(bracket)?;
        if self.document.muted == 0 {
            self.document.open.push(close);
        }
        Ok(())
    }

    pub fn close(&mut self, bracket: &str) -> Done {
        if self.document.muted == 0 {
            self.document.open.pop();
        }
        self.put(bracket)
    }

    /// An element with what stands before it; only counted where there is no room.
    pub fn element(&mut self, first: &mut bool, write: &mut dyn FnMut(&mut Pen<'_>) -> Done) -> Done {
        let mute = self.document.muted > 0 || (!*first && self.is_full());
        self.document.muted += mute as usize;
        if !*first {
            self.put(",")?;
        }
        *first = false;
        write(self)?;
        self.document.muted -= mute as usize;
        Ok(())
    }

    pub fn string(&mut self, text: &str) -> Done {
        let room = self.limit.saturating_sub(self.document.out.text.len()).max(16);
        let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
        let mut quoted = Text::new();
        millwright_trace_rt::push_text(&mut quoted, &text[..end]);
        self.put(&quoted)?;
        if end < text.len() {
            self.document.out.skip(&text[end..])?;
        }
        Ok(())
    }

    pub fn shown(&mut self, value: &dyn Display) -> Done {
        let mut text = Text::new();
        write!(text, "{}", value)?;
        self.put(&text)
    }

    pub fn variant(&mut self, name: &str) -> Done {
        self.open("{", '}')?;
        self.string(name)?;
        self.put(":")
    }
}
