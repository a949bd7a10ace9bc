//! `millwright-rustdoc`: rustdoc as cargo starts it, with the tests of the documentation reported.
use crate::binary::clean;
use crate::coverage;
use crate::process::{run, End, Ended};
use crate::report::{key_text, Failure, Report};
use crate::request::{Kind, Request, TargetKey};
use crate::runner::long_limit;
use crate::targets;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

struct Doctest {
    /// As rustdoc prints it: `src/lib.rs - add (line 12)`.
    printed: String,
    /// Without the line, which moves with every edit: `src/lib.rs - add`, the next there `src/lib.rs - add #2`.
    name: String,
    status: &'static str,
}

pub fn run_rustdoc(request: &Request, program: &str, args: &[String]) -> Option<i32> {
    if !args.iter().any(|arg| arg == "--test") {
        return None;
    }
    let source = args.iter().find(|arg| arg.ends_with(".rs"))?;
    let whole = env::current_dir().ok()?.join(source);
    let path = format!("doc:{}", targets::relative(&request.root, &whole.to_string_lossy()));
    let target = find_target(request, &path);
    if !request.candidates.is_empty() || request.is_stopped() {
        return Some(0);
    }
    let report = Report::open(request);
    let ended = run_with(request, program, args, &filters(request, &target), None);
    let tests = read(&ended.stdout);
    if request.coverage {
        cover_failing(request, program, args, &target, &tests, &report);
    }
    let mut known = 0;
    for test in &tests {
        if !is_wanted(request, &target, test) {
            continue;
        }
        known += 1;
        let text = block(&ended.stdout, &test.printed);
        let failure = Failure { kind: kind_of(&text), message: String::new(), text };
        let failure = if test.status == "failed" { Some(&failure) } else { None };
        report.ended(&key_text(&target, &test.name), test.status, 0, failure);
    }
    if known > 0 {
        targets::append(request, "selected.txt", "doc\n");
    }
    if let Some(failure) = whole_failure(&ended.end, &tests, &ended.stderr) {
        report.target_failed(&target.0, &target.1, &failure);
    }
    let passed = report.close() && matches!(ended.end, End::Exit(0));
    if !passed {
        request.stop_now();
    }
    Some(if passed { 0 } else { 101 })
}

fn run_with(request: &Request, program: &str, args: &[String], filters: &[String], counters: Option<&Path>) -> Ended {
    let mut command = Command::new(program);
    command.args(without_runner(args));
    clean(&mut command);
    for name in filters {
        command.args(&["--test-args", name]);
    }
    if let Some(file) = counters {
        command.env("MILLWRIGHT_COUNTERS", file);
    }
    run(&mut command, long_limit(request))
}

/// Newer versions of cargo have the tests of the documentation started by the target's runner, which is ours.
fn without_runner(args: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--test-runtool" || word == "--test-runtool-arg" {
            words.next();
        } else if !word.starts_with("--test-runtool") {
            kept.push(word.clone());
        }
    }
    kept
}

/// Failing ones that are run again alone, for their lines.
const MOST_COVERED: usize = 5;

fn cover_failing(
    request: &Request,
    program: &str,
    args: &[String],
    target: &TargetKey,
    tests: &[Doctest],
    report: &Report,
) {
    for test in tests.iter().filter(|test| test.status == "failed").take(MOST_COVERED) {
        if let Some(file) = coverage::counters_file(request, false) {
            run_with(request, program, args, &[rarest_word(&test.printed, tests)], Some(&file));
            coverage::report_lines(report, target, &test.name, &file);
        }
    }
}

fn whole_failure(end: &End, tests: &[Doctest], stderr: &str) -> Option<Failure> {
    match end {
        End::TimedOut => Some(Failure {
            kind: "TimeoutError".to_string(),
            message: "the tests of the documentation took too long".to_string(),
            text: stderr.to_string(),
        }),
        End::Exit(0) => None,
        _ if tests.iter().any(|test| test.status == "failed") => None,
        _ => Some(Failure {
            kind: "CompileError".to_string(),
            message: stderr.lines().find(|line| line.starts_with("error")).unwrap_or("rustdoc failed").to_string(),
            text: stderr.to_string(),
        }),
    }
}

fn kind_of(text: &str) -> String {
    let compiled = text.contains("Test executable failed") || text.contains("panicked at");
    let kind = if compiled || !text.contains("error") { "" } else { "CompileError" };
    kind.to_string()
}

