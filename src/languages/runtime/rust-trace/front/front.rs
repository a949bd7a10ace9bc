//! What instrumented code names: the runtime, and how a value is shown. Compiled for each set of libraries that a crate knows, since
//! the first of these serves that a value's type has: `Serialize` as JSON, `Debug`, the tokens of a syntax tree, `Display`, its own
//! fields, what a container of the standard library holds; else what is known of the type at run time, or its name. The compiler
//! chooses: it looks for the method of a call in what a step leads to where the type has not what the step's own asks for. That asks
//! for no import, and for one call in the text of a value: what is compiled for each value is what a build takes longer.
extern crate millwright_trace_rt;
pub use millwright_trace_rt::*;
pub use std::fmt::{Debug, Formatter, Result as Told};

#[cfg(millwright_serde)]
extern crate serde;
#[cfg(millwright_serde)]
mod document;
#[cfg(millwright_serde)]
mod serializer;

#[cfg(millwright_quote)]
extern crate quote;

mod parts;
pub use parts::{learn_fields, Parts, Show};
mod steps;
pub use steps::{Ends, Of, Own};

/// Has how a type is shown known when the program begins, for generic code that meets it first: by `fields`, or by the first of its ways.
#[macro_export]
macro_rules! learn {
    (run $learn:expr) => {
        const _: () = {
            extern "C" fn learn() {
                $learn
            }
            #[used]
            #[cfg_attr(any(target_os = "linux", target_os = "freebsd"), link_section = ".init_array")]
            #[cfg_attr(target_os = "macos", link_section = "__DATA,__mod_init_func")]
            static LEARN: extern "C" fn() = learn;
        };
    };
    (fields $type:ty) => {
        $crate::learn! { run $crate::learn_fields::<$type>() }
    };
    ($type:ty) => {
        $crate::learn! { run $crate::types::Type::<$type>::new().learn() }
    };
}

/// How values of a type are shown, by the same steps.
pub mod types {
    use std::fmt::Debug;
    use std::marker::PhantomData;
    use std::ops::Deref;

    macro_rules! type_step {
        ($from:ident, $to:ident) => {
            impl<T: ?Sized> Deref for $from<T> {
                type Target = $to<T>;
                fn deref(&self) -> &$to<T> {
                    &$to(PhantomData)
                }
            }
        };
    }

    pub struct Type<T: ?Sized>(PhantomData<T>);
    impl<T: ?Sized> Type<T> {
        pub fn new() -> Type<T> {
            Type(PhantomData)
        }
    }
    #[cfg(millwright_serde)]
    impl<T: ?Sized + ::serde::Serialize> Type<T> {
        pub fn learn(&self) {
            crate::steps::learn_data::<T>()
        }
    }

    type_step!(Type, WithWords);
    pub struct WithWords<T: ?Sized>(PhantomData<T>);
    impl<T: ?Sized + Debug> WithWords<T> {
        pub fn learn(&self) {
            crate::learn_debug::<T>()
        }
    }

    type_step!(WithWords, WithFields);
    pub struct WithFields<T: ?Sized>(PhantomData<T>);
    impl<T: ?Sized + crate::Show> WithFields<T> {
        pub fn learn(&self) {
            crate::parts::learn_fields::<T>()
        }
    }
}
