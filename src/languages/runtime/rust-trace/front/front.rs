//! What instrumented code names: the runtime, and how a value is shown. Compiled for each set of libraries that a crate knows, since
//! the first of these serves that a value's type has: `Serialize` as JSON, `Debug`, the tokens of a syntax tree, `Display`, its own
//! fields, what a container of the standard library holds; else what is known of the type at run time, or its name. The compiler
//! chooses, by the number of references that a method call has to add.
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
pub use parts::{Parts, Show};

/// The value behind a reference.
#[macro_export]
macro_rules! v {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::via::{Bits as _, Data as _, Fields as _, Label as _, Name as _, Own as _, Source as _, Words as _};
        (&&&&&&&&$crate::via::Of($value)).millwright_value()
    }};
}

/// The same for a field of a value: as `Debug` shows it.
#[macro_export]
macro_rules! d {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::via::{Bits as _, Fields as _, Label as _, Name as _, Own as _, Source as _, Words as _};
        (&&&&&&&$crate::via::Of($value)).millwright_value()
    }};
}

/// The value that a call returns, by its name.
#[macro_export]
macro_rules! r {
    ($call:expr, $value:expr) => {{
        #[allow(unused_imports)]
        use $crate::via::{Fails as _, Holds as _};
        let failed = (&&$crate::via::Of($value)).millwright_failed();
        if $call.wants(failed) {
            $call.show($crate::v!($value), failed)
        } else {
            $call.end()
        }
    }};
}

/// The same of a value that leaves by `?`.
#[macro_export]
macro_rules! f {
    ($call:expr, $value:expr) => {{
        if $call.wants(true) {
            $call.show($crate::v!($value), true)
        }
    }};
}

/// Has how a type is shown known when the program begins, for generic code that meets it first.
#[macro_export]
macro_rules! learn {
    ($type:ty) => {
        const _: () = {
            extern "C" fn learn() {
                #[allow(unused_imports)]
                use $crate::via::{LearnData as _, LearnFields as _, LearnWords as _};
                (&&&$crate::via::Type::<$type>::new()).millwright_learn()
            }
            #[used]
            #[cfg_attr(any(target_os = "linux", target_os = "freebsd"), link_section = ".init_array")]
            #[cfg_attr(target_os = "macos", link_section = "__DATA,__mod_init_func")]
            static LEARN: extern "C" fn() = learn;
        };
    };
}

pub mod via {
    use crate::Value;
    use std::any::type_name;
    use std::fmt::{Debug, Display};
    use std::marker::PhantomData;
    use std::task::Poll;

    pub struct Type<T: ?Sized>(PhantomData<T>);

    impl<T: ?Sized> Type<T> {
        pub fn new() -> Type<T> {
            Type(PhantomData)
        }
    }

    #[cfg(millwright_serde)]
    pub trait LearnData {
        fn millwright_learn(&self);
    }
    #[cfg(millwright_serde)]
    impl<T: ?Sized + ::serde::Serialize> LearnData for &&Type<T> {
        fn millwright_learn(&self) {
            crate::learn::<T>(shows_data::<T>, shows_data_behind::<T>)
        }
    }
    #[cfg(not(millwright_serde))]
    pub trait LearnData {}

    pub trait LearnWords {
        fn millwright_learn(&self);
    }
    impl<T: ?Sized + Debug> LearnWords for &Type<T> {
        fn millwright_learn(&self) {
            crate::learn_debug::<T>()
        }
    }

    pub trait LearnFields {
        fn millwright_learn(&self);
    }
    impl<T: ?Sized + crate::Show> LearnFields for Type<T> {
        fn millwright_learn(&self) {
            crate::parts::learn_fields::<T>()
        }
    }

    pub struct Of<'a, T: ?Sized>(pub &'a T);

    #[cfg(millwright_serde)]
    pub trait Data {
        fn millwright_value(&self) -> Value;
    }
    #[cfg(millwright_serde)]
    impl<'a, T: ?Sized + ::serde::Serialize> Data for &&&&&&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::learn::<T>(shows_data::<T>, shows_data_behind::<T>);
            data((*******self).0)
        }
    }
    #[cfg(millwright_serde)]
    fn data<T: ?Sized + ::serde::Serialize>(value: &T) -> Value {
        match crate::bytes_of(&value) {
            Some(bytes) => Value::Text(crate::show_bytes(bytes), 0),
            None => crate::json(&mut |limit| crate::document::write(&value, limit), type_name::<T>()),
        }
    }
    #[cfg(millwright_serde)]
    unsafe fn shows_data<T: ?Sized + ::serde::Serialize>(place: *const ()) -> Value {
        data(*(place as *const &T))
    }
    #[cfg(millwright_serde)]
    unsafe fn shows_data_behind<T: ?Sized + ::serde::Serialize>(place: *const ()) -> Value {
        data(**(place as *const &&T))
    }
    #[cfg(not(millwright_serde))]
    pub trait Data {}

    /// A type of the project with words of its own: its fields where those say only its name.
    pub trait Own {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized + Debug + crate::Show> Own for &&&&&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            let words = crate::debug_of(self.0);
            if crate::is_opaque(&words) {
                crate::parts::fields_of(self.0)
            } else {
                words
            }
        }
    }

    pub trait Words {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized + Debug> Words for &&&&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::debug_of(self.0)
        }
    }

    #[cfg(millwright_quote)]
    pub trait Source {
        fn millwright_value(&self) -> Value;
    }
    #[cfg(millwright_quote)]
    impl<'a, T: ?Sized + ::quote::ToTokens> Source for &&&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            struct Tokens<'b, T: ?Sized>(&'b T);
            impl<'b, T: ?Sized + ::quote::ToTokens> Display for Tokens<'b, T> {
                fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    Display::fmt(&self.0.to_token_stream(), out)
                }
            }
            crate::display(&Tokens(self.0), type_name::<T>())
        }
    }
    #[cfg(not(millwright_quote))]
    pub trait Source {}

    pub trait Label {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized + Display> Label for &&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::display(&self.0, type_name::<T>())
        }
    }

    pub trait Fields {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized + crate::Show> Fields for &&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::parts::fields_of(self.0)
        }
    }

    pub trait Bits {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized + crate::Parts> Bits for &Of<'a, T> {
        fn millwright_value(&self) -> Value {
            self.0.millwright_parts()
        }
    }

    pub trait Name {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized> Name for Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::any(self.0)
        }
    }

    /// Values that are failures.
    pub trait Fails {
        fn millwright_failed(&self) -> bool;
    }
    impl<'a, T, E> Fails for &Of<'a, Result<T, E>> {
        fn millwright_failed(&self) -> bool {
            self.0.is_err()
        }
    }
    impl<'a, T, E> Fails for &Of<'a, Poll<Result<T, E>>> {
        fn millwright_failed(&self) -> bool {
            match self.0 {
                Poll::Ready(Err(_)) => true,
                _ => false,
            }
        }
    }

    pub trait Holds {
        fn millwright_failed(&self) -> bool;
    }
    impl<'a, T: ?Sized> Holds for Of<'a, T> {
        fn millwright_failed(&self) -> bool {
            false
        }
    }
}
