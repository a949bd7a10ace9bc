//! What is spawned knows the call that spawned it.
use crate::local::{self, Busy, Origin};
use crate::output;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

fn origin() -> Option<Origin> {
    if output::is_off() || local::is_busy() {
        return None;
    }
    let _busy = Busy::set();
    let output = output::get()?;
    local::with(|local| {
        let call = match local.frames.len() {
            0 => local.base_from,
            count => {
                local.materialise(output, count - 1, false);
                local.frames[count - 1].call
            }
        };
        Origin { call, test: local.test }
    })
}

/// While it lives, the thread's calls come from the origin.
struct Adopted(Option<(usize, u64, Option<&'static str>)>, u64);

impl Adopted {
    fn new(origin: &Option<Origin>, task: u64) -> Adopted {
        let _busy = Busy::set();
        match origin {
            Some(origin) => local::with(|local| {
                let earlier_task = local.task;
                local.task = task;
                Adopted(Some(local.adopt(origin)), earlier_task)
            })
            .unwrap_or(Adopted(None, 0)),
            None => Adopted(None, 0),
        }
    }
}

impl Drop for Adopted {
    fn drop(&mut self) {
        if let Some(earlier) = self.0.take() {
            let _busy = Busy::set();
            let task = self.1;
            local::with(|local| {
                local.task = task;
                local.leave(earlier);
            });
        }
    }
}

/// The same closure, for another thread.
pub fn inherit<F, R>(run: F) -> impl FnOnce() -> R
where
    F: FnOnce() -> R,
{
    let origin = origin();
    move || {
        let _adopted = Adopted::new(&origin, 0);
        run()
    }
}

pub struct Inherited<F> {
    origin: Option<Origin>,
    task: u64,
    inner: F,
}

/// The same future, as a task of its own.
pub fn inherit_task<F: Future>(inner: F) -> Inherited<F> {
    let origin = origin();
    let task = match origin {
        Some(_) => output::get().map_or(0, |output| output.next_task()),
        None => 0,
    };
    Inherited { origin, task, inner }
}

impl<F: Future> Future for Inherited<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Only `inner` is pinned; it is never moved.
        let this = unsafe { self.get_unchecked_mut() };
        let _adopted = Adopted::new(&this.origin, this.task);
        unsafe { Pin::new_unchecked(&mut this.inner) }.poll(context)
    }
}
