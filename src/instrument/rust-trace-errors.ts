/** What the Rust compiler says in a command's output, in whichever form it was asked to say it. */

export interface RustError {
  readonly message: string;
  readonly path: string;
  readonly line: number;
}

/** Errors with a place, in the order of the output; of those shown as JSON, every primary place. */
export function readRustErrors(output: { readonly stdout: string; readonly stderr: string }): RustError[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours.
  const plain = `${output.stderr}\n${output.stdout}`.replaceAll(/\x1b\[[0-9;]*m/g, "");
  const found: RustError[] = [];
  let message: string | undefined;
  for (const line of plain.split("\n")) {
    if (line.startsWith("{")) found.push(...readMessage(line));
    const short = /^(\S[^:]*\.rs):(\d+):\d+: error(?:\[\w+\])?: (.*)$/.exec(line);
    if (short !== null) found.push({ path: short[1] ?? "", line: Number(short[2]), message: short[3] ?? "" });
    const head = /^(error(?:\[\w+\])?|warning(?:\[\w+\])?): (.*)$/.exec(line);
    if (head !== null) message = head[1]?.startsWith("error") ? `${head[1]}: ${head[2]}` : undefined;
    const place = /^\s*-->\s+(.+?):(\d+):\d+\s*$/.exec(line);
    if (place !== null && message !== undefined) {
      found.push({ path: place[1] ?? "", line: Number(place[2]), message });
      message = undefined;
    }
  }
  return found;
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
  return said.spans
    .filter((span) => span.is_primary === true)
    .map((span) => ({
      path: span.file_name ?? "",
      line: span.line_start ?? 0,
      message: `${code}: ${typeof said.message === "string" ? said.message : ""}`,
    }));
}

const notBuilt =
  /^error: could not compile |^error: aborting due to |"reason":"build-finished","success":false/m;

/** The first errors where the program was not built; none where it was. */
export function rustBuildErrors(output: { readonly stdout: string; readonly stderr: string }): string[] {
  if (!notBuilt.test(output.stderr) && !notBuilt.test(output.stdout)) return [];
  const errors = readRustErrors(output).map(({ path, line, message }) => `${path}:${line}: ${message}`);
  return [...new Set(errors)].slice(0, 10);
}
