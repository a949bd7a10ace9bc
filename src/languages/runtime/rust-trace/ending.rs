//! The line that says how a call ended.
use crate::line::{push_named, push_number, push_text, push_value};
use crate::list::Text;
use crate::local::{Frame, Outcome};
use crate::output::Output;
use crate::panics;

pub fn tell(output: &Output, frame: &Frame, how: &str) {
    let mut line = Text::from("{\"k\":\"out\",");
    push_number(&mut line, "c", frame.call);
    line.push(',');
    push_number(&mut line, "at", output.now());
    line.push_str(",\"how\":\"");
    line.push_str(how);
    line.push('"');
    if how == "throw" {
        panics::with_last(|said| {
            if let Some(said) = said {
                line.push_str(",\"message\":");
                push_text(&mut line, &said.message);
                line.push_str(",\"place\":");
                push_text(&mut line, &said.place);
            }
        });
    } else if let Some(Outcome { value: Some(ref value), .. }) = frame.outcome {
        line.push_str(",\"value\":");
        push_value(&mut line, value);
    }
    if how != "throw" && frame.after.len() > 0 {
        push_named(&mut line, "after", frame.after.iter().map(|(name, value)| (*name, value)));
    }
    line.push_str("}\n");
    output.write(&line);
}
