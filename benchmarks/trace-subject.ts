/**
 * The program on which the benchmark compares tracers: a crate with many small functions, and a script that builds it,
 * runs it and measures its time.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Subject {
  /** In `src/lib.rs`. */
  readonly functions: number;
  /** How often the program calls each of them. */
  readonly rounds: number;
}

export interface SubjectParts {
  /** Lines of `[dependencies]`. */
  readonly dependencies?: string;
  /** Before each function. */
  readonly attribute?: string;
  /** At the beginning of `main`. */
  readonly start?: string;
}

/** Arguments: a number, a text, a structure that derives `Debug`, and an option; the result may be an error. */
export function writeSubject(folder: string, subject: Subject, parts: SubjectParts = {}): void {
  mkdirSync(join(folder, "src"), { recursive: true });
  const manifest = `[package]\nname = "subject"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${parts.dependencies ?? ""}`;
  writeFileSync(join(folder, "Cargo.toml"), manifest);
  writeFileSync(join(folder, ".gitignore"), "target/\n");
  writeFileSync(join(folder, "measure.sh"), script);
  writeFileSync(join(folder, "src/lib.rs"), libraryText(subject, parts.attribute ?? ""));
  writeFileSync(join(folder, "src/main.rs"), mainText(subject, parts.start ?? ""));
}

function libraryText({ functions }: Subject, attribute: string): string {
  const texts = Array.from(
    { length: functions },
    (_, at) => `${attribute}
pub fn step_${at}(number: u32, text: &str, point: &Point, limit: Option<u32>) -> Result<u32, String> {
    if Some(number) == limit {
        return Err(format!("{text} at {number}"));
    }
    Ok(number.wrapping_mul(${at + 3}) ^ point.x ^ text.len() as u32)
}
`,
  );
  return `#[derive(Debug, Clone)]\npub struct Point {\n    pub x: u32,\n    pub y: u32,\n}\n${texts.join("\n")}`;
}

function mainText({ functions, rounds }: Subject, start: string): string {
  const calls = Array.from(
    { length: functions },
    (_, at) =>
      `        sum = sum.wrapping_add(step_${at}(sum, "some text", &point, Some(7)).unwrap_or_default());`,
  );
  return `use subject::*;

fn main() {
    ${start}
    let point = Point { x: 3, y: 4 };
    let mut sum: u32 = 1;
    let begun = std::time::Instant::now();
    for _ in 0..${rounds} {
${calls.join("\n")}
    }
    println!("{} {}", begun.elapsed().as_nanos(), sum);
}
`;
}

/** After a first build the crate alone is built three times more, then the program runs three times; the least of each is printed. */
const script = `set -e
cargo build --offline >/dev/null 2>build.log || { cat build.log >&2; exit 1; }
build=0 run=0
for round in 1 2 3; do
  rm -rf target/debug/.fingerprint/subject-*
  before=$(date +%s%N)
  cargo build --offline >/dev/null 2>&1
  took=$(($(date +%s%N) - before))
  [ $build -ne 0 ] && [ $build -le $took ] || build=$took
done
for round in 1 2 3; do
  took=$(./target/debug/subject | cut -d' ' -f1)
  [ $run -ne 0 ] && [ $run -le $took ] || run=$took
done
echo "measured $build $run" | tee \${MEASURED:-/dev/null}
`;

/** Nanoseconds of a build of the crate alone, and of the program's calls; throws where the script did not come to its end. */
export function readMeasured(output: string): { readonly build: number; readonly run: number } {
  const [, build, run] = /^measured (\d+) (\d+)$/m.exec(output) ?? [];
  if (build === undefined || run === undefined) throw new Error(`nothing was measured:\n${output}`);
  return { build: Number(build), run: Number(run) };
}
