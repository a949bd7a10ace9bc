/** Reads the stack traces in a text, in each language's own form, for any program and version. Pure. */

export interface StatedFrame {
  /**
   * The path as written, with `/`. Java and Kotlin write only the file's name, so Millwright adds the package's
   * folders.
   */
  readonly path: string;
  readonly line: number;
  /** The frame's function without its qualifiers; undefined for code outside of functions. */
  readonly name: string | undefined;
  /** The name before the function: `Parser` in `clap::Parser::parse`. */
  readonly qualifier: string | undefined;
}

interface FrameForm {
  readonly pattern: RegExp;
  /** True if the innermost frame is the last one. */
  readonly isReversed?: true;
}

/** Each pattern matches one line. In Rust and Go, the line above a place names its function. */
const forms: readonly FrameForm[] = [
  { pattern: /File "(?<path>[^"]+)", line (?<line>\d+)(?:, in (?<name>\S.*))?/, isReversed: true }, // Python
  // pytest
  { pattern: /^(?<path>[\w./\\-]+\.py):(?<line>\d+): (?:in (?<name>\S.*)|[A-Z]\w*$)/, isReversed: true },
  { pattern: /\bpanicked at (?:'.*', )?(?<path>[^\s,']+):(?<line>\d+):\d+/ }, // Rust
  { pattern: /^\s*at (?<name>[\w$.<>/-]+)\((?<path>\w+\.(?:java|kts?|scala|groovy)):(?<line>\d+)\)/ },
  { pattern: /^\s*at (?<name>\S.*) in (?<path>\S.*):line (?<line>\d+)/ }, // C#
  // JavaScript; Rust writes the same without a name
  {
    pattern:
      /^\s*at (?:async )?(?:(?<name>\S.*) \()?(?<path>(?:file:\/\/)?[^()\s]+?):(?<line>\d+)(?::\d+)?\)?$/,
  },
  { pattern: /^\s+(?<path>\S+\.go):(?<line>\d+)(?: \+0x[\da-f]+)?$/ },
  { pattern: /(?:^|\s)(?<path>[^\s:]+\.\w+):(?<line>\d+):in [`'](?<name>[^']+)'/ }, // Ruby
  { pattern: /^\s*(?<path>[^\s:]+\.lua):(?<line>\d+): in (?:[a-z]+ )*[<'"](?<name>[^'">]+)/ },
  { pattern: /^\s*#\d+ (?<path>\S+\.php)\((?<line>\d+)\): / },
  { pattern: /\bin (?<path>\S+\.php)(?: on line |:)(?<line>\d+)\b/ },
  { pattern: /^\s*#\d+\s+(?:0x[\da-f]+ in )?(?<name>\S.*) \(.*\) at (?<path>[^\s:]+):(?<line>\d+)$/ }, // gdb
  { pattern: /^\s*#\d+ 0x[\da-f]+ in (?<name>\S.*) (?<path>[^\s:()]+):(?<line>\d+)(?::\d+)?$/ }, // sanitizers
  { pattern: /\bat (?<path>\S+\.p[lm]) line (?<line>\d+)\b/ }, // Perl
];
const nameLines: readonly RegExp[] = [
  /^\s*\d+:\s+(?:0x[\da-f]+ - )?(?<name>\S.*)$/, // Rust
  /^(?:created by )?(?=\S*\.)(?<name>[\w./*()-]+)\([^()]*\)$/, // Go
];

/**
 * Matches paths of the languages' own libraries, whose frames show nothing about the project. Excludes installed
 * packages, which may be in the same folders.
 */
export const standardLibrary =
  /^(?!.*\/(?:gems|node_modules|(?:site|dist)-packages)\/)(?:\/rustc\/|node:|\/usr\/(?:local\/)?(?:go|lib|include)\/|(?:[A-Za-z]:)?\/(?:.*\/)?lib\/python\d[^/]*\/|.*\/rustlib\/src\/)/;

/** Minimum number of consecutive standard-library frames to fold. */
const fewestFolded = 2;

/** Replaces consecutive standard-library frames in the text by one line. */
export function foldStandardFrames(text: string): string {
  const lines = text.split(/\r?\n/);
  const isName = (at: number): boolean => {
    const line = lines[at] ?? "";
    return line.length <= most.line && nameLines.some((form) => form.test(line));
  };
  /** The number of lines of the standard-library frame that begins at this line, or 0. */
  const lengthAt = (at: number): number => {
    const length = isName(at) && !isStandard(lines[at] ?? "", undefined) ? 2 : 1;
    return isStandard(lines[at + length - 1] ?? "", lines[at]) ? length : 0;
  };
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let [end, frames] = [at, 0];
    for (let length = lengthAt(end); length > 0; length = lengthAt(end)) {
      end += length;
      frames += 1;
    }
    if (frames >= fewestFolded) {
      kept.push(`  … ${frames} standard-library frames …`);
      at = end;
    } else {
      kept.push(lines[at] ?? "");
      at += 1;
    }
  }
  // Keeps the original line breaks if nothing is folded.
  return kept.length === lines.length ? text : kept.join("\n");
}

function isStandard(line: string, above: string | undefined): boolean {
  const found = line.length > most.line ? undefined : readFrame(line, above);
  return found !== undefined && standardLibrary.test(found.frame.path);
}

/** Maximum number of characters of the text, and of a line. */
const most = { text: 60_000, line: 1_000 };

/** Returns the frames of a text's stack traces, the innermost of each trace first. */
export function readStackFrames(text: string): StatedFrame[] {
  const ordered: StatedFrame[] = [];
  const reversed: StatedFrame[] = [];
  let above: string | undefined;
  for (const raw of text.slice(0, most.text).split(/\r?\n/)) {
    const line = raw.slice(0, most.line).replace(/^(?:> ?)+/, "");
    const found = readFrame(line, above);
    if (found !== undefined) (found.isReversed ? reversed : ordered).push(found.frame);
    above = nameLines.flatMap((form) => form.exec(line)?.groups?.["name"] ?? [])[0];
  }
  return [...ordered, ...reversed.toReversed()];
}

function readFrame(
  text: string,
  above: string | undefined,
): { readonly frame: StatedFrame; readonly isReversed: boolean } | undefined {
  for (const { pattern, isReversed = false } of forms) {
    const { path = "", line, name = above } = pattern.exec(text)?.groups ?? {};
    if (line === undefined) continue;
    const names = namesOf(name ?? "");
    return {
      frame: {
        path: isBareJava(path)
          ? inPackage(name ?? "", path)
          : path.replace(/^file:\/\//, "").replaceAll("\\", "/"),
        line: Number(line),
        name: names.at(-1),
        qualifier: names.at(-2),
      },
      isReversed,
    };
  }
  return undefined;
}

function isBareJava(path: string): boolean {
  return /^\w+\.(?:java|kts?|scala|groovy)$/.test(path);
}

/** Adds the package's folders: `org.example.Cart.total` in `Cart.java` is in `org/example/Cart.java`. */
function inPackage(name: string, file: string): string {
  const folders = name.replace(/^.*\//, "").split(".").slice(0, -2);
  return [...folders, file].join("/");
}

/** Words for code without a name, and words for kinds of code. */
const noName =
  /^(?:anonymous|module|lambda|locals|listcomp|genexpr|block|rescue|ensure|in|new|async|top|main_script|init|func\d+|h[\da-f]{16}|_)$/;

/** The parts of a frame's name, without generics, arguments and closures. */
function namesOf(text: string): string[] {
  const plain = text
    .replace(/ \[as .*?\]/, "")
    .replace(/lambda\$(\w+)\$\d+/, "$1")
    .replace(/\{\{.*?\}\}|\{[^{}]*\}/g, "")
    .replace(/\([^()*]*\)$/, "");
  return (withoutAngles(plain).match(/[A-Za-z_$][\w$]*/g) ?? []).filter((name) => !noName.test(name));
}

/** Removes generics and the like, also nested ones. */
function withoutAngles(text: string): string {
  let depth = 0;
  let kept = "";
  for (const character of text) {
    if (character === "<") depth += 1;
    else if (character === ">") depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}
