import { z } from "zod";
import {
  type ActionContext,
  type ActionEnd,
  defineAction,
  describeAction,
  type JudgeContext,
} from "../agent/action.ts";
import { findReplaced, replaceTests } from "../agent/candidates/droppable.ts";
import { hasOwnPatch } from "../agent/candidates/given-attempt.ts";
import { measureLatest } from "../agent/candidates/measure-edit.ts";
import { findMisplaced, guardFiles } from "../agent/candidates/new-test-files.ts";
import { type Checks, checksSchema, linkRequirements, specify } from "../agent/candidates/requirements.ts";
import { mergePlaces } from "../agent/candidates/retrieve-places.ts";
import { rowOfProgram } from "../agent/candidates/run-programs.ts";
import { chooseShown, filesThatCount, type ShownFiles } from "../agent/candidates/shown-files.ts";
import {
  type ProgramWork,
  programsSchema,
  takePrograms,
  takesPrograms,
  tellKept,
} from "../agent/candidates/shown-programs.ts";
import { targetSection } from "../agent/candidates/target-text.ts";
import { tellRow } from "../agent/candidates/tell-row.ts";
import { describeTests, noneFails, tellStrangers } from "../agent/candidates/tests-from-answer.ts";
import { keepWritten, runWritten, type WrittenTests } from "../agent/candidates/written-tests.ts";
import { takenFiles, tellUnbuilt } from "../agent/code/built-tests.ts";
import { toolsOver } from "../agent/code/code-tools.ts";
import { placesNamed } from "../agent/code/edit-places.ts";
import { exampleOf } from "../agent/code/existing-tests.ts";
import { renderLikely } from "../agent/code/likely-places.ts";
import { foldStandardFrames } from "../agent/code/stack-frames.ts";
import { openTryOut, tryOutPart } from "../agent/code/try-out.ts";
import { withoutPrograms } from "../agent/measure/run-program.ts";
import { showReplaced } from "../agent/review/reviewer/show-replaced.ts";
import { renderFailures, renderState } from "../agent/state/render-state.ts";
import { addPrograms } from "../agent/state/standalone-program.ts";
import type { Place, TaskState } from "../agent/state/task-state.ts";
import { listTests } from "../agent/state/test-titles.ts";
import { type ThinkTool, type ToolReply, think } from "../agent/think/think.ts";
import { countOf } from "../base/count.ts";
import { formatTestKey, type TestKey } from "../domain/test-outcome.ts";
import ask from "./ask.ts";
import { authorPrompt } from "./reproduction.prompt.ts";

/** The test author's findings about the code. */
const found = {
  places: z
    .array(z.string())
    .default([])
    .describe(
      "FILE:START-END of code that you read and that determines the behaviour, for the author of the change",
    ),
  seen: z
    .string()
    .default("")
    .describe(
      "one or two sentences for the author of the change: the behaviour at these places, as you read or observed it",
    ),
};

const cannot = z.object({
  because: z
    .enum(["no-output", "environment", "shown-already", "unclear"])
    .describe(
      "no-output: no test can observe the problem; environment: a test needs something that is missing here; shown-already: existing tests already fail because of the problem; unclear: the statement leaves the expected behaviour open",
    ),
  reason: z
    .string()
    .min(1)
    .describe(
      "the behaviour in question, and the reason for `because`: why no test can observe it, what is missing, which existing tests already show it, or what the statement leaves open",
    ),
  places: found.places.describe("as in `show`"),
  seen: found.seen.describe("as in `show`"),
});
/** The author's tests, or the reason why no test can show the fault. */
type Ended = WrittenTests | OnlyPrograms | { readonly cannot: z.infer<typeof cannot> };
/** The end of a work with standalone programs, and without tests. */
interface OnlyPrograms {
  readonly onlyPrograms: true;
}

const shown = z.object({
  files: z.array(z.string()).default([]).describe("the test files that you wrote"),
  programs: programsSchema,
  because: z
    .string()
    .default("")
    .describe(
      "the tests' result today, and the words of the statement that describe this result. Example: an empty entry gives the tuple ('', ''), and the statement calls this tuple wrong. If the statement contains no name, message or value of the result, the explanation counts only as your opinion.",
    ),
  ...found,
});

/** The tool's input if the task has a list of requirements. */
const checking = shown.extend({
  requirements: checksSchema.default([]).describe("for each requirement, your tests that check it"),
});
type Said = z.infer<typeof checking>;

