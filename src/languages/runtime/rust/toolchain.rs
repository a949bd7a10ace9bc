//! The project's cargo: which one, and what it is started with.
use crate::request::Request;
use std::cell::Cell;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub struct Toolchain {
    programs: PathBuf,
    report: PathBuf,
    program: Vec<String>,
    host: String,
    /// The toolchain that stands in for one that the project names and the machine has not.
    instead: Option<String>,
    lenient: bool,
    offline: Cell<bool>,
}

fn text_of(output: std::io::Result<Output>) -> String {
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

fn works(program: &[String], instead: &Option<String>) -> bool {
    let mut command = Command::new(&program[0]);
    command.args(&program[1..]).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(name) = instead {
        command.env("RUSTUP_TOOLCHAIN", name);
    }
    command.status().map(|status| status.success()).unwrap_or(false)
}

impl Toolchain {
    pub fn find(request: &Request, program: &[String]) -> Toolchain {
        let programs = PathBuf::from(env::var_os("MILLWRIGHT_PROGRAMS").unwrap_or_default());
        let version = fs::read_to_string(programs.join("version")).unwrap_or_default();
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or("").to_string();
        Toolchain {
            programs,
            report: request.report.clone(),
            program: program.to_vec(),
            host,
            instead: None,
            lenient: request.lenient || request.coverage,
            offline: Cell::new(true),
        }
    }

    /// Where the toolchain that the project asks for is not there, the machine's own; false where that is no matter.
    pub fn replace(&mut self) -> bool {
        if works(&self.program, &None) {
            return false;
        }
        let names = text_of(Command::new("rustup").args(&["toolchain", "list"]).stdin(Stdio::null()).output());
        let preferred = names.lines().find(|line| line.contains("default")).or_else(|| names.lines().next());
        self.instead = preferred.and_then(|line| line.split_whitespace().next()).map(str::to_string);
        self.program.truncate(1);
        if let Some(ref name) = self.instead {
            eprintln!("The toolchain that the project asks for is not installed: {} is used.", name);
        }
        self.instead.is_some()
    }

    /// Lints may not end builds from now on, in this run and those that follow in its checkout.
    pub fn tolerate_lints(&self) {
        let _ = fs::write(self.lenient_mark(), "");
    }

    /// True once in each checkout, before its first build: a fresh sandbox begins without the patch.
    pub fn begins_checkout(&self) -> bool {
        let mark = self.report.with_file_name("millwright-begun");
        fs::OpenOptions::new().write(true).create_new(true).open(mark).is_ok()
    }

    fn is_lenient(&self) -> bool {
        self.lenient || self.lenient_mark().exists()
    }

    /// In the checkout's folder of reports: other projects share the programs, and a sandbox cannot write to them.
    fn lenient_mark(&self) -> PathBuf {
        self.report.with_file_name("millwright-lenient")
    }

    /// From now on with the network, if there is one; false where that was tried.
    pub fn go_online(&self) -> bool {
        self.offline.replace(false)
    }

    fn command(&self, program: &[String]) -> Command {
        let words = if self.instead.is_some() || program.is_empty() { &self.program[..] } else { program };
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        if let Some(ref name) = self.instead {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
        if self.offline.get() {
            command.env("CARGO_NET_OFFLINE", "true");
        } else {
            command.env("CARGO_NET_RETRY", "1");
        }
        command
    }

    pub fn cargo(&self, program: &[String]) -> Command {
        let mut command = self.command(program);
        command.env(Toolchain::runner_variable(&self.host), self.programs.join("millwright-runner"));
        command.env("MILLWRIGHT_RUSTDOC", env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
        command.env("RUSTDOC", self.programs.join("millwright-rustdoc"));
        command.env("MILLWRIGHT_REPORT", &self.report).env("CARGO_TERM_COLOR", "never");
        if self.is_lenient() {
            command.env("RUSTC_WORKSPACE_WRAPPER", self.programs.join("millwright-rustc"));
        }
        command
    }

    pub fn runner_variable(target: &str) -> String {
        format!("CARGO_TARGET_{}_RUNNER", target.to_uppercase().replace(|each| each == '-' || each == '.', "_"))
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    pub fn runner(&self) -> Command {
        let mut command = Command::new(self.programs.join("millwright-runner"));
        command.env("MILLWRIGHT_REPORT", &self.report);
        command
    }

    /// What `cargo metadata` says; it needs no network without dependencies.
    pub fn metadata(&self, manifest: &[String]) -> String {
        let mut command = self.command(&[]);
        command.args(&["metadata", "--no-deps", "--format-version", "1"]);
        if let Some(path) = manifest.first() {
            command.args(&["--manifest-path", path]);
        }
        text_of(command.stdin(Stdio::null()).stderr(Stdio::inherit()).output())
    }

    /// The exit code where there is no metadata: cargo has said why.
    pub fn explain(&self) -> i32 {
        eprintln!("cargo does not know this folder as a package or workspace.");
        1
    }

    pub fn libraries(&self, program: &str) -> String {
        let folder = Path::new(program).parent().map(|one| one.to_string_lossy().into_owned()).unwrap_or_default();
        let known = env::var("LD_LIBRARY_PATH").unwrap_or_default();
        let mut rustc = Command::new("rustc");
        if let Some(ref name) = self.instead {
            rustc.env("RUSTUP_TOOLCHAIN", name);
        }
        let sysroot = text_of(rustc.args(&["--print", "sysroot"]).stdin(Stdio::null()).output());
        let root = sysroot.trim();
        // In newer toolchains the shared standard library, which crates of procedural macros load, stands with the target alone.
        format!("{}:{}/lib:{}/lib/rustlib/{}/lib:{}", folder, root, root, self.host, known)
    }
}
