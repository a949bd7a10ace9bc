//! JSON text without a library.
use crate::list::Text;
use crate::value::Value;
use std::fmt::Write;

pub fn push_number(line: &mut Text, key: &str, number: u64) {
    let _ = write!(line, "\"{}\":{}", key, number);
}

pub fn push_text(line: &mut Text, text: &str) {
    line.push('"');
    for each in text.chars() {
        match each {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            each if (each as u32) < 0x20 => {
                let _ = write!(line, "\\u{:04x}", each as u32);
            }
            each => line.push(each),
        }
    }
    line.push('"');
}

pub fn push_value(line: &mut Text, value: &Value) {
    let cut = match value {
        Value::Json(text, cut) => {
            line.push_str("{\"j\":");
            line.push_str(text);
            *cut
        }
        Value::Text(text, cut) => {
            line.push_str("{\"d\":");
            push_text(line, text);
            *cut
        }
        Value::Type(name) => {
            line.push_str("{\"t\":");
            push_text(line, name);
            0
        }
    };
    if cut > 0 {
        let _ = write!(line, ",\"cut\":{}", cut);
    }
    line.push('}');
}

/// `,"key":[["name",value],…]`.
pub fn push_named<'a>(line: &mut Text, key: &str, named: impl Iterator<Item = (&'a str, &'a Value)>) {
    let _ = write!(line, ",\"{}\":[", key);
    for (index, (name, value)) in named.enumerate() {
        line.push_str(if index > 0 { ",[" } else { "[" });
        push_text(line, name);
        line.push(',');
        push_value(line, value);
        line.push(']');
    }
    line.push(']');
}