/** The tool's input without standalone programs, and without tests. */
const inputOf = (context: Pick<ActionContext, "suite" | "task">, state: TaskState): z.ZodObject => {
  if (context.suite.lacks !== undefined) return shown.omit({ files: true });
  const whole = state.requirements.length === 0 ? shown : checking;
  return takesPrograms(context.task.kind) ? whole : whole.omit({ programs: true });
};

export default defineAction({
  name: "reproduction",
  description:
    "Writes tests that fail because of the reported fault or the missing code, and runs them on the base. The tests go into new files, or into a file with other tests of this code. If no test can show a fault, writes a standalone program. Use this action if no test shows the fault yet, or if only weak tests show it.",
  input: z.object({
    intent: z.string().default("").describe("the behaviour to show; absent: the reported behaviour"),
    replaces: z
      .array(z.string())
      .optional()
      .describe(
        "wrong tests of this run, which no candidate passes. The newest patch must pass another test of the fault, and break no test of the repository. Millwright removes the wrong tests once new tests fail for the stated reason",
      ),
  }),
  example: { intent: "The total of a cart with one entry is 0 instead of the price of the entry." },
  kinds: ["repair", "partial-fix", "code-generation"],
  needsTests: ["code-generation"],
  effect: "writes",
  reads: ["codePlaces", "testPlaces", "fault"],
  writes: ["codePlaces", "answers", "requirements", "candidates", "fault", "rows", "assumptions", "programs"],
  parts: [tryOutPart],
  async run(context, before, { intent, replaces }) {
    const replaced = findReplaced(context, before, replaces ?? []);
    if (!replaced.ok) return { state: before, text: replaced.message, isError: true };
    // Tests are derived from the specification, and the patch is checked against the same list.
    const state = await specify(context, before);
    await context.view.lay(context.workspace.base);
    const work: Work = {
      known: undefined,
      isAskedForMore: false,
      shown: [],
      counted: [],
      toldStrangers: false,
      toldUnbuilt: false,
      places: [],
      checks: [],
      says: "",
      assumptions: state.assumptions,
      seen: [],
      kept: [],
    };
    const tried = await openTryOut(context);
    const own = [showTool(context, state, work), cannotTool, ...askTools(context, state, work)];
    const ended = await think(context, {
      role: "reproduction",
      system: authorPrompt({
        hasTests: context.suite.lacks === undefined,
        takesPrograms: takesPrograms(context.task.kind),
      }),
      opening: await openingOf(context, state, intent, replaced.value),
      tools: [...guardFiles(context, state, toolsOver(context, "reproduction")), ...tried.tools, ...own],
      maxSteps: 25,
    }).finally(() => tried.close());
    if (ended.kind === "ended" && "onlyPrograms" in ended.value && work.known === undefined)
      return withKept({ state: withFound(state, work), text: "No new test shows the fault." }, work);
    if (ended.kind === "ended" && "cannot" in ended.value && work.known === undefined) {
      const { because, reason, places, seen } = ended.value.cannot;
      work.places = [...work.places, ...(await placesNamed(context, places))];
      if (seen.trim() !== "") work.says = seen.trim();
      const onward =
        noTest.has(because) && work.kept.length === 0
          ? " Make the change without a test, and call `finish` with `unverifiable`. If the repository already does what the statement asks, use `nothingToChange`."
          : "";
      const text = `The test author wrote no test (${because}): ${reason}${onward}`;
      return withKept({ state: withFound(state, work), text, isError: true }, work);
    }
    // More or better tests were requested but did not come: those shown count.
    const written = ended.kind === "ended" && "failing" in ended.value ? ended.value : work.known;
    if (written === undefined) {
      const why = ended.kind === "stopped" ? ended.message : "the test author ended the work without a test";
      const text = `No new test shows the fault: ${why}.`;
      return withKept({ state: withFound(state, work), text, isError: true }, work);
    }
    const end = await keep(context, withFound(state, work), written, replaced.value);
    return withKept(end, work);
  },
});

/**
 * Adds the kept programs to the state, and tells them with the author's description. An end with a kept program is no
 * error.
 */
export function withKept(end: ActionEnd, { kept, says }: Pick<Work, "kept" | "says">): ActionEnd {
  const { state, text, isError } = end;
  const told = kept.length === 0 ? [] : [tellKept(kept)];
  const said = says === "" ? [] : [`The author of the tests says: ${says}`];
  const rows = [...state.rows, ...kept.map((program) => rowOfProgram("base", program, program.base))];
  return {
    ...end,
    ...(isError === true && { isError: kept.length === 0 }),
    state: kept.length === 0 ? state : { ...state, programs: addPrograms(state.programs, kept), rows },
    text: [text, ...told, ...said].join("\n\n"),
  };
}

