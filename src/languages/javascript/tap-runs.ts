/** Makes the invocations of the runners that report in TAP. Our runtime starts the runner and reads its output. */
import type { Invocation } from "../contract.ts";
import { type ArgumentRules, namesIn, splitArguments } from "./javascript-arguments.ts";
import {
  fileWords,
  findCall,
  makeInvocation,
  namedFiles,
  type RunnerRequest,
  runtimeFile,
} from "./javascript-run.ts";
import { literal } from "./javascript-shell.ts";

export type TapTool = "tape" | "tap" | "ava";

const rules: Record<TapTool, ArgumentRules> = {
  tape: {
    valued: namesIn("-r --require -i --ignore --ignore-pattern --import --loader -C --conditions --env-file"),
    dropped: /^(?:--no-only|--strict|--color|--no-color)$/,
  },
  tap: {
    valued: namesIn(
      "-R --reporter -t --timeout -j --jobs -g --grep -n --node-arg --test-arg --test-regex --files --save --output-file -o --output-dir -d --before --after --coverage-report --coverage-map --include --exclude --tsconfig --statements --branches --lines --functions",
    ),
    dropped:
      /^(?:-R|--reporter|--100|--cov|--coverage|--(?:no|disable|allow-incomplete|allow-empty|show-full|check)-(?:check-)?coverage|--coverage-report|--coverage-map|--statements|--branches|--lines|--functions|--output-file|-o|--output-dir|-d|--save|-s|-w|--watch|-b|--bail|-c|--color|-C|--no-color|--changed|--snapshot)$/,
  },
  ava: {
    valued: namesIn("-c --concurrency -m --match -T --timeout --config --node-arguments"),
    dropped:
      /^(?:-t|--tap|-T|--timeout|-w|--watch|-u|--update-snapshots|-v|--verbose|--color|--no-color|--fail-fast)$/,
  },
};

/** Makes the invocation of a TAP runner. tape needs the names of files; node-tap and AVA find files themselves. */
export function invokeTap(tool: TapTool, request: RunnerRequest): Invocation {
  const call = findCall(request.project, request.command, tool);
  const { options, positionals } = splitArguments(call.args, rules[tool]);
  const files = namedFiles(request);
  // `tap run test/*.js`
  const given =
    tool === "tap" ? positionals.filter((word, index) => index > 0 || word.text !== "run") : positionals;
  const args = [
    literal(tool),
    ...call.program,
    literal("--options"),
    ...options,
    literal("--files"),
    ...(files === undefined ? given : fileWords(call, files)),
  ];
  const program = [literal("node"), literal(runtimeFile(request, "tap-run.cjs"))];
  return makeInvocation(request, call, { program, args });
}
