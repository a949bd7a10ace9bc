//! One test binary: its tests, each in a process of its own.
use crate::process::{run, End, Ended};
use crate::report::Failure;
use crate::watch::Manner;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

pub struct Binary {
    /// The program and what stands before the test's own arguments.
    pub program: PathBuf,
    /// The user's arguments behind `--`.
    pub args: Vec<String>,
    pub limit: Duration,
    /// How the program ended when it listed its tests: a test that passes ends in the same way.
    pub usual_end: Mutex<Manner>,
}

pub enum Verdict {
    Passed,
    Skipped,
    NotThere,
    Failed(Failure),
}

/// Arguments that say how tests are run or shown; the others say which.
fn is_manner(arg: &str) -> bool {
    let name = arg.split('=').next().unwrap_or("");
    ["--nocapture", "--no-capture", "--show-output", "-q", "--quiet", "--test-threads", "--color", "--format"]
        .contains(&name)
}

impl Binary {
    /// The user's arguments without those of manner.
    fn filters(&self) -> Vec<String> {
        let mut kept = Vec::new();
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            if !is_manner(arg) {
                kept.push(arg.clone());
            } else if ["--test-threads", "--color", "--format"].contains(&arg.as_str()) {
                args.next();
            }
        }
        kept
    }

    pub fn threads(&self, usual: usize) -> usize {
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            let value = if arg == "--test-threads" {
                args.next().cloned()
            } else if arg.starts_with("--test-threads=") {
                Some(arg["--test-threads=".len()..].to_string())
            } else {
                None
            };
            if let Some(count) = value.and_then(|text| text.parse::<usize>().ok()) {
                return count.max(1).min(usual);
            }
        }
        env::var("RUST_TEST_THREADS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual).max(1).min(usual)
    }

    pub fn usual(&self) -> Manner {
        *self.usual_end.lock().unwrap_or_else(|error| error.into_inner())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        clean(&mut command);
        command
    }

    /// The names of the tests that the user's arguments ask for; None where it is no harness that lists them.
    pub fn list(&self) -> Option<Vec<String>> {
        let limit = Duration::from_secs(20).max(self.limit);
        let ended = run(self.command().args(self.filters()).args(&["--list", "--format", "terse"]), limit);
        if !matches!(ended.end, End::Exit(0)) {
            return None;
        }
        *self.usual_end.lock().unwrap_or_else(|error| error.into_inner()) = ended.manner;
        let is_usual = self.has_usual_harness();
        if is_usual && self.ended_early(&ended) {
            return None; // code under test ended the program before its harness could speak
        }
        if ended.stdout.trim().is_empty() {
            // A harness without tests, or a program that knows no arguments and has nothing to say.
            let spoken = run(self.command().arg("--list"), limit);
            return if spoken.stdout.contains("0 tests, ") { Some(Vec::new()) } else { None };
        }
        let mut names = Vec::new();
        for line in ended.stdout.lines().filter(|line| !line.is_empty()) {
            let name = [": test", ": benchmark", ": bench"].iter().filter_map(|tail| line.strip_suffix(tail)).next();
            match name {
                Some(name) => names.push(name.to_string()),
                None if is_usual => {} // words of code that runs before the harness
                None => return None,
            }
        }
        Some(names)
    }

    /// Whether the compiler linked its own harness into the program: the places of its panics are named in there.
    fn has_usual_harness(&self) -> bool {
        let bytes = fs::read(&self.program).unwrap_or_default();
        let marks: [&[u8]; 2] = [b"library/test/src/", b"src/libtest/"];
        marks.iter().any(|mark| bytes.windows(mark.len()).any(|each| each == *mark))
    }

    /// Our own `main` returns: a program of the same C library whose `main` does ends at the same depth of its stack. What runs before
    /// `main` ends it at another.
    fn ended_early(&self, ended: &Ended) -> bool {
        let own = match env::args_os().next() {
            Some(own) => PathBuf::from(own),
            None => return false,
        };
        match ended.manner {
            Manner::Unknown => false,
            Manner::Returned(depth) if loader_of(&own).is_some() && loader_of(&own) == loader_of(&self.program) => {
                let mut command = Command::new(&own);
                clean(&mut command);
                match run(&mut command, Duration::from_secs(20)).manner {
                    Manner::Returned(usual) => depth != usual,
                    _ => false,
                }
            }
            Manner::Returned(_) => false,
            _ => true,
        }
    }

    /// The harness keeps what a test prints, as it does for its users: a test that prints millions of lines would take minutes to
    /// write them. What it keeps is lost with a process that crashes, which is asked again for its words: only for them, since a
    /// test whose output is not kept can print a result.
    pub fn run_test(&self, name: &str, env: &[(&str, String)]) -> (Verdict, Ended) {
        match self.run_once(name, env, &[]) {
            (Verdict::Failed(failure), ended) if failure.kind == "Crash" => {
                match self.run_once(name, env, &["--nocapture"]) {
                    (Verdict::Failed(said), again) => (Verdict::Failed(said), again),
                    _ => (Verdict::Failed(failure), ended),
                }
            }
            result => result,
        }
    }

    fn run_once(&self, name: &str, env: &[(&str, String)], manner: &[&str]) -> (Verdict, Ended) {
        let mut command = self.command();
        for (name, value) in env {
            command.env(name, value);
        }
        let ignored: Vec<&String> =
            self.args.iter().filter(|arg| *arg == "--ignored" || *arg == "--include-ignored").collect();
        // One thread would be the main one, with another stack and name than tests have.
        command.args(ignored).args(&["--exact", name, "--test-threads", "2"]).args(manner);
        let ended = run(&mut command, self.limit);
        let usual = self.usual();
        let verdict = match judge(&ended, self.limit) {
            Verdict::Passed if ended.manner != usual && usual != Manner::Unknown => foreign_end(&ended),
            verdict => verdict,
        };
        (verdict, ended)
    }

    /// A harness of the project's own: one test, or those that it prints in the usual form.
    pub fn run_whole(&self, env: &[(&str, String)]) -> (Vec<(String, bool)>, Verdict, Ended) {
        let mut command = self.command();
        for (name, value) in env {
            command.env(name, value);
        }
        let limit = self.limit * 10;
        let ended = run(command.args(&self.args), limit);
        if self.has_usual_harness() && matches!(ended.end, End::Exit(0)) {
            let verdict = foreign_end(&ended);
            return (Vec::new(), verdict, ended);
        }
        let verdict = match ended.end {
            End::Exit(0) if ended.manner == Manner::Foreign => foreign_end(&ended),
            End::Exit(0) => Verdict::Passed,
            _ => judge(&ended, limit),
        };
        (printed(&ended.stdout), verdict, ended)
    }
}