/** Reasons that end the work without a test. */
const noTest: ReadonlySet<string> = new Set(["no-output", "environment"]);

/** Adds the author's findings: places in the code (each once), checked requirements, and answers to questions. */
function withFound(
  state: TaskState,
  { places: named, says, checks, assumptions }: Pick<Work, "places" | "says" | "checks" | "assumptions">,
): TaskState {
  const codePlaces = mergePlaces(state.codePlaces, named);
  const answers = says === "" ? state.answers : { ...state.answers, seen: says };
  const requirements = linkRequirements(state.requirements, checks);
  return { ...state, codePlaces, answers, requirements, assumptions };
}

/** Token budget for code, if no model has searched yet. */
const likelyTokens = 1_200;
/** Lines of a test file shown as an example. */
const linesOfExample = 50;

async function openingOf(
  context: Pick<ActionContext, "suite" | "view" | "likely" | "task" | "workspace" | "frameworks">,
  state: TaskState,
  intent: string,
  replaced: readonly TestKey[],
): Promise<string> {
  const { task } = context;
  const { places = [], tests: nearTests = [] } = context.likely ?? {};
  const found = [...state.testPlaces, ...state.codePlaces];
  const aimed = task.target?.split(":").slice(0, 1) ?? [];
  const near = [...aimed, ...(found.length > 0 ? found : [...nearTests, ...places]).map(({ file }) => file)];
  const likely =
    context.likely === undefined || found.length > 0 || hasOwnPatch(state)
      ? ""
      : await renderLikely(context, context.likely, likelyTokens);
  const known = renderState(state);
  const { lacks } = context.suite;
  const tests =
    lacks === undefined
      ? await describeTests(context, [...new Set(near)], {
          example: await exampleOf(context, state),
          lines: linesOfExample,
          files: 12,
          statement: task.statement,
        })
      : `Millwright knows no command that runs tests: ${lacks}.`;
  return [
    `# The statement\n\n${foldStandardFrames(task.statement)}`,
    ...(await targetSection(context)),
    ...(known === "" ? [] : [`# Known so far\n\n${known}`]),
    ...(likely === "" ? [] : [`# Likely places\n\n${likely}`]),
    `# The repository's tests, and places for new ones\n\n${[tests, ...(await listWritten(context, state))].join("\n\n")}`,
    ...(await showReplaced(context, state, replaced)),
    ...(intent === "" ? [] : [`# What the tests must show\n\n${intent}`]),
  ].join("\n\n");
}

/** Lists the files of earlier reproductions. The trees shown here do not contain them, but their names are taken. */
async function listWritten(
  { workspace: { trees, base } }: Pick<ActionContext, "workspace">,
  { candidates }: TaskState,
): Promise<string[]> {
  const made = candidates.filter(({ kind }) => kind === "reproduction");
  const stats = await Promise.all(
    made.map(async ({ id, tree }) => ({ id, files: await trees.stat(base, tree) })),
  );
  const named = stats.map(({ id, files }) => `${id}: ${files.map(({ path }) => path).join(", ")}`);
  return named.length === 0
    ? []
    : [
        `Earlier tests of this run, not visible here: ${named.join("; ")}. They stay unchanged: write into other files.`,
      ];
}

interface Work extends ShownFiles, ProgramWork {
  /** The tests that already show the fault, if the request is for more or better tests. */
  known: WrittenTests | undefined;
  /** True if only one test showed the fault, and Millwright already asked for others. */
  isAskedForMore: boolean;
  /** True if some tests show the fault, and Millwright told the author which ones fail for another reason. */
  toldStrangers: boolean;
  /** True if Millwright told the author which files the build omits. */
  toldUnbuilt: boolean;
  /** Places in the code, named by the author. */
  places: readonly Place[];
  /** The author's latest description of these places. */
  says: string;
  /** The latest assignment of tests to requirements. */
  checks: Checks;
  /** The context, with the answers to the author's questions. */
  assumptions: TaskState["assumptions"];
}

/**
 * Returns the action `ask` as a tool. Tests decide how Millwright reads the statement, and no planner chooses an action
 * before them. Returns no tool for a strategy that takes the first result.
 */
