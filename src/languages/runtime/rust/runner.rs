//! What cargo starts in the place of a test binary: `millwright-runner BINARY ARGUMENT...`.
use crate::batch;
use crate::binary::{Binary, Verdict};
use crate::coverage;
use crate::process::Ended;
use crate::report::{key_text, Failure, Report};
use crate::request::{Kind, Request, TargetKey};
use crate::targets;
use crate::watch::Manner;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// The exit code: 101, as libtest's, when a test failed.
pub fn run_binary(request: &Request, args: &[String]) -> i32 {
    let program = PathBuf::from(&args[0]);
    let target = match targets::wait_for(request, &program) {
        Some(target) => target,
        None => return 0, // no test target: `cargo run` within a build
    };
    let binary = Binary { program, args: args[1..].to_vec(), limit: request.limit, usual_end: Mutex::new(Manner::Unknown) };
    let listed = binary.list();
    if !request.candidates.is_empty() {
        return batch::run_candidates(request, &binary, &target, listed.is_some());
    }
    let report = Report::open(request);
    match listed {
        Some(names) => run_tests(request, &binary, &target, select(request, &target, names), &report),
        None => run_whole(request, &binary, &target, &report),
    }
    if report.close() {
        0
    } else {
        101
    }
}

fn select(request: &Request, target: &TargetKey, names: Vec<String>) -> Vec<String> {
    let none = BTreeSet::new();
    let wanted = request.tests.get(target).unwrap_or(&none);
    let seen: BTreeSet<String> = names.into_iter().collect();
    match request.kind {
        Kind::All => seen.into_iter().collect(),
        // A target that was not built has no names: all of its tests are asked by none.
        Kind::Tests => seen.into_iter().filter(|name| wanted.contains(name) || wanted.contains("")).collect(),
        Kind::Files => {
            let prefixes = targets::module_prefixes(request, target);
            seen.into_iter().filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))).collect()
        }
    }
}

struct Run<'a> {
    request: &'a Request,
    binary: &'a Binary,
    target: &'a TargetKey,
    report: &'a Report,
}

fn run_tests(request: &Request, binary: &Binary, target: &TargetKey, names: Vec<String>, report: &Report) {
    let keys: Vec<String> = names.iter().map(|name| key_text(target, name)).collect();
    report.found(&keys);
    if !names.is_empty() {
        targets::append(request, "selected.txt", "binary\n");
    }
    let run = Run { request, binary, target, report };
    let threads = binary.threads(request.parallel).min(names.len().max(1));
    let next = AtomicUsize::new(0);
    let doubtful = Mutex::new(Vec::new());
    let work = || loop {
        let index = next.fetch_add(1, Ordering::SeqCst);
        if index >= names.len() || request.is_stopped() {
            break;
        }
        run.first(&names[index], threads > 1 && !request.stop, &doubtful);
    };
    // Scoped threads are too new for some toolchains; the borrowed things outlive the joins below.
    spawn_all(threads, &work);
    for name in doubtful.into_inner().unwrap_or_else(|error| error.into_inner()) {
        run.again(&name);
    }
}

fn spawn_all<F: Fn() + Sync>(threads: usize, work: &F) {
    struct Shared(*const ());
    unsafe impl Send for Shared {}
    unsafe fn call<F: Fn()>(work: *const ()) {
        (*(work as *const F))()
    }
    let handles: Vec<thread::JoinHandle<()>> = (1..threads)
        .map(|_| {
            let shared = Shared(work as *const F as *const ());
            let start: unsafe fn(*const ()) = call::<F>;
            thread::spawn(move || {
                let whole = shared;
                unsafe { start(whole.0) }
            })
        })
        .collect();
    work();
    for handle in handles {
        let _ = handle.join();
    }
}

