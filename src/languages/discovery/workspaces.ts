import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type Selection,
  type TestCommand,
  type TestFramework,
} from "../contract.ts";
import ava from "../javascript/ava.ts";
import jasmine from "../javascript/jasmine.ts";
import { javascriptJudging } from "../javascript/javascript-judging.ts";
import jest from "../javascript/jest.ts";
import mocha from "../javascript/mocha.ts";
import nodeTest from "../javascript/node-test.ts";
import { needsBuild } from "../javascript/package-imports.ts";
import { readManifest } from "../javascript/package-manifest.ts";
import { listMembers } from "../javascript/package-workspaces.ts";
import tap from "../javascript/tap.ts";
import tape from "../javascript/tape.ts";
import uvu from "../javascript/uvu.ts";
import vitest from "../javascript/vitest.ts";
import { parseReportLines } from "../report-lines.ts";

const frameworks: readonly TestFramework[] = [ava, jasmine, jest, mocha, nodeTest, tap, tape, uvu, vitest];

/** Maximum number of members. A run of all tests of more members takes too long to repeat. */
const mostMembers = 24;
/** Minimum likelihood of a member's command. A wrong guess would mix its results with those of the other members. */
const leastLikelihood = 0.45;

interface Part {
  readonly framework: TestFramework;
  readonly command: TestCommand;
}

/**
 * Joins the members' own test commands if the root's script calls no runner: `npm test -ws`, `pnpm -r test`,
 * `lerna run test`.
 */
function detect(project: ProjectView): TestCommand[] {
  const members = listMembers(project);
  if (members.length === 0) return [];
  const found = frameworks.flatMap((framework) =>
    framework.detect(project).map((command): Part => ({ framework, command })),
  );
  const isRoots = ({ command }: Part): boolean =>
    command.directory === "" && command.foundBy.startsWith("package.json scripts.test");
  if (found.some(isRoots)) return [];
  const parts = members.flatMap(({ directory }) => {
    const own = found.filter(
      ({ command }) => command.directory === directory && command.likelihood >= leastLikelihood,
    );
    return own.sort((a, b) => b.command.likelihood - a.command.likelihood).slice(0, 1);
  });
  if (parts.length < 2 || parts.length > mostMembers) return [];
  const command = parts.map((part) => formatPart(part.command)).join("; ");
  const foundBy = `the test scripts of ${parts.length} packages`;
  const made = { framework: "workspaces", directory: "", command, foundBy, likelihood: 0.88 };
  if (readManifest(project, "")?.scripts["build"] === undefined) return [made];
  const isBuilt = members.some((member) => needsBuild(project, member));
  const built = { ...made, command: `${building}${command}`, likelihood: isBuilt ? 0.89 : 0.87 };
  return isBuilt ? [built, made] : [made, built];
}

/** Built before the tests, because members import each other's built files. */
const building = "npm run build && ";

function formatPart({ directory, command }: TestCommand): string {
  return `(cd ${quoteWord(directory)} && ${command})`;
}

/** The parts of `(cd packages/a && npx jest); (cd packages/b && npx vitest run)`; empty for other commands. */
function readParts(given: string, project: ProjectView): Part[] {
  const text = given.startsWith(building) ? given.slice(building.length) : given;
  if (!/^\(cd .*\)$/s.test(text)) return [];
  return text
    .slice(1, -1)
    .split("); (")
    .flatMap((part) => {
      const [, folder = "", command = ""] = /^cd '?([^\s']+)'? && (.*)$/s.exec(part) ?? [];
      const framework = frameworks.find((one) =>
        one.recognise(`cd ${quoteWord(folder)} && ${command}`, project),
      );
      if (framework === undefined) return [];
      const likelihood = 1;
      return [
        {
          framework,
          command: { framework: framework.name, directory: folder, command, foundBy: "", likelihood },
        },
      ];
    });
}

function recognise(command: string, project: ProjectView): TestCommand | undefined {
  if (readParts(command, project).length === 0) return undefined;
  return { framework: "workspaces", directory: "", command, foundBy: "--test-command", likelihood: 1 };
}

