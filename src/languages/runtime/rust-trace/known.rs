//! Types by what they are at run time: a generic function shows a value in the way in which its type was shown before. What is generic
//! here is compiled for each type of each traced crate: it hands on what is of the type, and does no more.
use crate::list::{List, Text};
use crate::locks::locks;
use crate::value::{debug, Value};
use std::any::{type_name, TypeId};
use std::fmt::{Debug, Formatter, Write};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Shows the value behind the reference at this place.
pub type Shows = unsafe fn(*const ()) -> Value;

struct Known {
    type_id: TypeId,
    shows: Shows,
}

/// A power of two.
const PLACES: usize = 4096;
static TABLE: [AtomicPtr<Known>; PLACES] = {
    const EMPTY: AtomicPtr<Known> = AtomicPtr::new(ptr::null_mut());
    [EMPTY; PLACES]
};

/// Which type it is, its lifetimes aside, and references to it, and mutable ones.
fn identities<T: ?Sized>() -> [TypeId; 3] {
    trait Identified {
        fn identities(&self) -> [TypeId; 3]
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identified for PhantomData<T> {
        fn identities(&self) -> [TypeId; 3]
        where
            Self: 'static,
        {
            [TypeId::of::<T>(), TypeId::of::<&T>(), TypeId::of::<&mut T>()]
        }
    }
    let phantom = PhantomData::<T>;
    let object: &dyn Identified = &phantom;
    // Nothing of the type's lifetimes is used.
    unsafe { mem::transmute::<&dyn Identified, &(dyn Identified + 'static)>(object) }.identities()
}

struct Folding(u64);

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, number: u64) {
        self.0 ^= number;
    }
}

/// The place of a type, or the one where it would be; none where the table is nearly full.
fn place_of(type_id: TypeId) -> Option<(&'static AtomicPtr<Known>, Option<&'static Known>)> {
    let mut folding = Folding(0);
    type_id.hash(&mut folding);
    let number = folding.finish();
    let first = (number ^ (number >> 32)) as usize;
    for step in 0..32 {
        let place = &TABLE[first.wrapping_add(step) & (PLACES - 1)];
        // What is once in the table stays as it is.
        let known = unsafe { place.load(Ordering::Acquire).as_ref() };
        match known {
            Some(known) if known.type_id != type_id => {}
            known => return Some((place, known)),
        }
    }
    None
}

fn learn_one(type_id: TypeId, shows: Shows) {
    if let Some((place, None)) = place_of(type_id) {
        let mut kept = List::new();
        kept.push(Known { type_id, shows });
        let made = kept.as_mut_ptr();
        // Where another thread is faster, its entry says the same, or is another type's: this one is learned the next time.
        if place.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            mem::forget(kept);
        }
    }
}

/// Values of this type, and references to them, are shown so from now on.
pub fn learn<T: ?Sized>(direct: Shows, behind: Shows) {
    learn_three(identities::<T>(), direct, behind);
}

fn learn_three(own: [TypeId; 3], direct: Shows, behind: Shows) {
    if let Some((_, None)) = place_of(own[0]) {
        learn_one(own[0], direct);
        learn_one(own[1], behind);
        learn_one(own[2], behind);
    }
}

unsafe fn shows<T: ?Sized + Debug>(place: *const ()) -> Value {
    text_of(*(place as *const &T))
}

/// A place that holds a reference to a reference.
unsafe fn shows_behind<T: ?Sized + Debug>(place: *const ()) -> Value {
    text_of(**(place as *const &&T))
}

fn text_of<T: ?Sized + Debug>(value: &T) -> Value {
    let name = type_name::<T>();
    if locks(name) {
        return Value::Type(name);
    }
    text_or_bytes(bytes_of(&value), &value, name)
}

fn text_or_bytes(bytes: Option<&[u8]>, value: &dyn Debug, name: &'static str) -> Value {
    match bytes {
        Some(bytes) => Value::Text(show_bytes(bytes), 0),
        None => debug(value, name),
    }
}

pub fn learn_debug<T: ?Sized + Debug>() {
    learn::<T>(shows::<T>, shows_behind::<T>);
}

/// As `Debug` shows it, or as bytes; its type is known from now on.
pub fn debug_of<T: ?Sized + Debug>(value: &T) -> Value {
    if locks(type_name::<T>()) {
        return any(value);
    }
    learn_debug::<T>();
    text_or_bytes(bytes_of(&value), &value, type_name::<T>())
}

