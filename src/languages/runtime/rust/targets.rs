//! What the workspace's packages have to be built and tested, and which of it a selection needs.
use crate::json::{self, Value};
use crate::report::key_text;
use crate::request::{Kind, Request, TargetKey};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Clone, PartialEq)]
pub struct Target {
    pub package: String,
    pub name: String,
    /// `lib`, `bin`, `test`, `example`, `bench`; `doc` for the documentation of a library.
    pub kind: String,
    /// Relative to the repository's root; of documentation behind `doc:`.
    pub path: String,
    pub folder: PathBuf,
    pub version: String,
    /// It is tested without being asked for, and needs no feature.
    pub usual: bool,
}

pub struct Workspace {
    pub root: PathBuf,
    pub targets: Vec<Target>,
    pub packages: Vec<String>,
    /// Those that cargo tests when it is told of none.
    pub usual: Vec<String>,
}

/// The variable that chooses a candidate.
pub const CANDIDATE: &str = "MILLWRIGHT_CANDIDATE";

const LIBRARIES: [&str; 6] = ["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"];

pub fn kind_of(target: &Value) -> String {
    let kind = target.get("kind").list().first().map_or("", |kind| kind.text());
    if LIBRARIES.contains(&kind) { "lib".to_string() } else { kind.to_string() }
}

pub fn relative(root: &Path, path: &str) -> String {
    let given = Path::new(path);
    let real = fs::canonicalize(given).unwrap_or_else(|_| given.to_path_buf());
    let base = fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let inner = given.strip_prefix(root).or_else(|_| real.strip_prefix(&base));
    inner.map(|inner| inner.to_string_lossy().into_owned()).unwrap_or_else(|_| path.to_string())
}

pub fn read_workspace(request: &Request, metadata: &str) -> Option<Workspace> {
    let value = json::parse(metadata.lines().find(|line| line.starts_with('{'))?)?;
    let members: Vec<&str> = value.get("workspace_members").list().iter().map(|id| id.text()).collect();
    let packages: Vec<&Value> =
        value.get("packages").list().iter().filter(|one| members.contains(&one.get("id").text())).collect();
    let root = PathBuf::from(value.get("workspace_root").text());
    let mut usual: Vec<String> = Vec::new();
    let default: Vec<&str> =
        value.get("workspace_default_members").list().iter().map(|id| id.text()).collect();
    let mut targets = Vec::new();
    for package in &packages {
        let manifest = Path::new(package.get("manifest_path").text());
        let folder = manifest.parent().unwrap_or(&root).to_path_buf();
        let name = package.get("name").text().to_string();
        if default.contains(&package.get("id").text()) || (default.is_empty() && folder == root) {
            usual.push(name.clone());
        }
        for target in package.get("targets").list() {
            let kind = kind_of(target);
            let path = relative(&request.root, target.get("src_path").text());
            let is_tested = target.get("test").is_true() || matches!(target.get("test"), Value::Null);
            let needs = !target.get("required-features").list().is_empty();
            let made = Target {
                package: name.clone(),
                name: target.get("name").text().to_string(),
                usual: is_tested && !needs && ["lib", "bin", "test"].contains(&kind.as_str()),
                kind,
                path,
                folder: folder.clone(),
                version: package.get("version").text().to_string(),
            };
            if made.kind == "lib" && target.get("doctest").is_true() {
                let path = format!("doc:{}", made.path);
                targets.push(Target { kind: "doc".to_string(), path, usual: true, ..made.clone() });
            }
            targets.push(made);
        }
    }
    let names: Vec<String> = packages.iter().map(|one| one.get("name").text().to_string()).collect();
    if usual.is_empty() {
        usual = names.clone();
    }
    Some(Workspace { root, targets, packages: names, usual })
}

impl Workspace {
    pub fn key_of(&self, target: &Target) -> TargetKey {
        self.key(&target.package, &target.path)
    }

    pub fn key(&self, package: &str, path: &str) -> TargetKey {
        let named = if self.packages.len() > 1 { package } else { "" };
        (named.to_string(), path.to_string())
    }

