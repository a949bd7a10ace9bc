//! A process with a limit of time, in a group of its own that ends with it, and bounded output.
use crate::watch::{self, Manner, Watch};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::{Duration, Instant};

extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    fn setpgid(process: i32, group: i32) -> i32;
}

pub enum End {
    Exit(i32),
    Signal(i32),
    TimedOut,
    /// It could not be started.
    Unstartable,
}

pub struct Ended {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub millis: u128,
    pub manner: Manner,
}

/// Bytes kept of the head of an output, and as many of its tail.
const KEPT: usize = 256 * 1024;

pub fn run(command: &mut Command, limit: Duration) -> Ended {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    unsafe {
        command.pre_exec(|| {
            setpgid(0, 0);
            watch::ask_to_be_watched();
            Ok(())
        });
    }
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let stderr = format!("{:?} could not be started: {}", command.get_program_text(), error);
            return Ended { end: End::Unstartable, stdout: String::new(), stderr, millis: 0, manner: Manner::Unknown };
        }
    };
    let group = child.id() as i32;
    // It may be one that is watched, whose stops are no ends: the standard library does not wait for it.
    let mut watch = Watch::begin(group);
    let stdout = collect(child.stdout);
    let stderr = collect(child.stderr);
    let mut pause = Duration::from_micros(200);
    let mut status = None;
    while status.is_none() && start.elapsed() < limit {
        status = watch.look();
        if status.is_none() {
            thread::sleep(pause);
            pause = (pause * 3 / 2).min(Duration::from_millis(10));
        }
    }
    unsafe { kill(-group, 9) };
    watch.finish();
    let end = match status.map(ExitStatus::from_raw) {
        None => End::TimedOut,
        Some(status) => match status.code() {
            Some(code) => End::Exit(code),
            None => End::Signal(status.signal().unwrap_or(0)),
        },
    };
    let millis = start.elapsed().as_millis();
    Ended { end, stdout: receive(stdout), stderr: receive(stderr), millis, manner: watch.manner() }
}

trait ProgramText {
    fn get_program_text(&self) -> String;
}

impl ProgramText for Command {
    fn get_program_text(&self) -> String {
        format!("{:?}", self).chars().take(200).collect()
    }
}

/// A process that left the group may hold the pipe open: the reader is left behind then.
fn receive(output: Receiver<Vec<u8>>) -> String {
    let bytes = output.recv_timeout(Duration::from_secs(2)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn collect<R: Read + Send + 'static>(pipe: Option<R>) -> Receiver<Vec<u8>> {
    let (send, received) = channel();
    thread::spawn(move || {
        let mut head: Vec<u8> = Vec::new();
        let mut tail: Vec<u8> = Vec::new();
        let mut buffer = vec![0; 16 * 1024];
        if let Some(mut pipe) = pipe {
            while let Ok(count) = pipe.read(&mut buffer) {
                if count == 0 {
                    break;
                }
                let part = &buffer[..count];
                if head.len() < KEPT {
                    head.extend_from_slice(part);
                } else {
                    tail.extend_from_slice(part);
                    if tail.len() > 2 * KEPT {
                        tail.drain(..tail.len() - KEPT);
                    }
                }
            }
        }
        head.extend_from_slice(&tail);
        let _ = send.send(head);
    });
    received
}
