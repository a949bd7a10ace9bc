//! One call: it begins at the guard's making and ends at its drop, whatever the way out.
use crate::ending;
use crate::list::List;
use crate::local::{self, Busy, Frame, Local};
use crate::output::{self, Cut, Output};
use crate::list::Text;
use crate::panics;
use crate::value::Value;
use std::cell::Cell;
use std::panic::RefUnwindSafe;
use std::thread;

/// So many calls of a function are recorded below one root (and by roots themselves), then ever fewer.
const CALLS_BELOW_ROOT: u64 = 256;
const CALLS_AS_ROOT: u64 = 4096;

const WANTED: u8 = 1;
const UNWINDING: u8 = 2;
const TASK: u8 = 4;
const PLAIN: u8 = 8;
const FAILED: u8 = 16;

pub struct Guard {
    /// The place of its frame on the thread, from 1; 0 while it is on none.
    pub(crate) slot: Cell<u32>,
    function: u32,
    flags: Cell<u8>,
}

// Only the text of its own function names it, which uses it where the function runs; what the function makes, a future above all,
// has to be what it was without it.
unsafe impl Sync for Guard {}
impl RefUnwindSafe for Guard {}

#[inline]
pub fn enter(function: u32) -> Guard {
    let guard = Guard { slot: Cell::new(0), function, flags: Cell::new(0) };
    if !output::is_off() {
        guard.begin();
    }
    guard
}

fn is_sampled(count: u64, whole: u64) -> bool {
    if count < whole {
        return false;
    }
    let step = (count / whole).next_power_of_two();
    count % step != 0
}

impl Guard {
    #[inline(never)]
    fn begin(&self) {
        if local::is_busy() {
            return;
        }
        let _busy = Busy::set();
        let output = match output::get() {
            Some(output) => output,
            None => return,
        };
        let unwinding = thread::panicking();
        if !unwinding {
            panics::forget();
        }
        local::with(|local| {
            if local.frames.len() >= output.depth {
                output.cut(self.function, Cut::Depth);
                return;
            }
            if let Some(why) = output.exhausted() {
                output.cut(self.function, why);
                return;
            }
            let sampled = if local.is_root() {
                local.begin_root();
                is_sampled(output.count_root(self.function), CALLS_AS_ROOT)
            } else {
                is_sampled(local.count(self.function), CALLS_BELOW_ROOT)
            };
            local.frames.push(Frame {
                function: self.function,
                call: 0,
                at: output.now(),
                on: None,
                outcome: None,
                arguments: List::new(),
                before: List::new(),
                after: List::new(),
                task: local.task,
                earlier_task: local.task,
                earlier_test: None,
            });
            self.slot.set(local.frames.len() as u32);
            self.flags.set(if unwinding { UNWINDING } else { 0 } | if sampled { 0 } else { WANTED });
        });
    }

    pub(crate) fn with_frame(&self, change: impl FnOnce(&mut Local, usize)) {
        let slot = self.slot.get() as usize;
        if slot != 0 {
            let _busy = Busy::set();
            local::with(|local| {
                if local.frames.get(slot - 1).map_or(false, |frame| frame.function == self.function) {
                    change(local, slot - 1)
                }
            });
        }
    }

    /// The type that a default or generic method is called on.
    pub fn of<T: ?Sized>(self) -> Guard {
        self.with_frame(|local, at| local.frames[at].on = Some(std::any::type_name::<T>()));
        self
    }

    /// It is a test: what it calls is of it.
    pub fn test(self, module: &str, name: &str) -> Guard {
        self.with_frame(|local, at| {
            let mut path = Text::new();
            if let Some(end) = module.find("::") {
                path.push_str(&module[end + 2..]);
                path.push_str("::");
            }
            path.push_str(name);
            let earlier = local.test.replace(path.leak());
            local.frames[at].earlier_test = Some(earlier);
        });
        self
    }

