//! The body of an asynchronous function: on its thread only while it is polled.
use crate::guard::Guard;
use crate::list::{List, Text};
use crate::line::push_number;
use crate::local::{Busy, Frame};
use crate::output;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Says what type a body returns; never called.
pub fn never<T>() -> T {
    unreachable!()
}

pub struct Polled<F, R> {
    guard: Guard,
    /// Its frame while it waits; elsewhere in memory, since the size of a future is seen by who holds it.
    waiting: List<Frame>,
    show: Option<R>,
    inner: F,
}

pub fn poll<F, R>(guard: Guard, inner: F, show: R) -> Polled<F, R>
where
    F: Future,
    R: FnOnce(&Guard, &F::Output),
{
    Polled { guard, waiting: List::new(), show: Some(show), inner }
}

/// Ends the call where the poll panics.
struct Polling<'a>(&'a Guard);

impl<'a> Drop for Polling<'a> {
    fn drop(&mut self) {
        if !self.0.is_idle() && self.0.is_unwinding() {
            self.0.finish();
        }
    }
}

fn tell(kind: &str, call: u64) {
    if let (Some(output), true) = (output::get(), call != 0) {
        let mut line = Text::from("{\"k\":\"");
        line.push_str(kind);
        line.push_str("\",");
        push_number(&mut line, "c", call);
        line.push(',');
        push_number(&mut line, "at", output.now());
        line.push_str("}\n");
        output.write(&line);
    }
}

impl<F, R> Future for Polled<F, R>
where
    F: Future,
    R: FnOnce(&Guard, &F::Output),
{
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Only `inner` is pinned; it is never moved.
        let this = unsafe { self.get_unchecked_mut() };
        if let Some(frame) = this.waiting.pop() {
            let _busy = Busy::set();
            tell("wake", frame.call);
            this.guard.put(frame);
        }
        let polling = Polling(&this.guard);
        let polled = unsafe { Pin::new_unchecked(&mut this.inner) }.poll(context);
        std::mem::forget(polling);
        match polled {
            Poll::Ready(value) => {
                if let Some(show) = this.show.take() {
                    show(&this.guard, &value);
                }
                if !this.guard.is_idle() {
                    this.guard.finish();
                }
                Poll::Ready(value)
            }
            Poll::Pending => {
                let _busy = Busy::set();
                if let Some(frame) = this.guard.take() {
                    tell("wait", frame.call);
                    this.waiting.push(frame);
                }
                Poll::Pending
            }
        }
    }
}

impl<F, R> Drop for Polled<F, R> {
    fn drop(&mut self) {
        if let Some(frame) = self.waiting.pop() {
            let _busy = Busy::set();
            if let Some(output) = output::get() {
                self.guard.tell_end(output, frame, false);
            }
        }
    }
}
