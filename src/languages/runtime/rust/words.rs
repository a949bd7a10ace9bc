//! The words of a `cargo test` command, and what a selection makes of them.
use crate::targets::{Target, Workspace};

#[derive(Clone)]
pub struct Words {
    /// `cargo`, with a toolchain behind it where one is named.
    pub program: Vec<String>,
    /// Between `test` and `--`, without what steers the output.
    pub options: Vec<String>,
    /// Behind `--`.
    pub rest: Vec<String>,
}

const VALUED: [&str; 21] = [
    "-p", "--package", "--exclude", "--bin", "--test", "--example", "--bench", "-j", "--jobs", "--profile", "-F",
    "--features", "--target", "--target-dir", "--manifest-path", "--message-format", "--color", "--config", "-Z",
    "-C", "--lockfile-path",
];
const OUTPUT: [&str; 7] =
    ["--no-run", "--no-fail-fast", "--message-format", "-q", "--quiet", "--color", "--future-incompat-report"];
const KINDS: [&str; 11] = [
    "--lib", "--bins", "--bin", "--tests", "--test", "--examples", "--example", "--benches", "--bench",
    "--all-targets", "--doc",
];
const PACKAGES: [&str; 5] = ["-p", "--package", "--workspace", "--all", "--exclude"];

/// The options as groups: a name with its value, or a single word.
fn groups(options: &[String]) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut group = vec![word.clone()];
        if VALUED.contains(&word.as_str()) {
            group.extend(words.next().cloned());
        }
        found.push(group);
    }
    found
}

fn name_of(group: &[String]) -> &str {
    let word = group[0].as_str();
    match word.find('=') {
        Some(at) if word.starts_with("--") => &word[..at],
        _ => word,
    }
}

fn without(options: &[String], names: &[&str]) -> Vec<String> {
    groups(options).into_iter().filter(|group| !names.contains(&name_of(group))).flatten().collect()
}

impl Words {
    pub fn read(words: &[String]) -> Words {
        let verb = words.iter().position(|word| word == "test" || word == "t").unwrap_or(0);
        let end = words.iter().position(|word| word == "--").unwrap_or_else(|| words.len());
        let options = words.get(verb + 1..end).unwrap_or(&[]);
        Words {
            program: words[..verb.max(1)].to_vec(),
            options: without(options, &OUTPUT),
            rest: words.get(end + 1..).unwrap_or(&[]).to_vec(),
        }
    }

    fn has(&self, names: &[&str]) -> bool {
        groups(&self.options).iter().any(|group| names.contains(&name_of(group)))
    }

    pub fn values(&self, names: &[&str]) -> Vec<String> {
        let of = |group: &Vec<String>| match group.get(1) {
            Some(value) => value.clone(),
            None => group[0].splitn(2, '=').nth(1).unwrap_or("").to_string(),
        };
        groups(&self.options).iter().filter(|group| names.contains(&name_of(group))).map(of).collect()
    }

    /// Without a test's name: `cargo build` takes none.
    pub fn build_options(&self) -> Vec<String> {
        let kept = groups(&self.options).into_iter().filter(|group| group[0].starts_with('-'));
        without(&kept.flatten().collect::<Vec<_>>(), &["--doc", "--tests"])
    }

    /// True for a target that the command tests.
    pub fn covers(&self, workspace: &Workspace, target: &Target) -> bool {
        let named = self.values(&["-p", "--package"]);
        let excluded = self.values(&["--exclude"]);
        let everything = self.has(&["--workspace", "--all"]);
        let in_package = if everything {
            !excluded.contains(&target.package)
        } else if named.is_empty() {
            workspace.usual.contains(&target.package)
        } else {
            named.iter().any(|name| name.split('@').next() == Some(target.package.as_str()))
        };
        in_package && self.covers_kind(target)
    }

    fn covers_kind(&self, target: &Target) -> bool {
        if !self.has(&KINDS) || self.has(&["--all-targets", "--tests"]) {
            return target.usual && (target.kind != "doc" || !self.has(&KINDS));
        }
        match target.kind.as_str() {
            "lib" => self.has(&["--lib"]),
            "bin" => self.has(&["--bins"]) || self.values(&["--bin"]).contains(&target.name),
            "test" => self.values(&["--test"]).contains(&target.name),
            "doc" => self.has(&["--doc"]),
            _ => false,
        }
    }

    /// The command for these targets only. `packages` false leaves the packages as they were given.
    pub fn narrowed(&self, workspace: &Workspace, targets: &[Target], packages: bool) -> Words {
        let mut options = without(&self.options, &KINDS);
        if packages && workspace.packages.len() > 1 {
            options = without(&options, &PACKAGES);
            let mut names: Vec<&String> = targets.iter().map(|target| &target.package).collect();
            names.sort();
            names.dedup();
            for name in names {
                options.extend(vec!["-p".to_string(), name.clone()]);
            }
        }
        let mut kinds: Vec<Vec<String>> = Vec::new();
        for target in targets {
            let kind = match target.kind.as_str() {
                "lib" | "doc" => vec![format!("--{}", target.kind)],
                kind => vec![format!("--{}", kind), target.name.clone()],
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        options.extend(kinds.into_iter().flatten());
        Words { options, ..self.clone() }
    }
}
