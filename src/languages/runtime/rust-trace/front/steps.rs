//! The steps from the fullest way in which a value can be shown to the one that every type has.
use crate::{Guard, Value};
use std::any::type_name;
use std::fmt::{Debug, Display};
use std::ops::Deref;
use std::task::Poll;

/// A step, and the one that it leads to.
macro_rules! step {
    ($(#[$mark:meta])* $from:ident, $to:ident) => {
        $(#[$mark])*
        #[repr(transparent)]
        pub struct $from<'a, T: ?Sized>(pub &'a T);

        impl<'a, T: ?Sized> Deref for $from<'a, T> {
            type Target = $to<'a, T>;
            #[inline]
            fn deref(&self) -> &$to<'a, T> {
                // Both are a reference to the value and nothing else.
                unsafe { &*(self as *const $from<'a, T> as *const $to<'a, T>) }
            }
        }
    };
}

/// What of a type a step asks for, and how it shows a value.
macro_rules! shows {
    ($step:ident, $($bound:path),*; $value:ident => $show:expr) => {
        impl<'a, T: ?Sized $(+ $bound)*> $step<'a, T> {
            pub fn value(&self) -> Value {
                let $value = self.0;
                $show
            }
            /// It is an argument of the call.
            pub fn enters(&self, call: &Guard, name: &'static str) {
                call.argument(name, self.value())
            }
            /// The call ends with it.
            pub fn leaves(&self, call: &Guard) {
                call.show(self.value())
            }
            /// It is what the call made of an argument.
            pub fn after(&self, call: &Guard, name: &'static str) {
                call.after(name, self.value())
            }
        }
    };
}

#[cfg(millwright_serde)]
step!(Of, Own);
#[cfg(millwright_serde)]
shows!(Of, ::serde::Serialize; value => {
    if crate::locks(type_name::<T>()) {
        crate::any(value)
    } else {
        learn_data::<T>();
        data(value)
    }
});
#[cfg(not(millwright_serde))]
pub use self::Own as Of;

// A type of the project with words of its own: its fields where those say only its name, or may take a lock.
step!(
    /// A field of a value begins here: as `Debug` shows it.
    Own, Held
);
shows!(Own, Debug, crate::Show; value => {
    if crate::locks(type_name::<T>()) {
        crate::parts::fields_of(value)
    } else {
        let words = crate::debug_of(value);
        if crate::is_opaque(&words) {
            crate::parts::fields_of(value)
        } else {
            words
        }
    }
});

// A container: what it holds where its own words may take a lock.
step!(Held, Words);
shows!(Held, Debug, crate::Parts; value => {
    if crate::locks(type_name::<T>()) {
        value.millwright_parts()
    } else {
        crate::debug_of(value)
    }
});

#[cfg(millwright_quote)]
step!(Words, Source);
#[cfg(not(millwright_quote))]
step!(Words, Label);
shows!(Words, Debug; value => crate::debug_of(value));

#[cfg(millwright_quote)]
step!(Source, Label);
#[cfg(millwright_quote)]
shows!(Source, ::quote::ToTokens; value => {
    struct Tokens<'b, T: ?Sized>(&'b T);
    impl<'b, T: ?Sized + ::quote::ToTokens> Display for Tokens<'b, T> {
        fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Display::fmt(&self.0.to_token_stream(), out)
        }
    }
    crate::display(&Tokens(value), type_name::<T>())
});

step!(Label, Fields);
shows!(Label, Display; value => {
    if crate::locks(type_name::<T>()) {
        crate::any(value)
    } else {
        crate::display(&value, type_name::<T>())
    }
});

step!(Fields, Bits);
shows!(Fields, crate::Show; value => crate::parts::fields_of(value));

step!(Bits, Name);
shows!(Bits, crate::Parts; value => value.millwright_parts());

pub struct Name<'a, T: ?Sized>(pub &'a T);
shows!(Name,; value => crate::any(value));

step!(
    /// A value that a call ends with.
    Ends, Returns
);
impl<'a, T, E> Ends<'a, Result<T, E>> {
    pub fn failed(&self) -> bool {
        self.0.is_err()
    }
}
impl<'a, T, E> Ends<'a, Poll<Result<T, E>>> {
    pub fn failed(&self) -> bool {
        match self.0 {
            Poll::Ready(Err(_)) => true,
            _ => false,
        }
    }
}
pub struct Returns<'a, T: ?Sized>(pub &'a T);
impl<'a, T: ?Sized> Returns<'a, T> {
    pub fn failed(&self) -> bool {
        false
    }
}

#[cfg(millwright_serde)]
pub(crate) fn learn_data<T: ?Sized + ::serde::Serialize>() {
    unsafe fn shows_data<T: ?Sized + ::serde::Serialize>(place: *const ()) -> Value {
        data(*(place as *const &T))
    }
    unsafe fn shows_data_behind<T: ?Sized + ::serde::Serialize>(place: *const ()) -> Value {
        data(**(place as *const &&T))
    }
    crate::learn::<T>(shows_data::<T>, shows_data_behind::<T>)
}

#[cfg(millwright_serde)]
fn data<T: ?Sized + ::serde::Serialize>(value: &T) -> Value {
    if crate::locks(type_name::<T>()) {
        return Value::Type(type_name::<T>());
    }
    match crate::bytes_of(&value) {
        Some(bytes) => Value::Text(crate::show_bytes(bytes), 0),
        None => crate::json(&mut |limit| crate::document::write(&value, limit), type_name::<T>()),
    }
}
