//! The lines of `src/languages/report-lines.ts`, each sent at once.
use crate::channel::Channel;
use crate::json::quote;
use crate::request::Request;
use std::collections::BTreeMap;
use std::sync::Mutex;

pub struct Failure {
    pub kind: String,
    pub message: String,
    pub text: String,
}

pub struct Report {
    state: Mutex<State>,
}

struct State {
    channel: Channel,
    counts: BTreeMap<&'static str, usize>,
}

/// Characters of a failure's text; `parse` reads the panic out of it and shortens it further.
const LONGEST: usize = 64 * 1024;

impl Report {
    pub fn open(request: &Request) -> Report {
        let channel = Channel::open(&request.channel, &request.key);
        let report = Report { state: Mutex::new(State { channel, counts: BTreeMap::new() }) };
        report.write(r#"{"event":"run-started","framework":"cargo-test"}"#);
        report
    }

    fn write(&self, line: &str) {
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        state.channel.send(&format!("{}\n", line));
    }

    pub fn found(&self, keys: &[String]) {
        for part in keys.chunks(500) {
            self.write(&format!(r#"{{"event":"tests-found","tests":[{}]}}"#, part.join(",")));
        }
    }

    pub fn started(&self, key: &str) {
        self.write(&format!(r#"{{"event":"test-started","test":{}}}"#, key));
    }

    pub fn ended(&self, key: &str, status: &'static str, millis: u128, failure: Option<&Failure>) {
        let failure = failure.map_or(String::new(), |one| format!(r#","failure":{}"#, failure_text(one)));
        let line = format!(
            r#"{{"event":"test-ended","test":{},"status":"{}","durationMs":{}{}}}"#,
            key, status, millis, failure
        );
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        *state.counts.entry(status).or_insert(0) += 1;
        state.channel.send(&format!("{}\n", line));
    }

    pub fn target_failed(&self, package: &str, target: &str, failure: &Failure) {
        self.write(&format!(
            r#"{{"event":"target-failed","package":{},"target":{},"failure":{}}}"#,
            quote(package),
            quote(target),
            failure_text(failure)
        ));
    }

    /// `lines` by file; `test` is `null` for what belongs to the whole target.
    pub fn covered(&self, test: &str, target: &(String, String), lines: &BTreeMap<String, String>) {
        let files: Vec<String> =
            lines.iter().map(|(file, ranges)| format!("{}:{}", quote(file), quote(ranges))).collect();
        self.write(&format!(
            r#"{{"event":"coverage","test":{},"package":{},"target":{},"lines":{{{}}}}}"#,
            test,
            quote(&target.0),
            quote(&target.1),
            files.join(",")
        ));
    }

    /// Ends the report; true when no test failed.
    pub fn close(self) -> bool {
        let state = self.state.into_inner().unwrap_or_else(|error| error.into_inner());
        let counts: Vec<String> =
            state.counts.iter().map(|(status, count)| format!(r#""{}":{}"#, status, count)).collect();
        let line = format!("{{\"event\":\"run-ended\",\"counts\":{{{}}}}}\n", counts.join(","));
        let mut channel = state.channel;
        channel.send(&line);
        !state.counts.contains_key("failed") && !state.counts.contains_key("errored")
    }
}

pub fn key_text(target: &(String, String), name: &str) -> String {
    format!(
        r#"{{"package":{},"target":{},"name":{}}}"#,
        quote(&target.0),
        quote(&target.1),
        quote(name)
    )
}

fn failure_text(failure: &Failure) -> String {
    format!(
        r#"{{"type":{},"message":{},"frames":[],"text":{}}}"#,
        quote(&failure.kind),
        quote(&shorten(&failure.message)),
        quote(&shorten(&failure.text))
    )
}

/// Head and tail: a panic's message comes first, the last words of a process last.
pub fn shorten(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_string();
    }
    let head: String = text.chars().take(LONGEST / 2).collect();
    let count = text.chars().count();
    let tail: String = text.chars().skip(count.saturating_sub(LONGEST / 2)).collect();
    format!("{}\n[…]\n{}", head, tail)
}