impl<'a> Run<'a> {
    /// Beside others: a test that fails so may have been in their way, and is asked again alone.
    fn first(&self, name: &str, beside: bool, doubtful: &Mutex<Vec<String>>) {
        let key = key_text(self.target, name);
        self.report.started(&key);
        let (verdict, ended) = self.once(name, false);
        match verdict {
            Verdict::Failed(Failure { ref kind, .. }) if kind != "TimeoutError" => {
                if beside {
                    doubtful.lock().unwrap_or_else(|error| error.into_inner()).push(name.to_string());
                } else if self.request.kind == Kind::Tests {
                    self.conclude(&key, verdict, &ended);
                } else {
                    self.again(name);
                }
            }
            verdict => self.conclude(&key, verdict, &ended),
        }
    }

    /// Alone, with a backtrace, which is slow and changes what some programs print: not where single tests are asked.
    fn again(&self, name: &str) {
        let key = key_text(self.target, name);
        let (mut verdict, mut ended) = self.once(name, true);
        if let Verdict::Passed = verdict {
            let last = self.once(name, false);
            verdict = last.0;
            ended = last.1;
        }
        self.conclude(&key, verdict, &ended);
    }

    fn once(&self, name: &str, again: bool) -> (Verdict, Ended) {
        let counters = coverage::counters_file(self.request, again);
        let mut env = vec![];
        if again && self.request.kind != Kind::Tests {
            env.push(("RUST_BACKTRACE", "1".to_string()));
        }
        if let Some(ref file) = counters {
            env.push(("MILLWRIGHT_COUNTERS", file.to_string_lossy().into_owned()));
        }
        let result = self.binary.run_test(name, &env);
        if let Some(file) = counters {
            coverage::report_lines(self.report, self.target, name, &file);
        }
        result
    }

    fn conclude(&self, key: &str, verdict: Verdict, ended: &Ended) {
        match verdict {
            Verdict::Passed => self.report.ended(key, "passed", ended.millis, None),
            Verdict::Skipped => self.report.ended(key, "skipped", ended.millis, None),
            Verdict::NotThere => self.report.ended(key, "not-run", 0, None),
            Verdict::Failed(failure) => {
                self.report.ended(key, "failed", ended.millis, Some(&failure));
                self.request.stop_now();
            }
        }
    }
}

/// A harness that lists nothing: one test with the target's whole name, or as many as it prints.
fn run_whole(request: &Request, binary: &Binary, target: &TargetKey, report: &Report) {
    let key = key_text(target, "main");
    if request.is_stopped() {
        report.found(&[key]);
        return;
    }
    let counters = coverage::counters_file(request, false);
    let env: Vec<(&str, String)> =
        counters.iter().map(|file| ("MILLWRIGHT_COUNTERS", file.to_string_lossy().into_owned())).collect();
    report.started(&key);
    let (tests, verdict, ended) = binary.run_whole(&env);
    if let Some(file) = counters {
        coverage::report_lines(report, target, "main", &file);
    }
    for (name, passed) in &tests {
        let failure = Failure { kind: String::new(), message: String::new(), text: block_of(&ended, name) };
        let failure = if *passed { None } else { Some(&failure) };
        report.ended(&key_text(target, name), if *passed { "passed" } else { "failed" }, 0, failure);
    }
    match verdict {
        Verdict::Failed(failure) => {
            report.ended(&key, "failed", ended.millis, Some(&failure));
            request.stop_now();
        }
        _ => report.ended(&key, "passed", ended.millis, None),
    }
}

/// What stands under `---- NAME stdout ----`.
fn block_of(ended: &Ended, name: &str) -> String {
    let head = format!("---- {} stdout ----", name);
    let text = format!("{}\n{}", ended.stdout, ended.stderr);
    let start = match text.find(&head) {
        Some(at) => at + head.len(),
        None => return text,
    };
    let rest = &text[start..];
    rest[..rest.find("\n---- ").unwrap_or_else(|| rest.len())].to_string()
}

/// How long a whole doctest run may take: each is compiled by itself, which says nothing of how long the others' tests take.
pub fn long_limit(request: &Request) -> Duration {
    ::std::cmp::max(request.limit * 60, Duration::from_secs(LEAST_FOR_DOCUMENTS))
}

const LEAST_FOR_DOCUMENTS: u64 = 600;
