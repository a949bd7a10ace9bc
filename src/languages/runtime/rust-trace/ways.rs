//! How a call ends, as its function says.
use crate::guard::Guard;
use crate::local::Outcome;
use crate::value::Value;

impl Guard {
    /// It ends with a value; whether that is to be shown. Of what fails it always is.
    pub fn ends(&self, failed: bool) -> bool {
        let wants = self.slot.get() != 0 && (failed || self.on());
        self.mark(failed);
        if !wants {
            self.end();
        }
        wants
    }

    /// It fails with the value that is shown next; whether there is a call to show it of.
    pub fn fails(&self) -> bool {
        self.mark(true);
        self.slot.get() != 0
    }

    /// The value that it ends with.
    pub fn show(&self, value: Value) {
        self.give(Some(value), self.is_marked())
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
    pub fn go_mut(&self) {
        self.with_frame(|local, at| {
            let frame = &mut local.frames[at];
            for (name, value) in frame.arguments.iter() {
                frame.before.push(number_of(name, value));
            }
        });
        self.go();
    }

    /// What one of its mutable arguments is when it ends; left out where it did not change, or has no value to show.
    pub fn after(&self, name: &'static str, value: Value) {
        self.with_frame(|local, at| {
            let frame = &mut local.frames[at];
            let is_whole = match value {
                Value::Json(_, 0) | Value::Text(_, 0) => true,
                _ => false,
            };
            if is_whole && !frame.before.contains(&number_of(name, &value)) {
                frame.after.push((name, value));
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
