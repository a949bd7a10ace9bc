//! What instrumented code names: the runtime, and how a value is shown. Compiled for each set of libraries that a crate knows, since
//! the first of these serves that a value's type has: `Serialize` as JSON, `Debug`, the tokens of a syntax tree, `Display`; else
//! its type's name. The compiler chooses, by the number of references that a method call has to add.
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

/// The value behind a reference.
#[macro_export]
macro_rules! v {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::via::{Data as _, Label as _, Name as _, Source as _, Words as _};
        (&&&&&$crate::via::Of($value)).millwright_value()
    }};
}

/// The same for a field of a value: as `Debug` shows it.
#[macro_export]
macro_rules! d {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::via::{Label as _, Name as _, Source as _, Words as _};
        (&&&&$crate::via::Of($value)).millwright_value()
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

pub mod via {
    use crate::Value;
    use std::any::type_name;
    use std::fmt::{Debug, Display};
    use std::task::Poll;

    pub struct Of<'a, T: ?Sized>(pub &'a T);

    #[cfg(millwright_serde)]
    pub trait Data {
        fn millwright_value(&self) -> Value;
    }
    #[cfg(millwright_serde)]
    impl<'a, T: ?Sized + ::serde::Serialize> Data for &&&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            let value = (****self).0;
            crate::json(&mut |limit| crate::document::write(&value, limit), type_name::<T>())
        }
    }
    #[cfg(not(millwright_serde))]
    pub trait Data {}

    pub trait Words {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized + Debug> Words for &&&Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::debug(&self.0, type_name::<T>())
        }
    }

    #[cfg(millwright_quote)]
    pub trait Source {
        fn millwright_value(&self) -> Value;
    }
    #[cfg(millwright_quote)]
    impl<'a, T: ?Sized + ::quote::ToTokens> Source for &&Of<'a, T> {
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
    impl<'a, T: ?Sized + Display> Label for &Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::display(&self.0, type_name::<T>())
        }
    }

    pub trait Name {
        fn millwright_value(&self) -> Value;
    }
    impl<'a, T: ?Sized> Name for Of<'a, T> {
        fn millwright_value(&self) -> Value {
            crate::type_only(type_name::<T>())
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
