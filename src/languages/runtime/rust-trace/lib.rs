//! What instrumented Rust calls: it records calls as the lines of `src/trace/trace-lines.ts`. Standard library only, for every
//! compiler since 1.56; compiled once for a compiler and target, and one copy serves all crates of a process.
mod ending;
mod future;
mod guard;
mod known;
mod line;
mod list;
mod local;
mod locks;
mod output;
mod panics;
mod spawn;
mod tries;
mod value;
mod ways;

pub use future::{never, poll, Polled};
pub use guard::{enter, Guard};
pub use known::{any, bytes_of, debug_of, learn, learn_debug, show_bytes};
pub use line::push_text;
pub use list::{List, Text};
pub use locks::locks;
pub use spawn::{inherit, inherit_task, Inherited};
pub use tries::{branch, convert, Branch, Flow, FromResidual, Never};
pub use value::{composed, debug, display, hidden, is_opaque, json, Counting, Value};
pub use ways::once;
