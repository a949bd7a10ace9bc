//! Just enough of JSON: what cargo prints, and the lines of our reports.
use std::collections::BTreeMap;

pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

static NULL: Value = Value::Null;

impl Value {
    pub fn get(&self, name: &str) -> &Value {
        match self {
            Value::Object(fields) => fields.get(name).unwrap_or(&NULL),
            _ => &NULL,
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }

    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Value::Bool(true))
    }

    pub fn number(&self) -> f64 {
        match self {
            Value::Number(number) => *number,
            _ => 0.0,
        }
    }
}

pub fn parse(text: &str) -> Option<Value> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    reader.value()
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).map_or(false, |byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).cloned()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Value> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return None;
        }
        self.at += word.len();
        Some(value)
    }

    fn value(&mut self) -> Option<Value> {
        match self.peek()? {
            b'{' => self.object(),
            b'[' => self.items(),
            b'"' => self.string().map(Value::Text),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Option<Value> {
        let mut fields = BTreeMap::new();
        self.take(b'{')?;
        while self.peek()? != b'}' {
            let name = self.string()?;
            self.take(b':')?;
            fields.insert(name, self.value()?);
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(Value::Object(fields))
    }

    fn items(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        self.take(b'[')?;
        while self.peek()? != b']' {
            items.push(self.value()?);
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(Value::List(items))
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        while self.text.get(self.at).map_or(false, |byte| b"+-.eE0123456789".contains(byte)) {
            self.at += 1;
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).ok()?;
        text.parse().ok().map(Value::Number)
    }

    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut bytes: Vec<u8> = Vec::new();
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return Some(String::from_utf8_lossy(&bytes).into_owned()),
                b'\\' => {
                    let escaped = self.escape()?;
                    bytes.extend_from_slice(escaped.to_string().as_bytes());
                }
                _ => bytes.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => self.unicode()?,
            other => other as char,
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.hex()?;
        if !(0xd800..0xdc00).contains(&high) {
            return Some(std::char::from_u32(high).unwrap_or('\u{fffd}'));
        }
        if !self.text[self.at..].starts_with(b"\\u") {
            return Some('\u{fffd}');
        }
        self.at += 2;
        let low = self.hex()?;
        let code = 0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
        Some(std::char::from_u32(code).unwrap_or('\u{fffd}'))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = std::str::from_utf8(self.text.get(self.at..self.at + 4)?).ok()?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

/// The text as JSON, in quotes.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for each in text.chars() {
        match each {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            each if (each as u32) < 0x20 || each == '\u{7f}' => {
                quoted.push_str(&format!("\\u{:04x}", each as u32));
            }
            each => quoted.push(each),
        }
    }
    quoted.push('"');
    quoted
}
