//! How a test process ended. A test harness ends it by returning from `main`, on the first thread; the code of its tests, which runs
//! on other threads, can only end the process itself, or become another program. The kernel tells us which it was.
use std::fs;

extern "C" {
    fn ptrace(request: i32, process: i32, address: usize, data: usize) -> isize;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
}

const TRACE_ME: i32 = 0;
const CONTINUE: i32 = 7;
const SET_OPTIONS: i32 = 0x4200;
/// Stops at an exec and before its end, and is killed when we are gone.
const OPTIONS: usize = 0x10 | 0x40 | 0x10_0000;
const EVENT_EXEC: i32 = 4;
const EVENT_EXIT: i32 = 6;
const NO_HANG: i32 = 1;
const ALL_CHILDREN: i32 = 0x4000_0000;
const TRAP: i32 = 5;

#[cfg(target_arch = "x86_64")]
const EXIT_GROUP: &str = "231";
#[cfg(not(target_arch = "x86_64"))]
const EXIT_GROUP: &str = "94";

/// Bytes of stack between where a program starts and where the C library ends it after `main` has returned. A call of `exit` from
/// inside `main` has the harness's own frames there, which take more.
const MOST_BELOW_MAIN: u64 = 1024;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Manner {
    /// `main` returned; the bytes of stack above the last call, the same in each run of a program.
    Returned(u64),
    /// The first thread ended the process from within.
    Called,
    /// Another thread did, or the process became another program.
    Foreign,
    /// Nobody could watch.
    Unknown,
}

/// In the child, before it becomes the program.
pub fn ask_to_be_watched() {
    unsafe { ptrace(TRACE_ME, 0, 0, 0) };
}

pub struct Watch {
    process: i32,
    traced: bool,
    execs: usize,
    manner: Manner,
    status: Option<i32>,
}

impl Watch {
    /// By the thread that started the process.
    pub fn begin(process: i32) -> Watch {
        let traced = field(&format!("/proc/{}/status", process), "TracerPid:").map_or(false, |pid| pid != "0");
        let manner = if traced { Manner::Foreign } else { Manner::Unknown };
        let mut watch = Watch { process, traced, execs: 0, manner, status: None };
        if traced {
            // It stands where it became the program.
            watch.hear(0);
            unsafe { ptrace(SET_OPTIONS, process, 0, OPTIONS) };
            watch.go_on(0);
        }
        watch
    }

    /// The wait status of a process that has ended; None while it runs.
    pub fn look(&mut self) -> Option<i32> {
        while self.status.is_none() {
            let status = match self.hear(NO_HANG) {
                Some(status) => status,
                None => return None,
            };
            self.take(status);
        }
        self.status
    }

    /// Of a process that was killed.
    pub fn finish(&mut self) {
        while self.status.is_none() {
            match self.hear(0) {
                Some(status) => self.take(status),
                None => return,
            }
        }
    }

    pub fn manner(&self) -> Manner {
        if self.execs > 0 {
            Manner::Foreign
        } else {
            self.manner
        }
    }

    fn hear(&mut self, options: i32) -> Option<i32> {
        let mut status = 0;
        let found = unsafe { waitpid(self.process, &mut status, options | ALL_CHILDREN) };
        if found == self.process {
            return Some(status);
        }
        if found < 0 {
            self.status = self.status.or(Some(9));
        }
        None
    }

    fn take(&mut self, status: i32) {
        if status & 0xff != 0x7f {
            self.status = Some(status);
            return;
        }
        let signal = (status >> 8) & 0xff;
        match (signal, status >> 16) {
            (TRAP, EVENT_EXIT) => {
                self.manner = self.manner_of_end();
                self.go_on(0);
            }
            (TRAP, EVENT_EXEC) => {
                self.execs += 1;
                self.go_on(0);
            }
            _ => self.go_on(signal),
        }
    }

    fn go_on(&self, signal: i32) {
        if self.traced {
            unsafe { ptrace(CONTINUE, self.process, 0, signal as usize) };
        }
    }

    /// At the stop before the end of the first thread: the call that it makes, and how deep in its stack.
    fn manner_of_end(&self) -> Manner {
        let call = fs::read_to_string(format!("/proc/{}/syscall", self.process)).unwrap_or_default();
        if call.is_empty() {
            return Manner::Unknown; // a kernel that does not show it, or not here
        }
        let words: Vec<&str> = call.split_whitespace().collect();
        if words.len() != 9 || words[0] != EXIT_GROUP {
            return Manner::Foreign;
        }
        let stack = u64::from_str_radix(words[7].trim_start_matches("0x"), 16).unwrap_or(0);
        let begin = stack_begin(self.process);
        if stack < begin && begin - stack <= MOST_BELOW_MAIN {
            Manner::Returned(begin - stack)
        } else {
            Manner::Called
        }
    }
}

fn stack_begin(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/stat", process)).unwrap_or_default();
    // The program's name stands in parentheses and may hold anything; it is the second of the fields.
    let rest = text.rsplit(')').next().unwrap_or("");
    rest.split_whitespace().nth(25).and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line[name.len()..].trim().to_string())
}
