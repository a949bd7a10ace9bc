/** An error of the Rust compiler, read from a command's output. */

export interface RustError {
  readonly message: string;
  /** The error's own place, then other places that its message names. */
  readonly places: readonly RustErrorPlace[];
}

export interface RustErrorPlace {
  readonly path: string;
  readonly line: number;
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

const notBuilt =
  /^error: could not compile |^error: aborting due to |"reason":"build-finished","success":false/m;

/**
 * The output that says that the program was not built. Failing tests may also print compiler errors, but to the other
 * stream.
 */
function buildOutput({ stdout, stderr }: Output): string | undefined {
  const texts = [stderr, stdout].map((text) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours.
    text.replaceAll(/\x1b\[[0-9;]*m/g, ""),
  );
  return texts.find((text) => notBuilt.test(text) && !/^test result: /m.test(text));
}

/**
 * Reads the errors of a build with their places, in the order of the output. Leaves out errors without a place. Reads
 * all of cargo's message formats: human, short and JSON. Empty if the build succeeded.
 */
export function readRustErrors(output: Output): RustError[] {
  const found: RustError[] = [];
  let open: { message: string; places: RustErrorPlace[] } | undefined;
  for (const line of buildOutput(output)?.split("\n") ?? []) {
    if (line.startsWith("{")) found.push(...readMessage(line));
    const short = /^(\S[^:]*\.rs):(\d+):\d+: error(?:\[\w+\])?: (.*)$/.exec(line);
    if (short !== null)
      found.push({ message: short[3] ?? "", places: [{ path: short[1] ?? "", line: Number(short[2]) }] });
    const head = /^(error(?:\[\w+\])?|warning(?:\[\w+\])?): (.*)$/.exec(line);
    if (head !== null) {
      open = head[1]?.startsWith("error") ? { message: `${head[1]}: ${head[2]}`, places: [] } : undefined;
      if (open !== undefined) found.push(open);
    }
    const place = /^\s*(?:-->|:::)\s+(.+?):(\d+):\d+\s*$/.exec(line);
    if (place !== null) open?.places.push({ path: place[1] ?? "", line: Number(place[2]) });
  }
  return found.filter((error) => error.places.length > 0);
}

interface CompilerMessage {
  level?: string;
  message?: string | CompilerMessage;
  code?: { code?: string } | null;
  spans?: { file_name?: string; line_start?: number; is_primary?: boolean }[];
}

function readMessage(line: string): RustError[] {
  let read: CompilerMessage;
  try {
    read = JSON.parse(line) as CompilerMessage;
  } catch {
    return [];
  }
  const said = typeof read.message === "object" ? read.message : read;
  if (said.level !== "error" || !Array.isArray(said.spans)) return [];
  const code = said.code?.code === undefined ? "error" : `error[${said.code.code}]`;
  const spans = [...said.spans].sort((x, y) => Number(y.is_primary === true) - Number(x.is_primary === true));
  const places = spans.map((span) => ({ path: span.file_name ?? "", line: span.line_start ?? 0 }));
  return [{ message: `${code}: ${typeof said.message === "string" ? said.message : ""}`, places }];
}

/** Returns at most ten errors of a build, or cargo's reason for not building. Empty if the build succeeded. */
export function rustBuildErrors(output: Output): string[] {
  const errors = readRustErrors(output).map(
    ({ places: [place], message }) => `${place?.path}:${place?.line}: ${message}`,
  );
  return errors.length > 0 ? [...new Set(errors)].slice(0, 10) : refusedByCargo(output.stderr);
}

/** Errors of cargo before the build: a missing package, an invalid manifest, an unknown target or feature. */
const refusals =
  /^error: (?:no matching package|failed to (?:get|select|parse|load|resolve|download|read)|could not find `Cargo\.toml`|no (?:\w+ )?targets? (?:named|found|matches)|package\(s\) |package ID |the package |the lock file |cannot update the lock file|no matching version|unable to |current package believes|unclosed |invalid )/;
/** Maximum number of lines of the reason. */
const mostReasons = 6;

function refusedByCargo(stderr: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours.
  const lines = stderr.replaceAll(/\x1b\[[0-9;]*m/g, "").split("\n");
  const at = lines.findIndex((line) => refusals.test(line));
  // A built program may print similar lines.
  if (at === -1 || lines.slice(0, at).some((line) => /^\s+(?:Finished|Running) /.test(line))) return [];
  const reasons = lines
    .slice(at)
    .filter((line) => line.trim() !== "" && !/^(?:As a reminder|Caused by)/.test(line))
    .slice(0, mostReasons);
  return [reasons.map((line) => line.trim()).join("; ")];
}