fn find_target(request: &Request, path: &str) -> TargetKey {
    let text = fs::read_to_string(request.report.join("folders.txt")).unwrap_or_default();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() == 4 && path.strip_prefix("doc:") == Some(fields[2]) {
            return (fields[1].to_string(), path.to_string());
        }
    }
    (String::new(), path.to_string())
}

/// rustdoc takes parts of names; what else they let in is left out of the report. It splits each at its spaces, so that
/// a whole name, with its dash, would let in every test.
fn filters(request: &Request, target: &TargetKey) -> Vec<String> {
    let words: Vec<String> = match request.kind {
        Kind::All => Vec::new(),
        Kind::Tests => request.tests.get(target).map_or(Vec::new(), |names| names.iter().map(|name| word_of(name)).collect()),
        Kind::Files if request.files.contains(&target.1) => Vec::new(),
        Kind::Files => request.files.iter().map(|file| longest_word(file)).collect(),
    };
    if words.len() < 50 { words } else { Vec::new() }
}

/// Of the item, if there is one: its name tells more than the file's.
fn word_of(name: &str) -> String {
    let base = base_of(name);
    let item = base.find(" - ").map_or("", |at| base[at + 3..].trim());
    longest_word(if item.is_empty() { &base } else { item })
}

fn longest_word(text: &str) -> String {
    text.split_whitespace().max_by_key(|word| word.len()).unwrap_or("").to_string()
}

/// The word of a printed name that the fewest of the names hold; the line's is `12)`.
fn rarest_word(printed: &str, tests: &[Doctest]) -> String {
    let place = &printed[..printed.rfind(')').map_or(printed.len(), |at| at + 1)];
    let words = place.split_whitespace().filter(|word| word.len() > 1 && *word != "(line");
    let count = |word: &str| tests.iter().filter(|test| test.printed.contains(word)).count();
    words.min_by_key(|word| count(word)).unwrap_or("").to_string()
}

/// Without the number that tells two of one place apart.
fn base_of(name: &str) -> String {
    match name.rfind(" #") {
        Some(at) if name[at + 2..].chars().all(|each| each.is_ascii_digit()) => name[..at].to_string(),
        _ => name.to_string(),
    }
}

fn is_wanted(request: &Request, target: &TargetKey, test: &Doctest) -> bool {
    match request.kind {
        Kind::All => true,
        Kind::Tests => request.tests.get(target).map_or(false, |names| names.contains(&test.name)),
        Kind::Files => request.files.iter().any(|file| *file == target.1 || test.name.starts_with(&format!("{} - ", file))),
    }
}

fn read(stdout: &str) -> Vec<Doctest> {
    let mut tests: Vec<(String, usize, String, &'static str)> = Vec::new();
    for line in stdout.lines() {
        let rest = match line.strip_prefix("test ") {
            Some(rest) => rest,
            None => continue,
        };
        let end = match rest.rfind(" ... ") {
            Some(end) => end,
            None => continue,
        };
        let status = match rest[end + 5..].split(|each: char| !each.is_alphanumeric()).next() {
            Some("ok") => "passed",
            Some("ignored") => "skipped",
            Some("FAILED") => "failed",
            _ => continue,
        };
        let printed = rest[..end].to_string();
        let at = printed.rfind(" (line ").unwrap_or_else(|| printed.len());
        let digits: String = printed[at..].chars().filter(|each| each.is_ascii_digit()).collect();
        tests.push((printed[..at].trim_end().to_string(), digits.parse().unwrap_or(0), printed, status));
    }
    tests.sort();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let name = |base: String, seen: &mut BTreeMap<String, usize>| {
        let count = seen.entry(base.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { base } else { format!("{} #{}", base, count) }
    };
    tests
        .into_iter()
        .map(|(base, _, printed, status)| Doctest { name: name(base, &mut seen), printed, status })
        .collect()
}

fn block(stdout: &str, printed: &str) -> String {
    let place = printed.rfind(')').map_or(printed, |at| &printed[..=at]);
    let start = match stdout.find(&format!("---- {}", place)) {
        Some(at) => stdout[at..].find('\n').map_or(stdout.len(), |end| at + end + 1),
        None => return String::new(),
    };
    let rest = &stdout[start..];
    let end = rest.find("\n---- ").or_else(|| rest.find("\nfailures:\n")).unwrap_or_else(|| rest.len());
    rest[..end].to_string()
}