/// The dynamic loader that a program names among its first bytes; None where it needs none.
fn loader_of(program: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(program).ok()?.take(4096).read_to_end(&mut bytes).ok()?;
    let at = bytes.windows(4).position(|each| each == b"/ld-")?;
    let begin = bytes[..at].iter().rposition(|byte| *byte == 0)? + 1;
    let end = at + bytes[at..].iter().position(|byte| *byte == 0)?;
    Some(bytes[begin..end].to_vec())
}

/// Test processes know nothing of our runner, and neither do builds that they start.
pub fn clean(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy().into_owned();
        let is_ours = text.starts_with("MILLWRIGHT_") && text != "MILLWRIGHT_CANDIDATE";
        let is_runner = text.starts_with("CARGO_TARGET_") && text.ends_with("_RUNNER");
        if is_ours || is_runner || text == "RUSTDOC" || text == "RUSTC_WORKSPACE_WRAPPER" {
            command.env_remove(name);
        }
    }
}

fn judge(ended: &Ended, limit: Duration) -> Verdict {
    let text = words_of(ended);
    let failed = |kind: &str, message: String| {
        Verdict::Failed(Failure { kind: kind.to_string(), message, text: text.clone() })
    };
    let counts = summary(&ended.stdout);
    match (&ended.end, counts) {
        (End::TimedOut, _) => {
            failed("TimeoutError", format!("the test took longer than its limit of {} ms", limit.as_millis()))
        }
        (End::Unstartable, _) => failed("Crash", ended.stderr.clone()),
        (End::Signal(signal), _) => failed("Crash", format!("the test process was ended by signal {}", signal)),
        (End::Exit(_), Some([_, failed_count, _, _])) if failed_count > 0 => failed("", String::new()),
        (End::Exit(0), Some([passed, _, ignored, measured])) => {
            if passed + measured > 0 {
                Verdict::Passed
            } else if ignored > 0 {
                Verdict::Skipped
            } else {
                Verdict::NotThere
            }
        }
        (End::Exit(code), _) => failed("Crash", format!("the test process ended with exit code {}", code)),
    }
}

/// Code under test can print what the harness prints, but not return from its `main`.
fn foreign_end(ended: &Ended) -> Verdict {
    let message = "the code under test ended the process, before the test harness did".to_string();
    Verdict::Failed(Failure { kind: "Crash".to_string(), message, text: words_of(ended) })
}

/// passed, failed, ignored, measured of the last `test result:` line.
fn summary(stdout: &str) -> Option<[usize; 4]> {
    let line = stdout.lines().rev().find(|line| line.contains("test result: "))?;
    let count = |word: &str| -> usize {
        let before = line.find(word).map_or("", |at| line[..at].trim_end());
        let digits: String = before.chars().rev().take_while(|each| each.is_ascii_digit()).collect();
        digits.chars().rev().collect::<String>().parse().unwrap_or(0)
    };
    Some([count(" passed"), count(" failed"), count(" ignored"), count(" measured")])
}

/// What the harness kept of the failed test, as if the test had written it itself, and then what else the harness says.
fn words_of(ended: &Ended) -> String {
    let stdout = &ended.stdout;
    let list = stdout.find("\nfailures:\n").map_or(0, |at| at + 1);
    let kept = stdout[list..].find("---- ").and_then(|at| stdout[list + at..].find('\n').map(|end| list + at + end + 1));
    match (kept, stdout.rfind("\n\nfailures:\n")) {
        (Some(from), Some(to)) if from <= to => {
            format!("{}{}\n--- printed ---\n{}", ended.stderr, &stdout[from..to], &stdout[to + 2..])
        }
        _ => format!("{}\n--- printed ---\n{}", ended.stderr, &stdout[list..]),
    }
}

/// Lines `test NAME ... ok`, each once.
fn printed(stdout: &str) -> Vec<(String, bool)> {
    let mut seen = BTreeSet::new();
    let mut tests = Vec::new();
    for line in stdout.lines() {
        let words: Vec<&str> = line.trim().strip_prefix("test ").unwrap_or("").splitn(2, " ... ").collect();
        if words.len() != 2 {
            continue;
        }
        let end = words[1].split_whitespace().next().unwrap_or("");
        let passed = end == "ok";
        if (passed || end == "FAILED" || end == "failed") && seen.insert(words[0].to_string()) {
            tests.push((words[0].to_string(), passed));
        }
    }
    tests
}
