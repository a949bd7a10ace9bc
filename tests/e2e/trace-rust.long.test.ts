/** `millwright trace` on Rust: a member of a workspace, a second project that depends on it, and programs that do not build. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground, type ProgramEnd } from "./millwright.ts";

const hasCargo = spawnSync("cargo", ["--version"]).status === 0;

const library = `//! Shapes.

/* a comment */ pub fn parse(text: &str) -> Result<i32, String> {
    // Where it fails.
    let found = inner(text)?;
    if found > 3 { return Ok(99); }
    Ok(found)
}

fn inner(text: &str) -> Result<i32, String> { text.parse::<i32>().map_err(|e| e.to_string()) }

pub fn fact(n: u64) -> u64 { if n <= 1 { 1 } else { n * fact(n - 1) } }

pub fn boom(n: u32) -> u32 { if n == 7 { panic!("seven of {}", line!()) } n }

pub struct Point { pub x: i32 }
impl Point {
    pub fn moved(&self, (dx, _): (i32, i32)) -> i32 { self.x + dx }
}

pub fn leave() -> ! { std::process::exit(0) }

#[cfg(test)]
mod tests {
    #[test]
    fn inside() { assert_eq!(super::fact(3), 6); }
}
`;
const program = `fn main() { let words: Vec<String> = std::env::args().skip(1).collect(); run(&words); }
fn run(words: &[String]) {
    println!("{:?}", words);
    let _ = shapes::parse("zz");
    let _ = shapes::parse("10");
    let _ = std::panic::catch_unwind(|| shapes::boom(7));
    shapes::boom(1);
    std::thread::Builder::new().name("w1".into()).spawn(|| shapes::fact(4)).unwrap().join().unwrap();
    shapes::Point { x: 1 }.moved((2, 3));
    shapes::leave();
}
`;
const files: Readonly<Record<string, string>> = {
  "target/Cargo.toml": '# The root has no code.\n[workspace]\nmembers = ["shapes"]\nresolver = "2"\n',
  "target/.gitignore": "target\n",
  "target/shapes/Cargo.toml":
    '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies] # none\n',
  "target/shapes/src/lib.rs": library,
  "target/shapes/tests/outside.rs": "#[test]\nfn outside() { assert_eq!(shapes::fact(2), 2); }\n",
  "program/Cargo.toml":
    '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nshapes = { path = "../target/shapes" }\n',
  "program/.gitignore": "target\n",
  "program/src/main.rs": program,
};

interface Call {
  readonly function: { readonly name: string; readonly path: string; readonly line: number };
  readonly args: readonly (readonly [string, unknown])[];
  readonly how: string;
  readonly message?: string;
  readonly value?: { readonly j?: unknown; readonly d?: string };
  readonly test?: string;
  readonly children: readonly Call[];
}

describe.skipIf(!hasCargo)("a trace of Rust", () => {
  let playground: Playground;
  const at = (path: string): string => join(playground.folder, path);
  beforeAll(() => {
    playground = createPlayground();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    }
    for (const folder of ["target", "program"]) {
      execFileSync("cargo", ["generate-lockfile", "--offline"], { cwd: at(folder), stdio: "ignore" });
      execFileSync("git", ["init", "-q"], { cwd: at(folder) });
    }
  });
  afterAll(() => playground.remove());

  const trace = (...words: string[]): Promise<ProgramEnd> =>
    playground.start(["trace", ...words], { env: { XDG_CACHE_HOME: at("cache") }, cwd: at("target") }).ended;
  const callsOf = (end: ProgramEnd): Call[] => {
    const flatten = (calls: readonly Call[]): Call[] =>
      calls.flatMap((call) => [call, ...flatten(call.children)]);
    const { processes } = JSON.parse(end.stdout) as { processes: { roots: Call[] }[] };
    return processes.flatMap(({ roots }) => flatten(roots));
  };
  const both = (): string[] => [fingerprint(at("target")), fingerprint(at("program"))];

  test("a program beside it runs over the traced one: each way out, values, the user's own lines", async () => {
    const before = both();
    const spec = [
      "function:trace",
      `test_project:${at("program")}`,
      `target_project:${at("target/shapes")}`,
      `instrument:${at("target/shapes/src/lib.rs")}:parse,inner,fact,boom,Point::moved`,
      "instrument: src/lib.rs:leave",
      // The target has no such file: it is the program's.
      "instrument: src/main.rs:run",
      `output:${at("trace.jsonl")}`,
      `exec:cargo run -q --offline -- 'a "b" $HOME' | cat`,
    ];
    writeFileSync(at("spec.txt"), spec.join("\n"));
    const end = await trace("--spec", at("spec.txt"), "--json");
    expect(end.exitCode, end.stderr).toBe(0);
    expect(JSON.parse(end.stdout).command.stdout).toBe('["a \\"b\\" $HOME"]\n');
    const calls = callsOf(end);
    expect(calls[0]?.function.path).toBe(at("program/src/main.rs"));
    expect(calls[1]?.function.path).toBe("shapes/src/lib.rs");
    expect(calls.map(({ function: { name, line }, how }) => `${name}:${line} ${how}`)).toEqual([
      "run:2 none",
      "parse:3 error",
      "inner:10 error",
      "parse:3 return",
      "inner:10 return",
      "boom:14 throw",
      "boom:14 return",
      ...Array.from({ length: 4 }, () => "fact:12 return"),
      "Point::moved:18 return",
      "leave:21 none",
    ]);
    expect(calls[3]?.value).toMatchObject({ d: "Ok(99)" });
    expect(calls[5]?.message).toContain("seven of 14");
    expect(calls.at(-2)).toMatchObject({ value: { d: "3" } });
    expect(both()).toEqual(before);
    expect(existsSync(at("trace.jsonl"))).toBe(true);
  });

  test("each test binary has its calls, by the test that made them", async () => {
    const end = await trace(
      "--target",
      "shapes",
      "--instrument",
      "src/lib.rs:fact",
      "--json",
      "--",
      "cargo",
      "test",
      "-q",
      "--offline",
      "--tests",
    );
    expect(end.exitCode, end.stderr).toBe(0);
    const { processes } = JSON.parse(end.stdout) as { processes: { label: string; roots: Call[] }[] };
    const summary = processes
      .filter(({ roots }) => roots.length > 0)
      .map(({ label, roots }) => [label, roots[0]?.test]);
    expect(summary.sort()).toEqual([
      ["outside", "outside"],
      ["shapes", "tests::inside"],
    ]);
  });

  test("a program that does not build is told as that, with the first errors, and no older trace", async () => {
    const source = at("target/shapes/src/lib.rs");
    writeFileSync(source, library.replace("n * fact(n - 1)", "n * fact(n - 1)) + unheard_of"));
    writeFileSync(at("old.jsonl"), "an older trace\n");
    try {
      const end = await trace(
        "--instrument",
        "shapes/src/lib.rs:*",
        "--output",
        at("old.jsonl"),
        "--",
        "cargo",
        "test",
        "-q",
        "--offline",
      );
      expect(end.exitCode).toBe(11);
      expect(end.stdout).toContain("the program did not build, so nothing was recorded");
      expect(end.stdout).toMatch(/build error: .*(delimiter|unexpected)/);
      expect(existsSync(at("old.jsonl"))).toBe(false);
    } finally {
      writeFileSync(source, library);
    }
    expect(readFileSync(source, "utf8")).toBe(library);
  });

  test("a name that is not there is told with the nearest, methods by their types", async () => {
    const end = await trace("--instrument", "shapes/src/lib.rs:prase,Point::move", "--", "cargo", "test");
    expect(end.exitCode).toBe(2);
    expect(end.stderr).toMatch(/no function prase among \d+; nearest: parse/);
    expect(end.stderr).toMatch(/no function Point::move among \d+; nearest: Point::moved/);
  });
});