/** Runs one part after the other. A part without a report counts as a target that did not load. */
function invoke(request: InvocationRequest): Invocation {
  const { command, paths, project, selection } = request;
  const parts = readParts(command.command, project);
  const folders = parts.map((part) => part.command.directory);
  const lines: string[] = [];
  const env: Record<string, string> = {};
  for (const part of parts) {
    const { directory } = part.command;
    const own = selectOf(selection, directory, folders);
    if (own === undefined) continue;
    const { run } = part.framework.invoke({ ...request, command: part.command, selection: own });
    // What was asked for is too long for a command line, and each part finds its own in the whole of it.
    const whole = Object.entries(part.framework.invoke({ ...request, command: part.command }).env);
    const isRequest = ([name]: readonly [string, string]): boolean => /^MILLWRIGHT_REQUEST_/.test(name);
    Object.assign(env, Object.fromEntries(whole.filter(isRequest)));
    const script = [
      "set -e",
      ...whole.filter((one) => !isRequest(one)).map(([name, value]) => `export ${name}=${quoteWord(value)}`),
      `cd ${quoteWord(posix.join(paths.root, directory))}`,
      typeof run === "string" ? run : run.map(quoteWord).join(" "),
    ];
    lines.push(`run_part ${quoteWord(directory)} ${quoteWord(script.join("\n"))}`);
  }
  const run = [
    `channel=${quoteWord(paths.channel)}`,
    takeKey,
    ...(command.command.startsWith(building) ? ["npm run build || exit 1"] : []),
    `report=${quoteWord(paths.report)}`,
    `stop=${request.stopAtFirstFailure ? 1 : 0}`,
    partRunner,
    ...lines,
    "exit $code",
  ];
  return { run: run.join("\n"), env };
}

/**
 * The run's key belongs to this shell, which grants a separate key to each part. The shell removes a key that a part
 * did not take, before the next part begins.
 */
const takeKey = 'key=$(dd if="$channel/key" bs=32 count=1 2>/dev/null)';

const partRunner = `code=0 grants=0 failures=0
send() {
  printf '%s %s %d %d\\n%s\\n' "$key" "$1" "$2" "$(printf '%s\\n' "$3" | wc -c)" "$3" > "$channel/lines"
}
run_part() {
  [ "$code$stop" != 11 ] || return 0
  granted=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
  send grant "$grants" "$granted"
  grants=$((grants + 1))
  printf %s "$granted" > "$channel/key"
  before=$(ls "$report" | wc -l)
  sh -c "$2" || {
    code=1
    [ "$(ls "$report" | wc -l)" != "$before" ] || {
      send parts "$failures" '{"event":"target-failed","package":"","target":"'"$1"'","failure":{"type":"Error","message":"the tests of this package reported nothing","frames":[],"text":"the tests of this package reported nothing"}}'
      failures=$((failures + 1))
    }
  }
  dd if="$channel/key" iflag=nonblock bs=64 count=1 of=/dev/null 2>/dev/null
}`;

/** The part of a selection that is in a member; undefined if nothing is. */
function selectOf(selection: Selection, folder: string, folders: readonly string[]): Selection | undefined {
  if (selection.kind === "all") return selection;
  const isOwn = (file: string): boolean => {
    const holders = folders.filter((one) => file.startsWith(`${one}/`)).sort((a, b) => b.length - a.length);
    return holders[0] === folder;
  };
  if (selection.kind === "files") {
    const files = selection.files.filter(isOwn);
    return files.length === 0 ? undefined : { kind: "files", files };
  }
  const tests = selection.tests.filter((key) => isOwn(key.target));
  return tests.length === 0 ? undefined : { kind: "tests", tests };
}

export default defineTestFramework({
  name: "workspaces",
  language: "javascript",
  description: "the packages of one repository, each with its own runner",
  coverage: "counters",
  judging: javascriptJudging,
  detect,
  recognise,
  invoke,
  parse: parseReportLines,
});
