//! What cargo says of a build, line by line in JSON.
use crate::drive::compile_failure;
use crate::json::{self, quote, Value};
use crate::report::Failure;
use crate::request::Request;
use crate::targets::{self, kind_of, Target, Workspace};
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub struct Problem {
    package: String,
    path: String,
    kind: String,
    message: String,
    rendered: String,
    lint: bool,
}

#[derive(Default)]
pub struct Build {
    pub failed: bool,
    /// It came to its end, well or not: otherwise cargo could not begin.
    pub finished: bool,
    /// Program, and the key of its target.
    pub programs: Vec<(String, String, String)>,
    pub problems: Vec<Problem>,
}

pub fn read_messages<R: Read>(request: &Request, workspace: &Workspace, pipe: Option<R>) -> Build {
    let mut build = Build::default();
    let building = Arc::new(AtomicBool::new(true));
    show_life(request, building.clone());
    if let Some(pipe) = pipe {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
            let text = String::from_utf8_lossy(&line).into_owned();
            if text.starts_with("{\"reason\":") {
                if let Some(message) = json::parse(&text) {
                    build.read(request, workspace, &message);
                    if message.get("reason").text() == "build-finished" {
                        building.store(false, Ordering::SeqCst);
                    }
                }
            }
            line.clear();
        }
    }
    building.store(false, Ordering::SeqCst);
    build
}

/// A compiler is quiet for minutes; the report grows all the same, so that nobody takes it for hanging.
fn show_life(request: &Request, building: Arc<AtomicBool>) {
    let path = request.report.join("life.txt");
    thread::spawn(move || {
        use std::io::Write;
        let mut seconds = 0;
        while building.load(Ordering::SeqCst) && seconds < 1800 {
            if seconds % 10 == 0 {
                let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
                let _ = file.and_then(|mut file| file.write_all(b"."));
            }
            thread::sleep(Duration::from_secs(1));
            seconds += 1;
        }
    });
}

impl Build {
    fn read(&mut self, request: &Request, workspace: &Workspace, message: &Value) {
        let target = message.get("target");
        let path = targets::relative(&request.root, target.get("src_path").text());
        let package = package_of(workspace, &path);
        match message.get("reason").text() {
            "compiler-artifact" => {
                let program = message.get("executable").text();
                // One with a harness of its own is no test for the compiler.
                let is_test = message.get("profile").get("test").is_true() || ["test", "bench"].contains(&kind_of(target).as_str());
                if !program.is_empty() && is_test {
                    let key = workspace.key(&package, &path);
                    targets::note(request, program, &key);
                    self.programs.push((program.to_string(), key.0, key.1));
                }
            }
            "compiler-message" => self.read_problem(request, workspace, message, package, path),
            "build-finished" => {
                self.finished = true;
                self.failed = !message.get("success").is_true();
            }
            _ => {}
        }
    }

    fn read_problem(&mut self, request: &Request, workspace: &Workspace, whole: &Value, package: String, path: String) {
        let message = whole.get("message");
        if !message.get("level").text().starts_with("error") {
            return;
        }
        let text = message.get("message").text().to_string();
        if text.starts_with("aborting due to") {
            return;
        }
        let code = message.get("code").get("code").text().to_string();
        if let Some((file, line)) = place_of(message.get("spans").list()) {
            let file = targets::relative(&request.root, &workspace.root.join(&file).to_string_lossy());
            let line = format!(r#"{{"file":{},"line":{},"message":{}}}"#, quote(&file), line, quote(&text));
            targets::append(request, "complaints.txt", &(line + "\n"));
        }
        self.problems.push(Problem {
            package,
            path,
            kind: kind_of(whole.get("target")),
            message: if code.is_empty() { text } else { format!("{} ({})", text, code) },
            rendered: message.get("rendered").text().to_string(),
            lint: !code.is_empty() && !code.starts_with('E'),
        });
    }

    /// What a second build of the same sources says beyond the first.
    pub fn join(&mut self, other: Build) {
        for program in other.programs {
            if !self.programs.contains(&program) {
                self.programs.push(program);
            }
        }
        for problem in other.problems {
            let is_known = |one: &Problem| one.path == problem.path && one.rendered == problem.rendered;
            if !self.problems.iter().any(is_known) {
                self.problems.push(problem);
            }
        }
    }

    /// True where nothing but denied lints stands against the program.
    pub fn only_lints(&self) -> bool {
        !self.problems.is_empty() && self.problems.iter().all(|problem| problem.lint)
    }

    pub fn has_program(&self, package: &str, path: &str) -> bool {
        self.programs.iter().any(|(_, its_package, its_path)| its_package == package && its_path == path)
    }

    /// Of the targets those that cannot be built: they have errors, or a library or build script below them has.
    pub fn broken(&self, workspace: &Workspace, targets: &[Target]) -> Vec<Target> {
        let below = |problem: &Problem| problem.kind == "lib" || problem.kind == "custom-build" || problem.package.is_empty();
        let of = |target: &Target, problem: &Problem| {
            let same = problem.package == target.package;
            let elsewhere = problem.package != target.package && workspace.packages.len() > 1;
            (same && (problem.path == target.path || below(problem))) || (elsewhere && below(problem))
        };
        let is_broken = |target: &&Target| self.problems.is_empty() || self.problems.iter().any(|one| of(target, one));
        targets.iter().filter(is_broken).cloned().collect()
    }

    /// The target's own errors, or those that were in its way.
    pub fn failure(&self, target: &Target) -> Failure {
        let path = target.path.trim_start_matches("doc:");
        let own: Vec<&Problem> = self.problems.iter().filter(|problem| problem.path == path).collect();
        let near: Vec<&Problem> =
            self.problems.iter().filter(|problem| problem.package == target.package && problem.kind == "lib").collect();
        let all: Vec<&Problem> = self.problems.iter().collect();
        let shown = if !own.is_empty() { own } else if !near.is_empty() { near } else { all };
        let text: Vec<&str> = shown.iter().take(10).map(|problem| problem.rendered.as_str()).collect();
        match shown.first() {
            Some(first) => compile_failure(&first.message, &text.join("\n")),
            None => compile_failure("the build failed", "the build failed; what cargo printed says why"),
        }
    }
}

fn package_of(workspace: &Workspace, path: &str) -> String {
    let found = workspace.targets.iter().find(|target| target.path == path);
    found.map_or(String::new(), |target| target.package.clone())
}

/// The primary span; of a macro's the place where the workspace calls it.
fn place_of(spans: &[Value]) -> Option<(String, usize)> {
    fn outermost(mut span: &Value) -> (String, usize) {
        while let Value::Object(_) = span.get("expansion").get("span") {
            span = span.get("expansion").get("span");
        }
        (span.get("file_name").text().to_string(), span.get("line_start").number() as usize)
    }
    let primary = spans.iter().filter(|span| span.get("is_primary").is_true());
    let places: Vec<(String, usize)> = primary.chain(spans.iter()).map(outermost).collect();
    places.iter().find(|(file, _)| !file.starts_with('/')).or_else(|| places.first()).cloned()
}
