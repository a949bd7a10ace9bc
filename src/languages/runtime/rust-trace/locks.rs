//! Types whose own words for a value may take a lock of the program, or wait for one: they are shown without those words, so that the
//! program finds each lock as it left it. What the sources say of them comes by their names; others are met when their words begin.
use crate::list::List;
use std::env;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Numbers of the entries of `MILLWRIGHT_TRACE_LOCKS`, in their order: `Mutex` and `dyn Debug` of whatever crate, `~Shape` and
/// `~dyn Shape` of the program's own crates, which are `::app`.
static NAMES: AtomicPtr<List<u64>> = AtomicPtr::new(ptr::null_mut());

/// Powers of two, and how many types of dependencies are remembered.
const PLACES: usize = 2048;
const BITS: usize = 4096;
const MET: usize = 256;
/// Bits of the numbers' ends: most names are none of these.
static ENDS: [AtomicU64; BITS / 64] = {
    const EMPTY: AtomicU64 = AtomicU64::new(0);
    [EMPTY; BITS / 64]
};
/// Names of types that are none of these, by where they are in memory.
static HARMLESS: [AtomicUsize; PLACES] = {
    const EMPTY: AtomicUsize = AtomicUsize::new(0);
    [EMPTY; PLACES]
};
/// Numbers of the names of types that were met.
static KNOWN: [AtomicU64; MET] = {
    const EMPTY: AtomicU64 = AtomicU64::new(0);
    [EMPTY; MET]
};

/// Before anything is shown.
pub fn read_names() {
    let mut names = List::new();
    for name in env::var("MILLWRIGHT_TRACE_LOCKS").unwrap_or_default().split(',') {
        let number = number_of(["", "", name]);
        let (place, bit) = end_of(number);
        place.fetch_or(bit, Ordering::Relaxed);
        names.push(number);
    }
    names.sort_unstable();
    NAMES.store(Box::into_raw(Box::new(names)), Ordering::Release);
}

fn number_of(parts: [&str; 3]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325;
    for part in parts.iter() {
        for byte in part.bytes() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    sum
}

fn end_of(number: u64) -> (&'static AtomicU64, u64) {
    let at = (number >> 20) as usize & (BITS - 1);
    (&ENDS[at / 64], 1 << (at % 64))
}

fn is_listed(parts: [&str; 3]) -> bool {
    let number = number_of(parts);
    let (place, bit) = end_of(number);
    if place.load(Ordering::Relaxed) & bit == 0 {
        return false;
    }
    // It is made once and lives as long as the process.
    let names = unsafe { NAMES.load(Ordering::Acquire).as_ref() };
    names.map_or(false, |names| names.binary_search(&number).is_ok())
}

/// Whether the words of values of the type are not to be asked for.
pub fn locks(name: &'static str) -> bool {
    let key = key_of(name);
    let place = place_of(key);
    if place.load(Ordering::Relaxed) == key {
        return false;
    }
    let number = number_of(["", "", name]);
    let found = any_part(name, is_listed_part) || KNOWN.iter().any(|known| known.load(Ordering::Relaxed) == number);
    if !found {
        place.store(key, Ordering::Relaxed);
    }
    found
}

fn key_of(name: &'static str) -> usize {
    name.as_ptr() as usize ^ name.len().rotate_right(12)
}

fn place_of(key: usize) -> &'static AtomicUsize {
    &HARMLESS[((key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (PLACES - 1)]
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// A name in a type's, with the crate that its path begins with; before that of a trait's object stands `dyn `.
struct Part<'a> {
    before: &'static str,
    root: &'a str,
    word: &'a str,
}

/// Whether one of the parts of a type's name is so: of `alloc::sync::Arc<std::sync::Mutex<u8>>`, `dyn app::Shape`.
fn any_part(name: &str, is_so: fn(&Part<'_>) -> bool) -> bool {
    let bytes = name.as_bytes();
    let mut before = "";
    let mut root = "";
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        let word = &name[start..at];
        if word.is_empty() {
            if bytes[at] != b':' && bytes[at] != b' ' {
                before = "";
            }
            at += 1;
        } else if word == "dyn" {
            before = "dyn ";
        } else {
            if !name[..start].ends_with("::") {
                root = word;
            }
            if is_so(&Part { before, root, word }) {
                return true;
            }
        }
    }
    false
}

fn is_listed_part(part: &Part<'_>) -> bool {
    is_listed(["", part.before, part.word]) || (is_listed(["~", part.before, part.word]) && is_own(part))
}

fn is_own(part: &Part<'_>) -> bool {
    is_listed(["::", "", part.root])
}

/// Whether what shows a value of the type `of` writes the name of one of these first. What the program's own types hold is known from the
/// sources, unless it is hidden behind a trait; and variants have names of types.
pub fn is_name(text: &str, of: &str) -> bool {
    text.as_bytes().first().map_or(false, u8::is_ascii_uppercase)
        && text.bytes().all(is_word)
        && (is_listed(["", "", text])
            || (is_listed(["~", "", text]) && (!any_part(of, is_own) || any_part(of, |part| part.before == "dyn "))))
}

/// Words of a value of the type led to a lock.
pub fn meet(name: &'static str) {
    let number = number_of(["", "", name]);
    for known in KNOWN.iter() {
        let earlier = known.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        if earlier.map_or_else(|earlier| earlier == number, |_| true) {
            break;
        }
    }
    let key = key_of(name);
    let _ = place_of(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
}
