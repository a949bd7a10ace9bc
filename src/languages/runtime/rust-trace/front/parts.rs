//! What values consist of, where their types have no words for themselves: fields of the project's own types, and what the standard
//! library's containers hold, in generic code too.
use crate::{any, composed, learn, Formatter, Told, Value};
use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

/// Given to the project's own types, whatever their parameters are.
pub trait Show {
    fn millwright_show(&self, out: &mut Formatter<'_>) -> Told;
}

/// Containers of anything.
pub trait Parts {
    fn millwright_parts(&self) -> Value;
}

struct By<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> Told> Debug for By<F> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Told {
        (self.0)(out)
    }
}

fn fields<T: ?Sized + Show>(value: &T) -> Value {
    composed(&By(|out: &mut Formatter<'_>| value.millwright_show(out)), type_name::<T>())
}

/// Shown when it is written: not at all where there is no room.
struct ByFields<'a, T>(&'a T);

impl<'a, T: Show> Debug for ByFields<'a, T> {
    fn fmt(&self, out: &mut Formatter<'_>) -> Told {
        fields(self.0).fmt(out)
    }
}

pub fn learn_fields<T: ?Sized + Show>() {
    unsafe fn shows<T: ?Sized + Show>(place: *const ()) -> Value {
        fields(*(place as *const &T))
    }
    unsafe fn shows_behind<T: ?Sized + Show>(place: *const ()) -> Value {
        fields(**(place as *const &&T))
    }
    learn::<T>(shows::<T>, shows_behind::<T>);
}

/// Its type is known from now on.
pub fn fields_of<T: ?Sized + Show>(value: &T) -> Value {
    learn_fields::<T>();
    fields(value)
}

macro_rules! forward {
    ($($type:ty),*) => {$(
        impl<T: ?Sized + Show> Show for $type {
            fn millwright_show(&self, out: &mut Formatter<'_>) -> Told {
                (**self).millwright_show(out)
            }
        }
        impl<T: ?Sized> Parts for $type {
            fn millwright_parts(&self) -> Value {
                any::<T>(&**self)
            }
        }
    )*};
}
forward!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

macro_rules! list {
    ($([$($const:tt)*] $type:ty),*) => {$(
        impl<T: Show $($const)*> Show for $type {
            fn millwright_show(&self, out: &mut Formatter<'_>) -> Told {
                out.debug_list().entries(self.iter().map(ByFields)).finish()
            }
        }
        impl<T $($const)*> Parts for $type {
            fn millwright_parts(&self) -> Value {
                told::<Self>(&|out| out.debug_list().entries(self.iter().map(any)).finish())
            }
        }
    )*};
}
list!([] [T], [] Vec<T>, [] VecDeque<T>, [, const N: usize] [T; N]);

fn told<T: ?Sized>(tell: &dyn Fn(&mut Formatter<'_>) -> Told) -> Value {
    composed(&By(tell), type_name::<T>())
}

/// Enums of which each variant holds one value at most.
macro_rules! variants {
    ($($type:ident<$($parameter:ident),*> { $($variant:ident $(($held:ident))?),* })*) => {$(
        impl<$($parameter: Show),*> Show for $type<$($parameter),*> {
            fn millwright_show(&self, out: &mut Formatter<'_>) -> Told {
                match self {
                    $($type::$variant $(($held))? => variant(out, stringify!($variant), &[$(fields($held))?]),)*
                }
            }
        }
        impl<$($parameter),*> Parts for $type<$($parameter),*> {
            fn millwright_parts(&self) -> Value {
                told::<Self>(&|out| match self {
                    $($type::$variant $(($held))? => variant(out, stringify!($variant), &[$(any($held))?]),)*
                })
            }
        }
    )*};
}
variants! {
    Option<T> { Some(one), None }
    Result<T, E> { Ok(one), Err(one) }
    Poll<T> { Ready(one), Pending }
}

fn variant(out: &mut Formatter<'_>, name: &str, held: &[Value]) -> Told {
    match held.first() {
        Some(value) => out.debug_tuple(name).field(value).finish(),
        None => out.write_str(name),
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name),*> Parts for ($($name,)*) {
            #[allow(non_snake_case)]
            fn millwright_parts(&self) -> Value {
                let ($($name,)*) = self;
                told::<Self>(&|out| out.debug_tuple("")$(.field(&any($name)))*.finish())
            }
        }
    )*};
}
tuples! { (A) (A B) (A B C) (A B C D) }

macro_rules! maps {
    ($($type:ty [$($parameter:ident)*])*) => {$(
        impl<$($parameter),*> Parts for $type {
            fn millwright_parts(&self) -> Value {
                told::<Self>(&|out| out.debug_map().entries(self.iter().map(|(key, value)| (any(key), any(value)))).finish())
            }
        }
    )*};
}
maps! { HashMap<K, V, S> [K V S] BTreeMap<K, V> [K V] }

macro_rules! sets {
    ($($type:ty [$($parameter:ident)*])*) => {$(
        impl<$($parameter),*> Parts for $type {
            fn millwright_parts(&self) -> Value {
                told::<Self>(&|out| out.debug_set().entries(self.iter().map(any)).finish())
            }
        }
    )*};
}
sets! { HashSet<T, S> [T S] BTreeSet<T> [T] }
