//! Builds by cargo and has the tests run by our runner, which cargo starts as the runner of its target.
use crate::messages::{read_messages, Build};
use crate::report::{Failure, Report};
use crate::request::{Kind, Request};
use crate::targets::{self, Target, Workspace};
use crate::toolchain::Toolchain;
use crate::words::Words;
use std::process::{Command, Stdio};

pub struct Drive<'a> {
    pub request: &'a Request,
    pub toolchain: Toolchain,
    pub workspace: Workspace,
    pub words: Words,
}

/// The exit code: 101 where a test failed or could not be built.
pub fn drive(request: &Request, words: &[String]) -> i32 {
    let words = Words::read(words);
    let manifest = words.values(&["--manifest-path"]);
    let mut toolchain = Toolchain::find(request, &words.program);
    let mut metadata = toolchain.metadata(&manifest);
    if metadata.is_empty() && toolchain.replace() {
        metadata = toolchain.metadata(&manifest);
    }
    let workspace = match targets::read_workspace(request, &metadata) {
        Some(workspace) => workspace,
        None => return toolchain.explain(),
    };
    let drive = Drive { request, toolchain, workspace, words };
    drive.note_folders();
    let report = Report::open(request);
    if request.kind == Kind::Tests {
        report.found(&targets::wanted_keys(request));
    }
    let code = drive.run(&report);
    let passed = report.close();
    if passed { code } else { 101 }
}

impl<'a> Drive<'a> {
    fn run(&self, report: &Report) -> i32 {
        let wanted = match self.workspace.wanted(self.request) {
            None => return self.run_words(&self.words, &self.covered(&self.words), report),
            Some(wanted) => wanted,
        };
        let mut code = 0;
        let (documents, programs): (Vec<Target>, Vec<Target>) =
            wanted.into_iter().partition(|target| target.kind == "doc");
        for group in [programs, documents].iter().filter(|group| !group.is_empty()) {
            let narrow = self.words.narrowed(&self.workspace, group, true);
            let mut ended = self.run_words(&narrow, group, report);
            // Features that other packages ask for can be what makes a test exist.
            if ended == 0 && self.workspace.packages.len() > 1 && !self.request.report.join("selected.txt").exists() {
                let wide = self.words.narrowed(&self.workspace, group, false);
                ended = self.run_words(&wide, group, report);
            }
            code = code.max(ended);
        }
        code
    }

    fn covered(&self, words: &Words) -> Vec<Target> {
        let all = self.workspace.targets.iter();
        all.filter(|target| words.covers(&self.workspace, target)).cloned().collect()
    }

    /// One `cargo test`; where its build fails, what can be built is run all the same.
    fn run_words(&self, words: &Words, expected: &[Target], report: &Report) -> i32 {
        let (mut code, mut build) = self.cargo(words, "test");
        let is_first = self.toolchain.begins_checkout();
        let is_base = (self.request.kind == Kind::All || is_first) && !self.request.is_whole();
        let is_refused = build.failed && build.only_lints() && is_base;
        if is_refused {
            self.toolchain.tolerate_lints();
        }
        if is_refused || (code != 0 && !build.finished && self.toolchain.go_online()) {
            let again = self.cargo(words, "test");
            code = again.0;
            build = again.1;
        }
        if !build.failed {
            return code;
        }
        let broken = build.broken(&self.workspace, expected);
        let whole: Vec<Target> = expected.iter().filter(|target| !broken.contains(target)).cloned().collect();
        if whole.iter().any(|target| target.kind != "doc") && !self.request.is_whole() {
            let (_, rest) = self.cargo(words, "build");
            build.join(rest);
            self.run_programs(&build);
        }
        let documents: Vec<Target> = whole.into_iter().filter(|target| target.kind == "doc").collect();
        let has_documents = !documents.is_empty() && !self.request.is_whole();
        if has_documents {
            self.cargo(&words.narrowed(&self.workspace, &documents, true), "test");
        }
        let mut reported = false;
        for target in expected {
            let (package, path) = self.workspace.key_of(target);
            let is_built = match target.kind.as_str() {
                "doc" => has_documents && documents.contains(target),
                _ => build.has_program(&package, &path),
            };
            if is_built {
                continue;
            }
            report.target_failed(&package, &path, &build.failure(target));
            reported = true;
        }
        if reported || !build.programs.is_empty() { 101 } else { code.max(1) }
    }

    fn cargo(&self, words: &Words, verb: &str) -> (i32, Build) {
        let mut command = self.toolchain.cargo(&words.program);
        for target in words.values(&["--target"]) {
            command.env(Toolchain::runner_variable(&target), self.toolchain.program("millwright-runner"));
        }
        command.arg(verb).arg("--message-format=json");
        if verb == "test" {
            command.arg("--no-fail-fast").args(&words.options).arg("--").args(&words.rest);
        } else {
            command.args(&["--tests", "--keep-going"]).args(words.build_options());
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                eprintln!("cargo could not be started: {}", error);
                return (127, Build::default());
            }
        };
        let build = read_messages(self.request, &self.workspace, child.stdout.take());
        let code = child.wait().ok().and_then(|status| status.code()).unwrap_or(1);
        (code, build)
    }

    /// The built programs with what cargo gives to them.
    fn run_programs(&self, build: &Build) {
        for (program, package, path) in &build.programs {
            let of = |target: &&Target| self.workspace.key_of(target) == (package.clone(), path.clone());
            let target = match self.workspace.targets.iter().find(of) {
                Some(target) => target,
                None => continue,
            };
            let folder = target.folder.to_string_lossy().into_owned();
            let mut command: Command = self.toolchain.runner();
            command.arg(program).args(&self.words.rest).current_dir(&target.folder);
            command.env("CARGO_MANIFEST_DIR", &folder).env("CARGO_PKG_NAME", &target.package);
            command.env("CARGO_PKG_VERSION", &target.version).env("LD_LIBRARY_PATH", self.toolchain.libraries(program));
            let _ = command.stdin(Stdio::null()).status();
        }
    }

    /// Where paths in messages start from.
    fn note_folders(&self) {
        let relative = |folder: &std::path::Path| targets::relative(&self.request.root, &folder.to_string_lossy());
        let mut text = format!("root\t{}\n", relative(&self.workspace.root));
        for target in self.workspace.targets.iter().filter(|target| target.kind != "doc") {
            let (package, path) = self.workspace.key_of(target);
            text.push_str(&format!("target\t{}\t{}\t{}\n", package, path, relative(&target.folder)));
        }
        targets::append(self.request, "folders.txt", &text);
    }
}

/// A failure that every target has which could not be built.
pub fn compile_failure(message: &str, text: &str) -> Failure {
    Failure { kind: "CompileError".to_string(), message: message.to_string(), text: text.to_string() }
}
