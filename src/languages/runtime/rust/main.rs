//! The runner of Rust tests, four programs in one, told apart by the name that they are started under.
//! It uses nothing but the standard library, and compiles with old compilers.
mod batch;
mod binary;
mod channel;
mod coverage;
mod doctest;
mod drive;
mod json;
mod messages;
mod process;
mod report;
mod request;
mod runner;
mod targets;
mod toolchain;
mod watch;
mod words;

use request::Request;
use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

fn main() {
    let args: Vec<String> = env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let name = Path::new(&args[0]).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let report = env::var_os("MILLWRIGHT_REPORT").map(PathBuf::from);
    if name == "millwright-runner" && args.len() == 1 {
        return; // shows how a program ends whose `main` returns
    }
    let code = match (name.as_str(), report) {
        ("millwright-rustc", _) => compile_leniently(&args[1..]),
        ("millwright-runner", Some(report)) => runner::run_binary(&Request::from_folder(&report), &args[1..]),
        ("millwright-runner", None) => become_program(&args[1], &args[2..]),
        ("millwright-rustdoc", Some(report)) => document(&report, &args[1..]),
        _ => drive::drive(&Request::from_environment(Path::new(&args[1])), &args[2..]),
    };
    exit(code);
}

fn document(report: &Path, args: &[String]) -> i32 {
    let program = env::var("MILLWRIGHT_RUSTDOC").unwrap_or_else(|_| "rustdoc".to_string());
    match doctest::run_rustdoc(&Request::from_folder(report), &program, args) {
        Some(code) => code,
        None => become_program(&program, args),
    }
}

/// What cargo starts for the workspace's own packages: no lint ends the build.
fn compile_leniently(args: &[String]) -> i32 {
    let mut words = args[1..].to_vec();
    if !words.iter().any(|word| word.starts_with("--cap-lints")) {
        words.extend(vec!["--cap-lints".to_string(), "allow".to_string()]);
    }
    become_program(&args[0], &words)
}

fn become_program(program: &str, args: &[String]) -> i32 {
    let error = Command::new(program).args(args).exec();
    eprintln!("{} could not be started: {}", program, error);
    127
}
