//! The process's file, its limits and its counts.
use crate::list::{List, Text};
use crate::line::{push_number, push_text};
use crate::{known, local, locks, panics};
use std::env;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::Once;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub struct Output {
    file: File,
    start: Instant,
    pub depth: usize,
    records: u64,
    bytes: u64,
    value: usize,
    calls: AtomicU64,
    written: AtomicU64,
    threads: AtomicU64,
    tasks: AtomicU64,
    /// Four a function: calls cut by depth, records, bytes and sampling.
    cuts: List<AtomicU64>,
    /// Calls of a function that nothing traced called.
    roots: List<AtomicU64>,
}

#[derive(Clone, Copy)]
pub enum Cut {
    Depth,
    Records,
    Bytes,
    Sampled,
}

const REASONS: [&str; 4] = ["depth", "records", "bytes", "sampled"];
const UNKNOWN: usize = 0;
const OFF: usize = 1;
const ON: usize = 2;
static STATE: AtomicUsize = AtomicUsize::new(UNKNOWN);
static OUTPUT: AtomicPtr<Output> = AtomicPtr::new(ptr::null_mut());
static FIRST: Once = Once::new();

extern "C" {
    fn atexit(callback: extern "C" fn()) -> i32;
}

#[inline]
pub fn is_off() -> bool {
    STATE.load(Ordering::Relaxed) == OFF
}

/// The caller is busy: what this runs is not traced.
pub fn get() -> Option<&'static Output> {
    if STATE.load(Ordering::Acquire) == UNKNOWN {
        FIRST.call_once(begin);
    }
    // It is made once and lives as long as the process.
    unsafe { OUTPUT.load(Ordering::Acquire).as_ref() }
}

pub fn value_limit() -> usize {
    get().map_or(0, |output| output.value)
}

fn number_of(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(otherwise)
}

fn zeros(count: usize) -> List<AtomicU64> {
    // Counters at 0: pages that no function needs are never touched.
    unsafe { List::zeroed(count) }
}

fn begin() {
    match open() {
        Some(output) => {
            OUTPUT.store(Box::into_raw(Box::new(output)), Ordering::Release);
            STATE.store(ON, Ordering::Release);
            panics::listen();
            locks::read_names();
            known::learn_plain();
            unsafe { atexit(end) };
        }
        None => STATE.store(OFF, Ordering::Release),
    }
}

fn open() -> Option<Output> {
    let folder = PathBuf::from(env::var_os("MILLWRIGHT_TRACE_DIR")?);
    let pid = process::id();
    let mut file = None;
    for number in 0..10_000 {
        let path = folder.join(format!("{}-{}.jsonl", pid, number));
        match OpenOptions::new().append(true).create_new(true).open(path) {
            Ok(opened) => {
                file = Some(opened);
                break;
            }
            Err(ref error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
    let functions = number_of("MILLWRIGHT_TRACE_FUNCTIONS", 100_000) as usize + 1;
    let output = Output {
        file: file?,
        start: Instant::now(),
        depth: number_of("MILLWRIGHT_TRACE_DEPTH", 200) as usize,
        records: number_of("MILLWRIGHT_TRACE_RECORDS", 200_000),
        bytes: number_of("MILLWRIGHT_TRACE_BYTES", 256 << 20),
        value: number_of("MILLWRIGHT_TRACE_VALUE", 400) as usize,
        calls: AtomicU64::new(0),
        written: AtomicU64::new(0),
        threads: AtomicU64::new(0),
        tasks: AtomicU64::new(0),
        cuts: zeros(functions * REASONS.len()),
        roots: zeros(functions),
    };
    output.write(&output.head(pid));
    Some(output)
}

impl Output {
    fn head(&self, pid: u32) -> Text {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).map(|since| since.as_millis() as u64).unwrap_or(0);
        let mut line = Text::new();
        let _ = write!(
            line,
            "{{\"k\":\"process\",\"v\":1,\"pid\":{},\"parent\":{},\"language\":\"rust\",\"epoch\":{},\"arguments\":[",
            pid,
            parent(),
            epoch
        );
        for (index, argument) in env::args_os().take(60).enumerate() {
            if index > 0 {
                line.push(',');
            }
            let text: String = argument.to_string_lossy().chars().take(500).collect();
            push_text(&mut line, &text);
        }
        line.push_str("]}\n");
        line
    }

    pub fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// One system call a line: what is written stays when the process is killed.
    pub fn write(&self, line: &str) {
        self.written.fetch_add(line.len() as u64, Ordering::Relaxed);
        let _ = (&self.file).write_all(line.as_bytes());
    }

    pub fn next_call(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub fn next_thread(&self) -> u64 {
        self.threads.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub fn next_task(&self) -> u64 {
        self.tasks.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Why no more calls are recorded.
    pub fn exhausted(&self) -> Option<Cut> {
        if self.calls.load(Ordering::Relaxed) >= self.records {
            Some(Cut::Records)
        } else if self.written.load(Ordering::Relaxed) >= self.bytes {
            Some(Cut::Bytes)
        } else {
            None
        }
    }

    /// How often the function was called by nothing traced, this call left out.
    pub fn count_root(&self, function: u32) -> u64 {
        self.roots.get(function as usize).map_or(0, |count| count.fetch_add(1, Ordering::Relaxed))
    }

    /// Told at every power of two, so that a process that is killed has told most of it.
    pub fn cut(&self, function: u32, why: Cut) {
        if let Some(count) = self.cuts.get(function as usize * REASONS.len() + why as usize) {
            let sum = count.fetch_add(1, Ordering::Relaxed) + 1;
            if sum.is_power_of_two() {
                self.tell_cut(function as usize, why as usize, sum);
            }
        }
    }

    fn tell_cut(&self, function: usize, why: usize, sum: u64) {
        let mut line = Text::from("{\"k\":\"cut\",");
        push_number(&mut line, "f", function as u64);
        let _ = writeln!(line, ",\"why\":\"{}\",\"count\":{}}}", REASONS[why], sum);
        self.write(&line);
    }

    fn finish(&self) {
        for (index, count) in self.cuts.iter().enumerate() {
            let sum = count.load(Ordering::Relaxed);
            if sum > 0 && !sum.is_power_of_two() {
                self.tell_cut(index / REASONS.len(), index % REASONS.len(), sum);
            }
        }
        let mut line = Text::new();
        let _ = writeln!(line, "{{\"k\":\"end\",\"at\":{}}}", self.now());
        self.write(&line);
    }
}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

extern "C" fn end() {
    let _busy = local::Busy::set();
    if let Some(output) = get() {
        output.finish();
    }
}
