//! The run's channel: the frames of `src/languages/report-frames.ts`, and the key that they carry. The process that drives cargo
//! takes the key, and tells it over a socket to those of our programs that cargo starts: never to what tests start.
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::path::Path;
use std::process;
use std::thread;

extern "C" {
    fn socket(domain: i32, kind: i32, protocol: i32) -> i32;
    fn bind(descriptor: i32, address: *const Address, length: u32) -> i32;
    fn listen(descriptor: i32, backlog: i32) -> i32;
    fn accept(descriptor: i32, address: *mut Address, length: *mut u32) -> i32;
    fn connect(descriptor: i32, address: *const Address, length: u32) -> i32;
    fn getsockopt(descriptor: i32, level: i32, name: i32, value: *mut Peer, length: *mut u32) -> i32;
}

#[repr(C)]
struct Address {
    family: u16,
    path: [u8; 108],
}

#[repr(C)]
struct Peer {
    process: i32,
    user: u32,
    group: u32,
}

const AF_UNIX: i32 = 1;
/// A stream, closed in programs that we start.
const STREAM: i32 = 0o2_000_001;
const SOL_SOCKET: i32 = 1;
const SO_PEERCRED: i32 = 17;
const O_NONBLOCK: i32 = 0o4000;

const LONGEST_FRAME: usize = 4096;
const LONGEST_HEADER: usize = 128;
const KEY_LENGTH: usize = 32;
const NO_KEY: &str = "-";
const KEYS: &str = "MILLWRIGHT_KEYS";

pub struct Channel {
    pipe: File,
    key: String,
    stream: String,
    number: usize,
}

impl Channel {
    pub fn open(folder: &Path, key: &str) -> Channel {
        let pipe = OpenOptions::new().write(true).open(folder.join("lines")).expect("the run's channel");
        Channel { pipe, key: key.to_string(), stream: format!("run-{}", process::id()), number: 0 }
    }

    pub fn send(&mut self, text: &str) {
        for part in text.as_bytes().chunks(LONGEST_FRAME - LONGEST_HEADER) {
            let mut frame = format!("{} {} {} {}\n", self.key, self.stream, self.number, part.len()).into_bytes();
            frame.extend_from_slice(part);
            let _ = self.pipe.write_all(&frame);
            self.number += 1;
        }
    }
}

/// The run's secret, which its first reader gets.
pub fn take_key(folder: &Path) -> String {
    let mut key = [0; KEY_LENGTH];
    let taken = OpenOptions::new()
        .read(true)
        .custom_flags(O_NONBLOCK)
        .open(folder.join("key"))
        .and_then(|mut pipe| pipe.read_exact(&mut key));
    match taken {
        Ok(()) => String::from_utf8_lossy(&key).into_owned(),
        Err(_) => NO_KEY.to_string(),
    }
}

/// Tells the key from now on; the processes that this one starts find out where by their environment.
pub fn serve(key: &str) {
    let mut random = [0; 16];
    if File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut random)).is_err() {
        return;
    }
    let name: String = random.iter().map(|byte| format!("{:02x}", byte)).collect();
    let (address, length) = address_of(&name);
    let listener = unsafe { socket(AF_UNIX, STREAM, 0) };
    if listener < 0 || unsafe { bind(listener, &address, length) } != 0 || unsafe { listen(listener, 16) } != 0 {
        return;
    }
    env::set_var(KEYS, &name);
    let key = key.to_string();
    thread::spawn(move || loop {
        let descriptor = unsafe { accept(listener, std::ptr::null_mut(), std::ptr::null_mut()) };
        if descriptor < 0 {
            break;
        }
        let mut connection = unsafe { File::from_raw_fd(descriptor) };
        if is_ours(&connection) {
            let _ = connection.write_all(key.as_bytes());
        }
    });
}

/// The key, in a program of ours that cargo started.
pub fn ask() -> String {
    let name = match env::var(KEYS) {
        Ok(name) => name,
        Err(_) => return NO_KEY.to_string(),
    };
    env::remove_var(KEYS);
    let (address, length) = address_of(&name);
    let descriptor = unsafe { socket(AF_UNIX, STREAM, 0) };
    if descriptor < 0 {
        return NO_KEY.to_string();
    }
    let mut connection = unsafe { File::from_raw_fd(descriptor) };
    let mut key = [0; KEY_LENGTH];
    if unsafe { connect(descriptor, &address, length) } != 0 || connection.read_exact(&mut key).is_err() {
        return NO_KEY.to_string();
    }
    String::from_utf8_lossy(&key).into_owned()
}

/// A name that no file system has: tests cannot take it away.
fn address_of(name: &str) -> (Address, u32) {
    let mut path = [0; 108];
    path[1..=name.len()].copy_from_slice(name.as_bytes());
    (Address { family: AF_UNIX as u16, path }, 3 + name.len() as u32)
}

/// The process at the other end runs our program, and none of ours stands between it and this one: cargo started it. One that
/// tests start has our runner above it, or has lost its parents.
fn is_ours(connection: &File) -> bool {
    let mut peer = Peer { process: 0, user: 0, group: 0 };
    let mut length = 12;
    let asked = unsafe { getsockopt(connection.as_raw_fd(), SOL_SOCKET, SO_PEERCRED, &mut peer, &mut length) };
    let own = process::id() as i32;
    if asked != 0 || peer.process == 0 || !runs_ours(peer.process) {
        return false;
    }
    let mut above = parent_of(peer.process);
    while above > 1 && above != own {
        if runs_ours(above) {
            return false;
        }
        above = parent_of(above);
    }
    above == own
}

fn runs_ours(process: i32) -> bool {
    match (fs::metadata("/proc/self/exe"), fs::metadata(format!("/proc/{}/exe", process))) {
        (Ok(own), Ok(other)) => own.dev() == other.dev() && own.ino() == other.ino(),
        _ => false,
    }
}

fn parent_of(process: i32) -> i32 {
    let text = fs::read_to_string(format!("/proc/{}/stat", process)).unwrap_or_default();
    // The program's name stands in parentheses and may hold anything.
    let rest = text.rsplit(')').next().unwrap_or("");
    rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok()).unwrap_or(0)
}
