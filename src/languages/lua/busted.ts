import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type TestCommand,
} from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { assignedBy, parseShell } from "../javascript/javascript-shell.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";
import { withoutOptions } from "../option-words.ts";
import { parseReportLines } from "../report-lines.ts";
import { encodeSelection } from "../selection-parts.ts";
import { bustedCanary } from "./lua-canary.ts";
import { luaJudging } from "./lua-judging.ts";

interface BustedCommand {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Words that start it: [`busted`], [`lua_modules/bin/busted`]. */
  readonly start: readonly string[];
  readonly options: readonly string[];
  readonly files: readonly string[];
}

/** Options with a value in the next word. */
const valued =
  /^(?:-[psmdtroReEf]|--(?:pattern|exclude-pattern|lpath|cpath|directory|tags|exclude-tags|output|loaders|helper|lua|run|config-file|filter|filter-out|name|repeat|seed|lang|Xoutput|Xhelper|coverage-config-file|log-success))$/;
/** Options that Millwright sets itself, or that only change the display. */
const dropped =
  /^(?:-o|--output|-v|--verbose|-c|--coverage|--(?:no-)?keep-going|-k|--(?:no-)?auto-insulate-output|--Xoutput|--repeat|-l|--list|--(?:no-)?enable-sound|--(?:no-)?suppress-pending|--(?:no-)?defer-print|--shuffle(?:-files|-tests)?|--seed|--randomize)$/;

function readBusted(
  text: string,
  directory = "",
  given: Readonly<Record<string, string>> = {},
): BustedCommand | undefined {
  const commands = parseShell(text);
  if (commands === undefined) return undefined;
  let current = directory;
  for (const command of commands) {
    const words = command.words.map((word) => word.text);
    const at = words.findIndex((word) => posix.basename(word) === "busted");
    if (words[0] === "cd") current = enterFolder(current, words[1] ?? "");
    else if (words[0] === "luarocks" && words[1] === "test")
      return { directory: current, env: given, start: ["busted"], options: [], files: [] };
    else if (at === 0 || (at > 0 && /^(?:lua[\d.]*|luajit|resty|exec)$/.test(words[at - 1] ?? ""))) {
      return {
        directory: current,
        env: { ...given, ...assignedBy(command) },
        start: words.slice(0, at + 1),
        ...splitOptions(words.slice(at + 1)),
      };
    }
  }
  return undefined;
}

function splitOptions(words: readonly string[]): Pick<BustedCommand, "options" | "files"> {
  const options: string[] = [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [name = ""] = word.split("=");
    const value = valued.test(word) ? words[++at] : undefined;
    if (!word.startsWith("-")) files.push(word);
    else if (!dropped.test(name) && word !== "--")
      options.push(word, ...(value === undefined ? [] : [value]));
  }
  return { options, files };
}

function formatBusted({ env, start, options, files }: Omit<BustedCommand, "directory">): string {
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return [...pairs, ...[...start, ...options, ...files].map(quoteWord)].join(" ");
}

function detect(project: ProjectView): TestCommand[] {
  const specs = project.files.filter(
    (file) => /(?:^|\/)[\w.-]*_spec\.lua$/.test(file) && !/(^|\/)(lua_modules|vendor|deps)\//.test(file),
  );
  const config = project.files.find((file) => /(?:^|\/)\.busted$/.test(file));
  if (specs.length === 0 && config === undefined) return [];
  const own = project.exists("lua_modules/bin/busted") ? "lua_modules/bin/busted" : "busted";
  const found: TestCommand[] = [];
  for (const { text, directory, env, foundBy, trust } of listWrittenCommands(project)) {
    const read = readBusted(text, directory, env);
    if (
      read === undefined ||
      read.files.some(
        (file) => !project.files.some((one) => one.startsWith(posix.join(read.directory, file))),
      )
    )
      continue;
    const kept = Object.fromEntries(
      Object.entries(read.env).filter(([name, value]) => name.startsWith("LUA_") && !/[$`]/.test(value)),
    );
    found.push(
      makeCommand({ ...read, env: kept, start: read.start.length > 1 ? read.start : [own] }, foundBy, trust),
    );
  }
  const directory = config === undefined ? "" : posix.dirname(config) === "." ? "" : posix.dirname(config);
  const folders = [...new Set(specs.map((file) => file.split("/")[0] ?? ""))];
  const isStandard = config !== undefined || folders.includes("spec");
  const files = isStandard ? [] : folders.map((folder) => (folder.endsWith(".lua") ? "." : folder));
  found.push(
    makeCommand(
      { directory, env: {}, start: [own], options: [], files: [...new Set(files)] },
      config ?? specs[0] ?? "",
      0.8,
    ),
  );
  const seen = new Set<string>();
  return found
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter((one) => !seen.has(one.command) && seen.add(one.command));
}

function makeCommand(read: BustedCommand, foundBy: string, likelihood: number): TestCommand {
  return { framework: "busted", directory: read.directory, command: formatBusted(read), foundBy, likelihood };
}

/** Options by which busted chooses tests. Chosen ones take their place. */
const choosing = /^(?:-t|--(?:tags|exclude-tags|filter|filter-out|name))$/;

function invoke(request: InvocationRequest): Invocation {
  const { paths, command, selection } = request;
  const read = readBusted(command.command, command.directory) ?? {
    env: {},
    start: ["busted"],
    options: [],
    files: [],
  };
  const runtime = `${paths.runtime}/lua`;
  const named =
    selection.kind === "all"
      ? undefined
      : selection.kind === "files"
        ? selection.files
        : selection.tests.map((key) => key.target);
  const files =
    named === undefined
      ? read.files
      : [...new Set(named)].map((file) => posix.relative(`/${command.directory}`, `/${file}`));
  return {
    run: [
      "/bin/sh",
      `${runtime}/millwright-busted.sh`,
      ...read.start,
      ...(selection.kind === "tests" ? withoutOptions(read.options, choosing) : read.options),
      `--output=${runtime}/millwright_busted.lua`,
      ...(request.stopAtFirstFailure ? ["--no-keep-going"] : []),
      ...(request.varied === true ? ["--shuffle", "--seed=4711"] : []),
      ...files,
    ],
    env: {
      ...read.env,
      MILLWRIGHT_ROOT: paths.root,
      MILLWRIGHT_REPORT: paths.report,
      MILLWRIGHT_CHANNEL: paths.channel,
      MILLWRIGHT_TEST_SECONDS: String(request.testTimeoutMs / 1000),
      MILLWRIGHT_COVERAGE: request.coverage ? "1" : "0",
      ...encodeSelection(selection),
    },
  };
}

export default defineTestFramework({
  name: "busted",
  language: "lua",
  description: "busted 2, with Millwright's output handler",
  coverage: "tracer",
  judging: luaJudging,
  detect,
  recognise(command) {
    const read = readBusted(command);
    return read && makeCommand(read, "--test-command", 1);
  },
  canary: bustedCanary,
  varies: "in shuffled order",
  invoke,
  parse: parseReportLines,
});