    /// It is asynchronous: a task of its own where none runs.
    pub fn task(self) -> Guard {
        self.flags.set(self.flags.get() | TASK);
        self.with_frame(|local, at| {
            if local.task == 0 {
                local.task = output::get().map_or(0, Output::next_task);
            }
            local.frames[at].task = local.task;
        });
        self
    }

    /// Where nothing else is said, it returns.
    #[inline]
    pub fn plain(self) -> Guard {
        self.flags.set(self.flags.get() | PLAIN);
        self
    }

    /// What leaves it now is a failure or none.
    pub(crate) fn mark(&self, failed: bool) {
        self.flags.set(self.flags.get() & !FAILED | if failed { FAILED } else { 0 });
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.flags.get() & FAILED != 0
    }

    /// Whether its arguments are wanted.
    #[inline]
    pub fn on(&self) -> bool {
        self.flags.get() & WANTED != 0
    }

    /// One of its arguments.
    pub fn argument(&self, name: &'static str, value: Value) {
        self.with_frame(|local, at| local.frames[at].arguments.push((name, value)));
    }

    /// Writes that it began.
    pub fn go(&self) {
        self.write_start(true);
    }

    /// The same where its arguments are not looked at.
    pub fn go_bare(&self) {
        self.write_start(false);
    }

    fn write_start(&self, shows: bool) {
        self.with_frame(|local, at| {
            if let Some(output) = output::get() {
                local.materialise(output, at, shows);
                local.frames[at].arguments = List::new();
            }
        });
    }

    /// Takes its frame, and all that stayed above it, from the thread.
    pub(crate) fn take(&self) -> Option<Frame> {
        let slot = self.slot.replace(0) as usize;
        if slot == 0 {
            return None;
        }
        local::with(|local| {
            let known = local.frames.get(slot - 1).map_or(false, |frame| frame.function == self.function);
            if !known {
                return None;
            }
            local.frames.truncate(slot);
            let mut frame = local.frames.pop();
            if let Some(ref mut frame) = frame {
                local.task = frame.earlier_task;
                if let Some(test) = frame.earlier_test.take() {
                    local.test = test;
                }
            }
            frame
        })
        .and_then(|frame| frame)
    }

    /// Puts a frame back, on whatever thread.
    pub(crate) fn put(&self, mut frame: Frame) {
        local::with(|local| {
            frame.earlier_task = local.task;
            local.task = frame.task;
            local.frames.push(frame);
            self.slot.set(local.frames.len() as u32);
        });
    }

    pub(crate) fn is_unwinding(&self) -> bool {
        thread::panicking() && self.flags.get() & UNWINDING == 0
    }

    #[inline(never)]
    pub(crate) fn finish(&self) {
        let slot = self.slot.get() as usize;
        let _busy = Busy::set();
        let output = match output::get() {
            Some(output) => output,
            None => return,
        };
        let thrown = self.is_unwinding();
        // What fails is told, with the calls that lead to it, also where it was one of too many.
        local::with(|local| {
            if let Some(frame) = local.frames.get(slot - 1) {
                let plain = self.flags.get() & PLAIN != 0;
                let failed = frame.outcome.as_ref().map_or(!plain, |outcome| outcome.failed);
                if frame.call == 0 && (thrown || failed) && output.exhausted().is_none() {
                    local.materialise(output, slot - 1, false);
                }
            }
        });
        if let Some(frame) = self.take() {
            self.tell_end(output, frame, thrown);
        }
    }

    pub(crate) fn tell_end(&self, output: &Output, frame: Frame, thrown: bool) {
        if frame.call == 0 {
            output.cut(self.function, Cut::Sampled);
            return;
        }
        let how = match frame.outcome {
            _ if thrown => "throw",
            Some(ref outcome) if outcome.failed => "error",
            Some(_) => "return",
            None if self.flags.get() & TASK != 0 => "drop",
            None if self.flags.get() & PLAIN != 0 => "return",
            None => "error",
        };
        ending::tell(output, &frame, how);
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.slot.get() == 0
    }
}

impl Drop for Guard {
    #[inline]
    fn drop(&mut self) {
        if self.slot.get() != 0 {
            self.finish();
        }
    }
}
