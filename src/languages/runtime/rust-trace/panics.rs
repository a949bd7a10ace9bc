//! What a panic said: heard through the panic hook, in front of the program's own.
use crate::list::Text;
use crate::local::is_busy;
use std::cell::RefCell;
use std::fmt::Write;
use std::panic;
use std::thread;

pub struct Said {
    pub message: Text,
    pub place: Text,
}

thread_local! {
    static LAST: RefCell<Option<Said>> = RefCell::new(None);
}

pub fn listen() {
    // The hook cannot be changed by a thread that panics.
    if thread::panicking() {
        return;
    }
    let earlier = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // A panic of the code that shows a value is caught, and not the program's.
        if is_busy() {
            return;
        }
        let payload = info.payload();
        let said = payload.downcast_ref::<&'static str>().copied();
        let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("");
        let end = said.char_indices().nth(2_000).map_or(said.len(), |(at, _)| at);
        let message = Text::from(&said[..end]);
        let mut place = Text::new();
        if let Some(at) = info.location() {
            let _ = write!(place, "{}:{}", at.file(), at.line());
        }
        let _ = LAST.try_with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                *last = Some(Said { message, place });
            }
        });
        earlier(info)
    }));
}

/// A panic that was caught is no part of the next.
pub fn forget() {
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = None;
        }
    });
}

pub fn with_last<R>(read: impl FnOnce(Option<&Said>) -> R) -> Option<R> {
    let mut read = Some(read);
    LAST.try_with(|last| last.try_borrow().ok().and_then(|last| read.take().map(|read| read(last.as_ref()))))
        .ok()
        .and_then(|result| result)
}