function askTools(
  context: ActionContext,
  state: TaskState,
  work: Pick<Work, "assumptions">,
): ThinkTool<never>[] {
  const { rules, without } = context.switches;
  if (!rules || without.includes(ask.name) || context.advise === false) return [];
  return [
    {
      name: ask.name,
      description: describeAction(ask),
      input: ask.input,
      async run(asked) {
        const { assumptions } = work;
        const end = await ask.run(context, { ...state, assumptions }, asked);
        work.assumptions = end.state.assumptions;
        return { text: end.text, ...(end.isError === true ? { isError: true } : {}) };
      },
    },
  ];
}

const cannotTool: ThinkTool<Ended> = {
  name: "cannot-show",
  description:
    "Ends the work without new tests: no test can show the problem here, existing tests already show it, or the expected behaviour is unclear.",
  input: cannot,
  run: async (input) => ({ text: "Noted.", end: { cannot: cannot.parse(input) } }),
};

/**
 * The request for a second test. A patch can easily overfit a single test, and Millwright cannot hold a single test
 * back.
 */
const askForMore =
  "One test fails for the stated reason. A patch can easily be fitted to one test. Write at least two more tests, independent of the first, with other inputs that follow from the statement (its boundaries, other values, another entry point). Then call `show` again with all files. If the statement concerns only one input, call `show` again with the same files.";

const sayBecause =
  "If the product's own code fails as the statement reports, but in other words, call `show` again and explain this in `because`. Millwright then counts the explanation as your opinion.";

/** Asks for an explanation, if the rule cannot decide some failures. For other failures, no explanation counts. */
function hintOf({ isUndecided }: WrittenTests, because: string): string {
  return because === "" && isUndecided === true ? `\n\n${sayBecause}` : "";
}

function isSingle(
  { advise }: Pick<ActionContext, "advise">,
  { fault }: TaskState,
  { failing }: WrittenTests,
): boolean {
  // A faithful strategy accepts the first result.
  return advise !== false && failing.length + (fault?.targets.length ?? 0) === 1;
}

/**
 * True if it is worth asking the author to mend the tests that do not count. If most tests count, the additional
 * message costs too much.
 */
function isWorthTelling({ failing, strangers }: WrittenTests): boolean {
  return strangers.length > 0 && (failing.length < fewestShown || strangers.length > failing.length);
}
const fewestShown = 3;

function showTool(
  context: JudgeContext & Pick<ActionContext, "advise">,
  state: TaskState,
  work: Work,
): ThinkTool<Ended> {
  return {
    name: "show",
    description:
      "Runs the new tests and programs on the unchanged code. Ends the work once enough of them fail for the stated reason; otherwise reports the results or the next step.",
    input: inputOf(context, state),
    async run(input) {
      const said = checking.parse(input);
      if (said.requirements.length > 0) work.checks = said.requirements;
      if (said.files.length + said.programs.length === 0)
        return { text: "Name the files or programs that you wrote.", isError: true };
      work.places = [...work.places, ...(await placesNamed(context, said.places))];
      if (said.seen.trim() !== "") work.says = said.seen.trim();
      const problem = await findMisplaced(context, state);
      if (problem !== undefined) return { text: problem, isError: true };
      const programs = await takePrograms(context, work, context.view.tree(), said.programs);
      if (said.files.length === 0) return endWithPrograms(context, programs);
      const reply = await showTests(context, state, work, said);
      if (reply.end === undefined || programs.isKept)
        return programs.text === "" ? reply : { ...reply, text: `${programs.text}\n\n${reply.text}` };
      if ("failing" in reply.end) work.known = reply.end;
      return { text: `${programs.text}\n\n${keepTheProgram}`, isError: true };
    },
  };
}

const keepTheProgram =
  "If a program fails because of the reported problem, call `show` again with the same files: Millwright then keeps the program. Otherwise correct it, or leave it out.";
const writeTestToo =
  "A program alone verifies no patch. If the framework's tests can show the problem, write a test, too.";

/** Asks the author once whether the programs fail because of the reported problem. */
function endWithPrograms(
  { suite }: Pick<ActionContext, "suite">,
  { programs, text, isKept }: Awaited<ReturnType<typeof takePrograms>>,
): ToolReply<Ended> {
  if (isKept) return { text: "Shown.", end: { onlyPrograms: true } };
  const next = [keepTheProgram, ...(suite.lacks === undefined ? [writeTestToo] : [])].join(" ");
  return { text: programs.length === 0 ? text : `${text}\n\n${next}`, isError: true };
}

