//! What the counters in instrumented sources wrote while a test ran: lines `FILE<tab>RANGES`.
use crate::report::{key_text, Report};
use crate::request::{Request, TargetKey};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

static NUMBER: AtomicUsize = AtomicUsize::new(0);

pub fn counters_file(request: &Request, again: bool) -> Option<PathBuf> {
    if !request.coverage || again {
        return None;
    }
    let folder = request.report.join("counters");
    let _ = fs::create_dir_all(&folder);
    let number = NUMBER.fetch_add(1, Ordering::SeqCst);
    Some(folder.join(format!("{}-{}", process::id(), number)))
}

pub fn report_lines(report: &Report, target: &TargetKey, name: &str, file: &Path) {
    let text = fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let _ = fs::remove_file(file);
    let mut lines: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.split('\t');
        let path = fields.next().unwrap_or("").to_string();
        let known = lines.entry(path).or_default();
        for range in fields.next().unwrap_or("").split(',') {
            let mut ends = range.split('-').filter_map(|end| end.parse::<usize>().ok());
            if let Some(first) = ends.next() {
                known.extend(first..=ends.next().unwrap_or(first));
            }
        }
    }
    let ranges: BTreeMap<String, String> =
        lines.into_iter().filter(|(_, all)| !all.is_empty()).map(|(path, all)| (path, join(&all))).collect();
    if !ranges.is_empty() {
        let test = if name.is_empty() { "null".to_string() } else { key_text(target, name) };
        report.covered(&test, target, &ranges);
    }
}

fn join(lines: &BTreeSet<usize>) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &line in lines {
        match parts.last_mut() {
            Some(last) if last.1 + 1 == line => last.1 = line,
            _ => parts.push((line, line)),
        }
    }
    let texts: Vec<String> = parts
        .iter()
        .map(|&(first, last)| if first == last { first.to_string() } else { format!("{}-{}", first, last) })
        .collect();
    texts.join(",")
}
