//! JSON text without a library.
use crate::list::Text;
use crate::value::Value;
use std::fmt::Write;

pub fn push_number(line: &mut Text, key: &str, number: u64) {
    let _ = write!(line, "\"{}\":{}", key, number);
}

pub fn push_text(line: &mut Text, text: &str) {
    line.push('"');
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        // Bytes of longer characters are larger.
        line.push_str(&text[start..at]);
        start = at + 1;
        match byte {
            b'"' => line.push_str("\\\""),
            b'\\' => line.push_str("\\\\"),
            b'\n' => line.push_str("\\n"),
            byte => {
                let _ = write!(line, "\\u{:04x}", byte);
            }
        }
    }
    line.push_str(&text[start..]);
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
