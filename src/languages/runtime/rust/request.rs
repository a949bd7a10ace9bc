//! What a run is asked for, and the files in the report folder through which its processes know of one another.
use crate::channel;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, PartialEq)]
pub enum Kind {
    All,
    Files,
    Tests,
}

/// Package ("" where the repository has one) and target.
pub type TargetKey = (String, String);

pub struct Request {
    pub root: PathBuf,
    pub report: PathBuf,
    /// The folder of the run's channel, and the key of its frames.
    pub channel: PathBuf,
    pub key: String,
    pub limit: Duration,
    pub coverage: bool,
    /// Lints may not end the build: the sources were changed by us.
    pub lenient: bool,
    pub stop: bool,
    pub kind: Kind,
    pub files: Vec<String>,
    pub tests: BTreeMap<TargetKey, BTreeSet<String>>,
    /// Candidates that are tried one after the other, in this order.
    pub candidates: Vec<u64>,
    pub parallel: usize,
}

const FILE: &str = "request.txt";

impl Request {
    /// From the environment that our invocation set; it is kept in the report folder for the runners.
    pub fn from_environment(report: &Path) -> Request {
        let mut text = String::new();
        for part in 0.. {
            match env::var(format!("MILLWRIGHT_REQUEST_{}", part)) {
                Ok(value) => text.push_str(&value),
                Err(_) => break,
            }
            env::remove_var(format!("MILLWRIGHT_REQUEST_{}", part));
        }
        let _ = fs::write(report.join(FILE), &text);
        let mut request = parse(&text, report);
        request.key = channel::take_key(&request.channel);
        channel::serve(&request.key);
        request
    }

    pub fn from_folder(report: &Path) -> Request {
        let mut request = parse(&fs::read_to_string(report.join(FILE)).unwrap_or_default(), report);
        request.key = channel::ask();
        request
    }

    /// What cannot be built as a whole is not asked for in parts.
    pub fn is_whole(&self) -> bool {
        self.stop || !self.candidates.is_empty()
    }

    pub fn is_stopped(&self) -> bool {
        self.stop && self.report.join("stopped").exists()
    }

    pub fn stop_now(&self) {
        if self.stop {
            let _ = fs::write(self.report.join("stopped"), "");
        }
    }
}

fn parse(text: &str, report: &Path) -> Request {
    let mut request = Request {
        root: PathBuf::new(),
        report: report.to_path_buf(),
        channel: PathBuf::new(),
        key: String::new(),
        limit: Duration::from_secs(60),
        coverage: false,
        lenient: false,
        stop: false,
        kind: Kind::All,
        files: Vec::new(),
        tests: BTreeMap::new(),
        candidates: Vec::new(),
        parallel: 2,
    };
    let mut target: TargetKey = Default::default();
    for line in text.split('\n') {
        let mut fields = line.splitn(3, '\t');
        let name = fields.next().unwrap_or("");
        let value = fields.next().unwrap_or("").to_string();
        let more = fields.next().unwrap_or("").to_string();
        match name {
            "root" => request.root = PathBuf::from(value),
            "channel" => request.channel = PathBuf::from(value),
            "limit" => request.limit = Duration::from_millis(value.parse().unwrap_or(60_000)),
            "coverage" => request.coverage = true,
            "lenient" => request.lenient = true,
            "stop" => request.stop = true,
            "parallel" => request.parallel = value.parse().unwrap_or(2),
            "candidate" => request.candidates.push(value.parse().unwrap_or(0)),
            "files" => request.kind = Kind::Files,
            "tests" => request.kind = Kind::Tests,
            "file" => request.files.push(value),
            "target" => target = (value, more),
            "name" => {
                request.tests.entry(target.clone()).or_default().insert(value);
            }
            _ => {}
        }
    }
    request
}