/// A value of whatever type: as its type was shown before, else by its type's name.
pub fn any<T: ?Sized>(value: &T) -> Value {
    // A type with a size of 0 has one value, which its name says: functions, closures that hold nothing, marks.
    let is_thin = mem::size_of::<&T>() == mem::size_of::<usize>();
    let is_name = is_thin && mem::size_of_val(value) == 0;
    unsafe { any_at(&value as *const &T as *const (), identities::<T>()[0], type_name::<T>(), is_name) }
}

/// A reference to a value of the type is at the place.
unsafe fn any_at(place: *const (), type_id: TypeId, name: &'static str, is_name: bool) -> Value {
    match place_of(type_id) {
        // It was learned for this very type.
        Some((_, Some(known))) => (known.shows)(place),
        _ if is_name => Value::Text(Text::from(name), 0),
        _ => Value::Type(name),
    }
}

macro_rules! learn_all {
    ($($type:ty,)*) => {
        $(learn_debug::<$type>();)*
    };
}

/// What it is asked for.
unsafe fn shows_formatter(place: *const ()) -> Value {
    let asked = *(place as *const &Formatter<'_>);
    let mut text = Text::from("Formatter {");
    let _ = write!(text, " width: {:?}, precision: {:?}", asked.width(), asked.precision());
    let _ = write!(text, ", alternate: {}, sign_plus: {} }}", asked.alternate(), asked.sign_plus());
    Value::Text(text, 0)
}

unsafe fn shows_formatter_behind(place: *const ()) -> Value {
    shows_formatter(*(place as *const *const ()))
}

/// What nearly every program puts into its generic types.
pub fn learn_plain() {
    learn::<Formatter<'static>>(shows_formatter, shows_formatter_behind);
    learn_all! {
        &'static str, (), bool, char, str, String, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64,
        Box<str>, [u8], Vec<u8>, Vec<String>, Vec<&'static str>, [&'static str], [String],
        Vec<u32>, Vec<i32>, Vec<usize>, [u32], [i32], Option<String>, Option<&'static str>, Option<u8>, Option<u32>,
        Option<i32>, Option<usize>, Option<char>, (usize, usize), (i32, i32), (&'static str, &'static str),
        std::ffi::OsStr, std::ffi::OsString, std::path::Path, std::path::PathBuf, std::time::Duration,
        std::time::Instant, std::io::Error, std::fmt::Error, std::convert::Infallible,
    }
}

/// The bytes of what is a list of bytes, in whatever form.
pub fn bytes_of<'a, T: ?Sized>(value: &'a &'a T) -> Option<&'a [u8]> {
    let place = value as *const &T as *const ();
    unsafe { bytes_at(place, identities::<T>()[0], type_name::<T>(), mem::size_of_val::<T>(value)) }
}

/// A reference to a value of the type is at the place, so what is there is known.
unsafe fn bytes_at<'a>(place: *const (), type_id: TypeId, name: &str, size: usize) -> Option<&'a [u8]> {
    if type_id == TypeId::of::<[u8]>() {
        Some(*(place as *const &[u8]))
    } else if type_id == TypeId::of::<&[u8]>() || type_id == TypeId::of::<&mut [u8]>() {
        Some(**(place as *const &&[u8]))
    } else if type_id == TypeId::of::<Vec<u8>>() {
        Some(&**(place as *const &Vec<u8>))
    } else if type_id == TypeId::of::<&Vec<u8>>() || type_id == TypeId::of::<&mut Vec<u8>>() {
        Some(&***(place as *const &&Vec<u8>))
    } else if name.starts_with("[u8; ") {
        Some(std::slice::from_raw_parts(*(place as *const *const u8), size))
    } else {
        None
    }
}

/// So many bytes are shown of a list.
const SHOWN_BYTES: usize = 64;

/// `b"GET /\r\n"`, and how many there are where they are too many.
pub fn show_bytes(bytes: &[u8]) -> Text {
    let mut text = Text::from("b\"");
    for byte in bytes.iter().take(SHOWN_BYTES) {
        for each in std::ascii::escape_default(*byte) {
            text.push(each as char);
        }
    }
    text.push('"');
    if bytes.len() > SHOWN_BYTES {
        let _ = write!(text, "… ({} bytes)", bytes.len());
    }
    text
}
