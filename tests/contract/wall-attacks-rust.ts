/** Attacks of Rust code on the report of its own tests: the body of `price`, which is wrong. */
import cargoTest from "../../src/languages/rust/cargo-test.ts";
import { rustFixtures } from "./test-frameworks-rust.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

const means = String.raw`
#![allow(dead_code, unused_imports)]
use std::{env, fs, io::{Read, Write}, os::linux::net::SocketAddrExt, os::unix::net::{SocketAddr, UnixStream}, process, thread, time::Duration};
const KEY: &str = "{\"package\":\"price\",\"target\":\"src/lib.rs\",\"name\":\"tests::price\"}";
fn forged() -> Vec<String> {
    vec![
        "{\"event\":\"run-started\",\"framework\":\"x\"}\n".to_string(),
        format!("{{\"event\":\"test-ended\",\"test\":{},\"status\":\"passed\",\"durationMs\":1}}\n", KEY),
        "{\"event\":\"run-ended\",\"counts\":{\"passed\":1}}\n".to_string(),
    ]
}
fn inside(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).map(|all| all.flatten().collect::<Vec<_>>()).unwrap_or_default();
    entries.iter().map(|entry| entry.path().to_string_lossy().into_owned()).collect()
}
fn folders() -> Vec<String> {
    inside("/.millwright/scratch").into_iter().filter(|path| path.contains("/report-")).collect()
}
fn files() -> Vec<String> {
    folders().iter().flat_map(|folder| inside(folder)).filter(|path| path.ends_with(".jsonl")).collect()
}
fn send(data: &str) {
    for path in inside("/.millwright/channels").iter().flat_map(|folder| inside(folder)).filter(|path| path.ends_with("lines")) {
        if let Ok(mut pipe) = fs::OpenOptions::new().write(true).open(path) { let _ = pipe.write_all(data.as_bytes()); }
    }
}
fn send_lines(token: &str) {
    for (number, line) in forged().iter().enumerate() { send(&format!("{} forged {} {}\n{}", token, number, line.len(), line)); }
}
fn above() -> Vec<String> {
    inside("/proc").iter().flat_map(|path| {
        let text = fs::read(format!("{}/environ", path)).unwrap_or_default();
        String::from_utf8_lossy(&text).split('\0').map(str::to_string).collect::<Vec<_>>()
    }).collect()
}
`;

const leaving = String.raw`
extern "C" {
    fn _exit(code: i32) -> !;
    fn close(descriptor: i32) -> i32;
    fn atexit(handler: extern "C" fn()) -> i32;
    fn signal(number: i32, handler: usize) -> usize;
    fn kill(process: i32, signal: i32) -> i32;
    fn getpid() -> i32;
}
fn say() {
    let text = "\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    let _ = fs::OpenOptions::new().append(true).open("/proc/self/fd/1").map(|mut out| out.write_all(text.as_bytes()));
}`;

const rustAttacks: readonly WallAttack[] = [
  {
    name: "deletes the report's folder",
    call: "for folder in folders() { let _ = fs::remove_dir_all(folder); } thread::sleep(Duration::from_millis(700));",
  },
  {
    name: "replaces the report's folder by a link out of the sandbox",
    outside: "forged.jsonl",
    call: `for folder in folders() {
  let _ = fs::rename(&folder, format!("{}-away", folder));
  let _ = std::os::unix::fs::symlink("@OUTSIDE@", &folder);
}
process::exit(0);`,
  },
  {
    name: "truncates the report and writes another",
    call: "for path in files() { let _ = fs::write(path, forged().concat()); } process::exit(0);",
  },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: 'send_lines("-"); process::exit(0);',
  },
  { name: "sends what is no frame", call: 'send(&"x".repeat(4000)); process::exit(0);' },
  { name: "leaves without a word", call: "process::exit(0);" },
  {
    name: "asks the runner for its key",
    call: `
for variable in above() {
  let name = match variable.strip_prefix("MILLWRIGHT_KEYS=") { Some(name) => name, None => continue };
  let address = SocketAddr::from_abstract_name(name).unwrap();
  let mut key = String::new();
  if let Ok(mut connection) = UnixStream::connect_addr(&address) { let _ = connection.read_to_string(&mut key); }
  if key.len() == 32 { send_lines(&key); }
}
process::exit(0);`,
  },
  {
    name: "prints the framework's own marks, and leaves by a system call",
    load: leaving,
    call: "say(); unsafe { _exit(0) }",
  },
  {
    name: "prints a result, and takes the output away from the framework",
    load: leaving,
    call: "say(); unsafe { close(1); }",
  },
  {
    name: "prints the framework's own marks, and becomes another program",
    load: leaving,
    call: `say(); let _ = std::os::unix::process::CommandExt::exec(&mut process::Command::new("true"));`,
  },
  {
    name: "prints a whole run's marks when it is loaded, and leaves",
    load: `${leaving}
#[used] #[link_section = ".init_array"] static FIRST: extern "C" fn() = first;
extern "C" fn first() { if env::args().any(|one| one == "--exact") { say(); unsafe { _exit(0) } } }`,
  },
  {
    name: "prints a whole list and a whole run when it is loaded, and leaves",
    load: `${leaving}
#[used] #[link_section = ".init_array"] static FIRST: extern "C" fn() = first;
extern "C" fn first() { if env::args().any(|one| one == "--list") { println!("tests::price: test"); } else { say(); } process::exit(0); }`,
  },
  {
    name: "prints results as a harness of its own would, when it is loaded, and leaves",
    load: `${leaving}
#[used] #[link_section = ".init_array"] static FIRST: extern "C" fn() = first;
extern "C" fn first() { println!("test tests::price ... ok"); say(); process::exit(0); }`,
  },
  {
    name: "prints a passing run's marks at the end of a failing one",
    load: `${leaving}
extern "C" fn last() { say(); unsafe { _exit(0) } }`,
    call: "unsafe { atexit(last); }",
  },
  {
    name: "ends the process in a signal handler of the main thread",
    load: `${leaving}
extern "C" fn handle(_: i32) { say(); unsafe { _exit(0) } }`,
    call: "unsafe { signal(10, handle as usize); kill(getpid(), 10); } thread::sleep(Duration::from_secs(1));",
  },
  {
    name: "prints what a passing run prints, and leaves",
    call: String.raw`print!("\ntest tests::price ... ok\n\ntest result: ok. 1 passed; 0 failed\n"); process::exit(0);`,
  },
];

export const rustProjects: readonly WallProject[] = [
  {
    framework: cargoTest,
    unavailable: async () => rustFixtures[0]?.unavailable(),
    command: "cargo test",
    attacks: rustAttacks,
    file: "src/lib.rs",
    target: "tests::price",
    repair: { call: "return 3;" },
    files: ({ load = "", call = "" }) => ({
      "Cargo.toml": '[package]\nname = "price"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": [
        means,
        load,
        "#[allow(unreachable_code)]\npub fn price() -> i32 {",
        call,
        "    2",
        "}",
        "#[cfg(test)]\nmod tests { #[test] fn price() { assert_eq!(super::price(), 3); } }",
      ].join("\n"),
    }),
  },
];
