//! What serde asks of a format, for `Document`.
use crate::document::{write, Done, Pen, Stop};
use millwright_trace_rt::Text;
use serde::ser::{self, Serialize};
use std::any::type_name;
use std::fmt::{Display, Write};

/// A value in another one; by its type's name where its words may take a lock.
fn put<T: Serialize + ?Sized>(pen: &mut Pen<'_>, value: &T) -> Done {
    let name = type_name::<T>();
    if millwright_trace_rt::locks(name) {
        pen.string(name)
    } else {
        value.serialize(pen)
    }
}

pub struct Many<'p, 'a> {
    pen: &'p mut Pen<'a>,
    first: bool,
    close: &'static str,
    /// An enum's variant is in an object of its own.
    wrapped: bool,
}

impl<'p, 'a> Many<'p, 'a> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.pen.element(&mut self.first, &mut |pen| put(pen, value))
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Done {
        self.pen.element(&mut self.first, &mut |pen| {
            pen.string(key)?;
            pen.put(":")?;
            put(pen, value)
        })
    }

    fn finish(self) -> Done {
        self.pen.close(self.close)?;
        if self.wrapped {
            self.pen.close("}")?;
        }
        Ok(())
    }
}

/// A trait of which one method gives the next value, by its name or without.
macro_rules! of_many {
    ($($name:ident $method:ident $write:ident($($key:ident)*);)*) => {$(
        impl<'p, 'a> ser::$name for Many<'p, 'a> {
            type Ok = ();
            type Error = Stop;
            fn $method<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)* value: &T) -> Done {
                self.$write($($key,)* value)
            }
            fn end(self) -> Done {
                self.finish()
            }
        }
    )*};
}
of_many! {
    SerializeSeq serialize_element item();
    SerializeTuple serialize_element item();
    SerializeTupleStruct serialize_field item();
    SerializeTupleVariant serialize_field item();
    SerializeStruct serialize_field field(key);
    SerializeStructVariant serialize_field field(key);
}

/// A key is a text in JSON.
fn push_key(pen: &mut Pen<'_>, key: &Text) -> Done {
    if key.starts_with('"') {
        pen.put(key)
    } else {
        pen.string(key)
    }
}

fn key_of<T: Serialize + ?Sized>(key: &T) -> Result<Text, Stop> {
    if millwright_trace_rt::locks(type_name::<T>()) {
        return Ok(Text::from(type_name::<T>()));
    }
    write(&key, 200).map(|(text, _)| text).ok_or(Stop::Refused)
}

impl<'p, 'a> ser::SerializeMap for Many<'p, 'a> {
    type Ok = ();
    type Error = Stop;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        // The value follows in a call of its own: it cannot be muted alone.
        if !self.first {
            self.pen.put(",")?;
        }
        self.first = false;
        let text = key_of(key)?;
        push_key(self.pen, &text)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.pen.put(":")?;
        put(self.pen, value)
    }
    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(&mut self, key: &K, value: &V) -> Done {
        let text = key_of(key)?;
        self.pen.element(&mut self.first, &mut |pen| {
            push_key(pen, &text)?;
            pen.put(":")?;
            put(pen, value)
        })
    }
    fn end(self) -> Done {
        self.finish()
    }
}

/// What is shown as Rust writes it.
macro_rules! shown {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Done {
            self.shown(&value)
        }
    )*};
}

impl<'p, 'a> ser::Serializer for &'p mut Pen<'a> {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Many<'p, 'a>;
    type SerializeTuple = Many<'p, 'a>;
    type SerializeTupleStruct = Many<'p, 'a>;
    type SerializeTupleVariant = Many<'p, 'a>;
    type SerializeMap = Many<'p, 'a>;
    type SerializeStruct = Many<'p, 'a>;
    type SerializeStructVariant = Many<'p, 'a>;

    shown! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
    }
    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(f64::from(value))
    }
    fn serialize_f64(self, value: f64) -> Done {
        if value.is_finite() {
            self.shown(&format_args!("{:?}", value))
        } else {
            self.put("null")
        }
    }
    fn serialize_char(self, value: char) -> Done {
        self.string(value.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, value: &str) -> Done {
        self.string(value)
    }
    fn serialize_bytes(self, value: &[u8]) -> Done {
        value.serialize(self)
    }
    fn serialize_none(self) -> Done {
        self.put("null")
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        put(self, value)
    }
    fn serialize_unit(self) -> Done {
        self.put("null")
    }
    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.put("null")
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.string(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        put(self, value)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.variant(variant)?;
        put(self, value)?;
        self.close("}")
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Many<'p, 'a>, Stop> {
        self.open("[", ']')?;
        Ok(Many { pen: self, first: true, close: "]", wrapped: false })
    }
    fn serialize_tuple(self, length: usize) -> Result<Many<'p, 'a>, Stop> {
        self.serialize_seq(Some(length))
    }
    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Many<'p, 'a>, Stop> {
        self.serialize_seq(Some(length))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Many<'p, 'a>, Stop> {
        self.variant(variant)?;
        self.open("[", ']')?;
        Ok(Many { pen: self, first: true, close: "]", wrapped: true })
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Many<'p, 'a>, Stop> {
        self.open("{", '}')?;
        Ok(Many { pen: self, first: true, close: "}", wrapped: false })
    }
    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Many<'p, 'a>, Stop> {
        self.serialize_map(Some(length))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Many<'p, 'a>, Stop> {
        self.variant(variant)?;
        self.open("{", '}')?;
        let _ = length;
        Ok(Many { pen: self, first: true, close: "}", wrapped: true })
    }
    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Done {
        if millwright_trace_rt::locks(type_name::<T>()) {
            return self.string(type_name::<T>());
        }
        let mut text = Text::new();
        write!(text, "{}", value)?;
        self.string(&text)
    }
    fn is_human_readable(&self) -> bool {
        true
    }
}
