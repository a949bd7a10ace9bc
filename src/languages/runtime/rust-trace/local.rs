//! What a thread knows: the calls that run on it, its name and who spawned it, the task and the test that it runs.
use crate::list::{List, Text};
use crate::line::{push_named, push_number, push_text};
use crate::output::Output;
use crate::value::Value;
use std::cell::{Cell, RefCell};
use std::thread;

pub struct Outcome {
    pub value: Option<Value>,
    pub failed: bool,
}

pub struct Frame {
    pub function: u32,
    /// 0: its line is not written.
    pub call: u64,
    pub at: u64,
    pub on: Option<&'static str>,
    pub outcome: Option<Outcome>,
    /// Until its line is written.
    pub arguments: List<(&'static str, Value)>,
    /// Numbers of its arguments as they were, where they may change, and those that did.
    pub before: List<u64>,
    pub after: List<(&'static str, Value)>,
    pub task: u64,
    /// What the thread had before this call.
    pub earlier_task: u64,
    pub earlier_test: Option<Option<&'static str>>,
}

/// A call at which a thread or task was spawned.
#[derive(Clone, Copy)]
pub struct Origin {
    pub call: u64,
    pub test: Option<&'static str>,
}

pub struct Local {
    pub frames: List<Frame>,
    /// From which frame on calls belong to what runs now, and which call that comes from (0: none).
    pub base: usize,
    pub base_from: u64,
    pub task: u64,
    pub test: Option<&'static str>,
    thread: u64,
    from: u64,
    root: u32,
    /// How often a function was called, by its number, and below which root.
    seen: List<(u32, u32)>,
}

thread_local! {
    static LOCAL: RefCell<Local> = RefCell::new(Local {
        frames: List::new(),
        base: 0,
        base_from: 0,
        task: 0,
        test: None,
        thread: 0,
        from: 0,
        root: 0,
        seen: List::new(),
    });
    static BUSY: Cell<bool> = Cell::new(false);
}

/// While it lives, calls of this thread are not recorded.
pub struct Busy(bool);

impl Busy {
    pub fn set() -> Busy {
        Busy(BUSY.try_with(|busy| busy.replace(true)).unwrap_or(true))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = BUSY.try_with(|busy| busy.set(self.0));
    }
}

pub fn is_busy() -> bool {
    BUSY.try_with(|busy| busy.get()).unwrap_or(true)
}

/// Nothing where the thread ends just now.
pub fn with<R>(run: impl FnOnce(&mut Local) -> R) -> Option<R> {
    let mut run = Some(run);
    LOCAL
        .try_with(|local| match local.try_borrow_mut() {
            Ok(mut local) => run.take().map(|run| run(&mut local)),
            Err(_) => None,
        })
        .ok()
        .and_then(|result| result)
}

impl Local {
    pub fn is_root(&self) -> bool {
        self.frames.len() <= self.base
    }

    pub fn begin_root(&mut self) {
        self.root = self.root.wrapping_add(1);
    }

    /// How often the function was called before in what the present root runs.
    pub fn count(&mut self, function: u32) -> u64 {
        let at = function as usize;
        while at >= self.seen.len() {
            self.seen.push((0, 0));
        }
        let entry = &mut self.seen[at];
        if entry.0 != self.root {
            *entry = (self.root, 0);
        }
        entry.1 = entry.1.saturating_add(1);
        u64::from(entry.1 - 1)
    }

    /// A thread that has not begun to record gets its origin; what one of a pool runs is told apart by its base.
    pub fn adopt(&mut self, origin: &Origin) -> (usize, u64, Option<&'static str>) {
        let earlier = (self.base, self.base_from, self.test);
        self.test = origin.test;
        self.base = self.frames.len();
        if self.thread == 0 && self.from == 0 {
            self.from = origin.call;
            self.base_from = 0;
        } else {
            self.base_from = origin.call;
        }
        earlier
    }

    pub fn leave(&mut self, earlier: (usize, u64, Option<&'static str>)) {
        self.base = earlier.0;
        self.base_from = earlier.1;
        self.test = earlier.2;
    }

    /// Writes the lines of the calls up to this one that have none, this one's with its arguments or without.
    pub fn materialise(&mut self, output: &Output, upto: usize, shows: bool) {
        let first = self.frames[..=upto].iter().rposition(|frame| frame.call != 0).map_or(0, |at| at + 1);
        if first > upto {
            return;
        }
        let mut lines = Text::new();
        self.tell_thread(output, &mut lines);
        for at in first..=upto {
            let call = output.next_call();
            self.frames[at].call = call;
            self.tell_call(&mut lines, at, shows && at == upto);
        }
        output.write(&lines);
    }

    fn tell_thread(&mut self, output: &Output, lines: &mut Text) {
        if self.thread != 0 {
            return;
        }
        self.thread = output.next_thread();
        lines.push_str("{\"k\":\"thread\",");
        push_number(lines, "n", self.thread);
        lines.push_str(",\"name\":");
        push_text(lines, thread::current().name().unwrap_or(""));
        if self.from != 0 {
            lines.push(',');
            push_number(lines, "from", self.from);
        }
        lines.push_str("}\n");
    }

    fn tell_call(&self, lines: &mut Text, at: usize, shows: bool) {
        let frame = &self.frames[at];
        lines.push_str("{\"k\":\"in\",");
        push_number(lines, "c", frame.call);
        lines.push(',');
        push_number(lines, "f", u64::from(frame.function));
        let parent = match at {
            at if at == self.base => self.base_from,
            0 => 0,
            at => self.frames[at - 1].call,
        };
        if parent != 0 {
            lines.push(',');
            push_number(lines, "p", parent);
        }
        lines.push(',');
        push_number(lines, "th", self.thread);
        if frame.task != 0 {
            lines.push(',');
            push_number(lines, "task", frame.task);
        }
        if let Some(test) = self.test {
            lines.push_str(",\"test\":");
            push_text(lines, test);
        }
        lines.push(',');
        push_number(lines, "at", frame.at);
        if shows {
            push_named(lines, "args", frame.arguments.iter().map(|(name, value)| (*name, value)));
        }
        if let Some(on) = frame.on {
            lines.push_str(",\"on\":");
            push_text(lines, on);
        }
        lines.push_str("}\n");
    }
}