    /// The targets that a selection needs; None for all.
    pub fn wanted(&self, request: &Request) -> Option<Vec<Target>> {
        match request.kind {
            Kind::All => None,
            Kind::Tests => Some(
                self.targets.iter().filter(|one| request.tests.contains_key(&self.key_of(one))).cloned().collect(),
            ),
            Kind::Files => {
                let mut found: Vec<Target> = Vec::new();
                for file in &request.files {
                    let mut holders = self.holders(file);
                    if has_examples(&request.root.join(file)) {
                        holders.extend(self.documents_of(&holders));
                    }
                    found.extend(holders.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
                }
                Some(found)
            }
        }
    }

    /// The target that the file is, or those whose modules it can be.
    fn holders(&self, file: &str) -> Vec<Target> {
        let exact: Vec<Target> = self.targets.iter().filter(|one| one.path == file).cloned().collect();
        if !exact.is_empty() {
            return exact;
        }
        let folder = |target: &Target| -> String {
            let path = target.path.as_str();
            path[..path.rfind('/').map_or(0, |at| at + 1)].to_string()
        };
        let around: Vec<&Target> = self
            .targets
            .iter()
            .filter(|one| one.kind != "doc" && one.kind != "example" && one.kind != "bench")
            .filter(|one| file.starts_with(&folder(one)))
            .collect();
        let longest = around.iter().map(|one| folder(one).len()).max().unwrap_or(0);
        around.into_iter().filter(|one| folder(one).len() == longest).cloned().collect()
    }

    /// The documentation of those among the targets that are libraries.
    fn documents_of(&self, targets: &[Target]) -> Vec<Target> {
        let names: Vec<String> =
            targets.iter().filter(|one| one.kind == "lib").map(|one| format!("doc:{}", one.path)).collect();
        self.targets.iter().filter(|one| one.kind == "doc" && names.contains(&one.path)).cloned().collect()
    }
}

/// True if the file's documentation may hold examples, which are a program each.
fn has_examples(file: &Path) -> bool {
    fs::read_to_string(file).map(|text| text.contains("```") || text.contains("~~~")).unwrap_or(false)
}

/// How the names of a target's tests begin that the selected files hold.
pub fn module_prefixes(request: &Request, target: &TargetKey) -> Vec<String> {
    let path = target.1.as_str();
    if request.files.iter().any(|file| file == path) {
        return vec![String::new()];
    }
    let folder = &path[..path.rfind('/').map_or(0, |at| at + 1)];
    let inside = request.files.iter().filter_map(|file| file.strip_prefix(folder)?.strip_suffix(".rs"));
    inside
        .map(|module| module.strip_suffix("/mod").unwrap_or(module).replace('/', "::") + "::")
        .collect()
}

/// All asked tests, for the report.
pub fn wanted_keys(request: &Request) -> Vec<String> {
    let tests = request.tests.iter();
    tests.flat_map(|(target, names)| names.iter().map(move |name| key_text(target, name))).collect()
}

const FILE: &str = "targets.txt";

/// Notes a built test program, for the runner that cargo starts with it.
pub fn note(request: &Request, program: &str, key: &TargetKey) {
    append(request, FILE, &format!("{}\t{}\t{}\n", program, key.0, key.1));
}

pub fn append(request: &Request, file: &str, text: &str) {
    use std::io::Write;
    let opened = fs::OpenOptions::new().create(true).append(true).open(request.report.join(file));
    let _ = opened.and_then(|mut file| file.write_all(text.as_bytes()));
}

/// The key of a program. Cargo says what it built before it starts it; the note may come a moment later.
pub fn wait_for(request: &Request, program: &Path) -> Option<TargetKey> {
    let start = Instant::now();
    let name = program.file_name()?.to_string_lossy().into_owned();
    while start.elapsed() < Duration::from_secs(10) {
        let text = fs::read_to_string(request.report.join(FILE)).unwrap_or_default();
        for line in text.lines() {
            let fields: Vec<&str> = line.splitn(3, '\t').collect();
            if fields.len() == 3 && Path::new(fields[0]).file_name().map_or(false, |one| *one == *name) {
                return Some((fields[1].to_string(), fields[2].to_string()));
            }
        }
        thread::sleep(Duration::from_millis(2));
    }
    None
}
