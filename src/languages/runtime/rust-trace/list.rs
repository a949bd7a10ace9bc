//! Memory of the system's own: a program's global allocator counts what the program allocates, and nothing of ours.
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::process;
use std::ptr::{self, NonNull};
use std::slice;
use std::str;

/// A `Vec` of the system's memory. Of types with a size only.
pub struct List<T> {
    start: NonNull<T>,
    length: usize,
    room: usize,
}

unsafe impl<T: Send> Send for List<T> {}
unsafe impl<T: Sync> Sync for List<T> {}

impl<T> List<T> {
    pub const fn new() -> List<T> {
        List { start: NonNull::dangling(), length: 0, room: 0 }
    }

    /// So many values of which every byte is 0; only for types that may be that.
    pub(crate) unsafe fn zeroed(length: usize) -> List<T> {
        let place = System.alloc_zeroed(List::<T>::layout(length.max(1)));
        match NonNull::new(place as *mut T) {
            Some(start) => List { start, length, room: length.max(1) },
            None => process::abort(),
        }
    }

    fn layout(room: usize) -> Layout {
        match Layout::array::<T>(room) {
            Ok(layout) => layout,
            Err(_) => process::abort(),
        }
    }

    pub fn reserve(&mut self, more: usize) {
        let wanted = self.length + more;
        if wanted <= self.room {
            return;
        }
        let least = if mem::size_of::<T>() < 64 { 16 } else { 1 };
        let room = wanted.max(self.room * 2).max(least);
        let layout = List::<T>::layout(room);
        // The old place is of the system's allocator too, and as large as `room` says.
        let place = unsafe {
            if self.room == 0 {
                System.alloc(layout)
            } else {
                System.realloc(self.start.as_ptr() as *mut u8, List::<T>::layout(self.room), layout.size())
            }
        };
        match NonNull::new(place as *mut T) {
            Some(start) => self.start = start,
            None => process::abort(),
        }
        self.room = room;
    }

    pub fn push(&mut self, value: T) {
        self.reserve(1);
        unsafe { ptr::write(self.start.as_ptr().add(self.length), value) };
        self.length += 1;
    }

    pub fn pop(&mut self) -> Option<T> {
        if self.length == 0 {
            return None;
        }
        self.length -= 1;
        Some(unsafe { ptr::read(self.start.as_ptr().add(self.length)) })
    }

    pub fn truncate(&mut self, length: usize) {
        while self.length > length {
            drop(self.pop());
        }
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T> Drop for List<T> {
    fn drop(&mut self) {
        self.truncate(0);
        if self.room > 0 {
            unsafe { System.dealloc(self.start.as_ptr() as *mut u8, List::<T>::layout(self.room)) }
        }
    }
}

/// A `String` of the system's memory.
pub struct Text(List<u8>);

impl Text {
    pub const fn new() -> Text {
        Text(List::new())
    }

    pub fn from(text: &str) -> Text {
        let mut made = Text::new();
        made.push_str(text);
        made
    }

    pub fn push_str(&mut self, text: &str) {
        self.0.reserve(text.len());
        unsafe { ptr::copy_nonoverlapping(text.as_ptr(), self.0.start.as_ptr().add(self.0.length), text.len()) };
        self.0.length += text.len();
    }

    pub fn push(&mut self, each: char) {
        self.push_str(each.encode_utf8(&mut [0; 4]));
    }

    /// For as long as the process lives.
    pub fn leak(self) -> &'static str {
        let text = unsafe { str::from_utf8_unchecked(slice::from_raw_parts((self.0).start.as_ptr(), self.0.length)) };
        mem::forget(self);
        text
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        // Only whole texts are put into it.
        unsafe { str::from_utf8_unchecked(&self.0) }
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
