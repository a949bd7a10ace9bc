//! Many candidates in one program: each is chosen by a variable when a test's process starts.
use crate::binary::{Binary, Verdict};
use crate::report::key_text;
use crate::request::{Request, TargetKey};
use crate::targets;
use std::sync::Mutex;
use std::collections::BTreeSet;
use std::fs;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

const FAILED: &str = "candidates-failed.txt";

/// Runs each candidate on the wanted tests of this binary, until one fails; those that failed in another binary are left out.
pub fn run_candidates(request: &Request, binary: &Binary, target: &TargetKey, listed: bool) -> i32 {
    let names = request.tests.get(target).cloned().unwrap_or_default();
    if names.is_empty() || !listed {
        return 0;
    }
    let known: BTreeSet<u64> = fs::read_to_string(request.report.join(FAILED))
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    let waiting: Vec<u64> = request.candidates.iter().cloned().filter(|id| !request.stop || !known.contains(id)).collect();
    let job = Arc::new(Job {
        report: request.report.clone(),
        binary: Binary { program: binary.program.clone(), args: binary.args.clone(), limit: binary.limit, usual_end: Mutex::new(binary.usual()) },
        target: target.clone(),
        names: names.into_iter().collect(),
        waiting,
        next: AtomicUsize::new(0),
        stop: request.stop,
    });
    let threads = binary.threads(request.parallel.max(1));
    let handles: Vec<thread::JoinHandle<()>> = (0..threads)
        .map(|_| {
            let shared = job.clone();
            thread::spawn(move || shared.work())
        })
        .collect();
    for handle in handles {
        let _ = handle.join();
    }
    0
}

struct Job {
    report: std::path::PathBuf,
    binary: Binary,
    target: TargetKey,
    names: Vec<String>,
    waiting: Vec<u64>,
    next: AtomicUsize,
    /// A candidate's first failure says enough.
    stop: bool,
}

impl Job {
    fn work(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::SeqCst);
            match self.waiting.get(index) {
                Some(&id) => self.run_candidate(id),
                None => return,
            }
        }
    }

    fn run_candidate(&self, id: u64) {
        for name in &self.names {
            let env = [(targets::CANDIDATE, id.to_string())];
            let (verdict, ended) = self.binary.run_test(name, &env);
            let (status, kind) = match verdict {
                Verdict::Passed => ("passed", String::new()),
                Verdict::Skipped => ("skipped", String::new()),
                Verdict::NotThere => ("not-run", String::new()),
                Verdict::Failed(failure) => ("failed", failure.kind),
            };
            let line = format!(
                "{{\"candidate\":{},\"test\":{},\"status\":\"{}\",\"durationMs\":{},\"type\":\"{}\"}}\n",
                id,
                key_text(&self.target, name),
                status,
                ended.millis,
                kind
            );
            self.append(&format!("candidates-{}.txt", process::id()), &line);
            if status != "passed" {
                self.append(FAILED, &format!("{}\n", id));
                if self.stop {
                    return;
                }
            }
        }
    }

    fn append(&self, file: &str, text: &str) {
        use std::io::Write;
        let opened = fs::OpenOptions::new().create(true).append(true).open(self.report.join(file));
        let _ = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    }
}
