//! How a call ends, as its function says.
use crate::guard::Guard;
use crate::list::Text;
use crate::local::Outcome;
use crate::value::Value;

impl Guard {
    /// Whether its value is wanted: of what fails always.
    #[inline]
    pub fn wants(&self, failed: bool) -> bool {
        self.slot.get() != 0 && (failed || self.on())
    }

    pub fn show(&self, value: Value, failed: bool) {
        self.give(Some(value), failed)
    }

    fn give(&self, value: Option<Value>, failed: bool) {
        self.with_frame(|local, at| local.frames[at].outcome = Some(Outcome { value, failed }));
    }

    /// It returns, and there is no value to show.
    #[inline]
    pub fn end(&self) {
        if self.slot.get() != 0 {
            self.give(None, false)
        }
    }

    /// It fails, and there is no value to show.
    #[inline]
    pub fn fail(&self) {
        if self.slot.get() != 0 {
            self.give(None, true)
        }
    }

    /// It returns a value of a type that has no name; where it fails before it, that overrides.
    #[inline]
    pub fn tell(&self, name: &'static str) {
        if self.slot.get() != 0 {
            self.give(Some(Value::Type(name)), false)
        }
    }

    /// Whether one of its ways out was told already.
    pub fn told(&self) -> bool {
        let mut told = false;
        self.with_frame(|local, at| told = local.frames[at].outcome.is_some());
        told
    }

    /// Writes that it began, and keeps what its arguments were.
    pub fn go_mut(&self, arguments: &[(&str, Value)]) {
        self.go(arguments);
        self.with_frame(|local, at| {
            for (name, value) in arguments {
                local.frames[at].before.push(number_of(name, value));
            }
        });
    }

    /// What its mutable arguments are when it ends; those that did not change are left out, and what has no value to show.
    pub fn after(&self, arguments: &[(&'static str, Value)]) {
        self.with_frame(|local, at| {
            let frame = &mut local.frames[at];
            for (name, value) in arguments {
                let shown = match value {
                    Value::Json(text, 0) => Value::Json(Text::from(text), 0),
                    Value::Text(text, 0) => Value::Text(Text::from(text), 0),
                    _ => continue,
                };
                if !frame.before.contains(&number_of(name, value)) {
                    frame.after.push((name, shown));
                }
            }
        });
    }
}

/// Runs a body that is a closure; what it holds it may give away, since it is called once.
#[inline]
pub fn once<R>(body: impl FnOnce() -> R) -> R {
    body()
}

/// The same for the same name and value.
fn number_of(name: &str, value: &Value) -> u64 {
    let text: &str = match value {
        Value::Json(text, _) | Value::Text(text, _) => text,
        Value::Type(name) => name,
    };
    let bytes = name.bytes().chain(std::iter::once(0)).chain(text.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