/** Runs the shown test files, and earlier ones whose tests counted. */
async function showTests(
  context: JudgeContext & Pick<ActionContext, "advise">,
  state: TaskState,
  work: Work,
  said: Said,
): Promise<ToolReply<Ended>> {
  const files = await chooseShown(context, work, said.files);
  const tree = await withoutPrograms(context.workspace, context.view.tree());
  // Some files are data of other tests, so the same files run if they are shown again.
  const unbuilt = work.toldUnbuilt
    ? []
    : await tellUnbuilt(context, tree, files, await takenFiles(context.workspace, state));
  if (unbuilt.length > 0) {
    work.toldUnbuilt = true;
    return { text: unbuilt.join("\n"), isError: true };
  }
  const ran = await runWritten(context, tree, files, { because: said.because });
  if (!ran.ok) return { text: ran.message, isError: true };
  const { failing, strangers, guards } = ran.value;
  work.counted = filesThatCount(files, ran.value);
  if (failing.length > 0) {
    if (isWorthTelling(ran.value) && !work.toldStrangers && context.advise !== false) {
      work.toldStrangers = true;
      work.known = ran.value;
      return { text: `${tellStrangers(ran.value)}${hintOf(ran.value, said.because)}`, isError: true };
    }
    if (!isSingle(context, state, ran.value) || work.isAskedForMore)
      return { text: "Shown.", end: ran.value };
    work.known = ran.value;
    work.isAskedForMore = true;
    return { text: askForMore };
  }
  if (strangers.length === 0) return { text: await noneFails(context, files, guards.length), isError: true };
  return { text: `${tellStrangers(ran.value)}${hintOf(ran.value, said.because)}`, isError: true };
}

async function keep(
  context: JudgeContext & Pick<ActionContext, "measuresEdits" | "switches">,
  before: TaskState,
  written: WrittenTests,
  replaced: readonly TestKey[],
): Promise<ActionEnd> {
  const kept = await keepWritten(context, before, written, holdLike(before, replaced));
  if (!kept.ok) return { state: before, text: kept.message, isError: true };
  const { id, targets, heldBack, flaky } = kept.value;
  const { failing, strangers, guards, evidence } = written;
  const state =
    targets.length === 0 ? kept.value.state : replaceTests(context, kept.value.state, replaced, id);
  const measured = await measureLatest(context, state);
  const told = measured === undefined ? [] : [tellRow(context, measured.state, measured.row)];
  const all = failing.length + strangers.length + guards.length;
  const isAlone = targets.length === 1 && state.fault?.targets.length === 1;
  const alone = `Only one test fails for the stated reason (${targets.map(formatTestKey).join("")}), so no test was held back from the author of the patch.`;
  const assumptions = [...state.assumptions, ...(isAlone && context.switches.heldBack ? [alone] : [])];
  const counts = [
    `${targets.length} ${targets.length === 1 ? "fails" : "fail"} for the stated reason (${evidence})`,
    ...(strangers.length === 0
      ? []
      : [`dropped, because the failure has another reason: ${listSome(strangers.map(({ key }) => key))}`]),
    ...(flaky.length === 0 ? [] : [`dropped as flaky (passed on a second run): ${flaky.length}`]),
    ...(guards.length === 0
      ? []
      : [
          `${countOf(guards.length, "test passes", "tests pass")} today: kept as ${guards.length === 1 ? "a guard" : "guards"}`,
        ]),
    ...(heldBack.length === 0 ? [] : [`${heldBack.length} held back from the author of the patch`]),
    ...(isAlone ? ["no other test shows the fault, so Millwright holds back none"] : []),
    ...(state === kept.value.state ? [] : [`replacing ${listTests(replaced)}`]),
  ];
  const held = new Set(heldBack.map(formatTestKey));
  const visible = failing.filter(({ key }) => !held.has(formatTestKey(key)) && targets.includes(key));
  const head = `Reproduction ${id}: ${all} written; ${counts.join("; ")}.`;
  return {
    state: { ...(measured?.state ?? state), assumptions },
    text: [head, ...renderFailures(visible), ...told].join("\n\n"),
  };
}

/** Maximum number of tests to name. */
const mostNamed = 5;

function listSome(keys: readonly TestKey[]): string {
  const more = keys.length - mostNamed;
  return `${listTests(keys.slice(0, mostNamed))}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Holds back a test that replaces a held-back one, if another test stays visible. */
function holdLike({ fault }: TaskState, replaced: readonly TestKey[]): "all" | "third" {
  const hidden = new Set((fault?.heldBack ?? []).map(formatTestKey));
  const gone = new Set(replaced.map(formatTestKey));
  const left = (fault?.targets ?? []).map(formatTestKey).filter((id) => !hidden.has(id) && !gone.has(id));
  return left.length > 0 && [...gone].some((id) => hidden.has(id)) ? "all" : "third";
}
