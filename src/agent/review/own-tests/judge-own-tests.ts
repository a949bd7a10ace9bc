/**
 * Finds objections to deciding tests that the run itself wrote. Such a test may fit only the patch, or not check the
 * stated behaviour.
 */
import type { TaskKind } from "../../../domain/task.ts";
import type { ChangedFile } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { findContradicted, findUncompared } from "../examples/documented-results.ts";
import { listMisplacedNames, listMissingNames, listUnaskedErrors } from "../statement/stated-names.ts";
import { findLeftOut } from "../statement/stated-pairs.ts";
import { findUnasked, readStatedResults } from "../statement/stated-results.ts";
import { statedSubjects } from "../statement/stated-subjects.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import type { OwnTest } from "../texts/own-tests.ts";
import { tellUnshown } from "./feature-examples.ts";
import { findStub } from "./feature-stubs.ts";
import { findMadeFor, leaveOutKnown, listBroughtNames } from "./made-for-patch.ts";
import { findNamesake, findReplaced, findSelfCompared, findStandIn } from "./stand-ins.ts";
import { findSwitchedOn } from "./switched-on.ts";
import { findLook } from "./test-reads-code.ts";

export interface OwnTestsInput {
  readonly kind: TaskKind;
  readonly files: readonly ChangedFile[];
  /** The tests that decide whether the candidate is correct. */
  readonly tests: readonly OwnTest[];
  readonly statement: string;
  readonly base: BaseFiles;
}

/** Kinds in which code must pass tests that existed before it. */
const mends: ReadonlySet<TaskKind> = new Set(["repair", "partial-fix"]);
/** Kinds in which the run's own tests must cover the code and detect its faults. An objection needs only one test. */
const adds: ReadonlySet<TaskKind> = new Set(["feature", "test-generation"]);

export async function judgeOwnTests(input: OwnTestsInput): Promise<Finding[]> {
  const { kind, files, tests, statement, base } = input;
  const own = tests.filter(({ isOfBase }) => !isOfBase);
  if (own.length === 0 || kind === "code-generation") return [];
  const looks = await listLooks(input, own);
  if (adds.has(kind)) return judgeAdded(input, own, looks);
  // An existing test of the repository shows the fault by itself.
  if (own.length < tests.length) return [];
  const made = mends.has(kind) ? await findMadeFor(files, own, statement, base) : new Map<OwnTest, string>();
  const findings = mends.has(kind) ? [] : await judgeContradicted(input, own);
  if (own.every((test) => looks.has(test) || made.has(test))) {
    const [first] = own;
    const look = first && looks.get(first);
    findings.push(
      objection(
        look === undefined
          ? `${first?.name} names \`${first && made.get(first)}\`, which only the patch defines: no test of the fault checks existing behaviour.`
          : `${first?.name} ${look}: no test of the fault checks the code's behaviour.`,
      ),
    );
  }
  const stated = readStatedResults(statement);
  const replaced = findReplaced(
    own,
    stated.map(({ name }) => name),
  );
  if (replaced !== undefined)
    findings.push(
      objection(`${replaced.test.name} replaces \`${replaced.name}\`, the function that it must test.`),
    );
  const unasked = findUnasked(stated, own);
  if (unasked !== undefined)
    findings.push(
      objection(
        `The statement says that \`${unasked.call}\` must return ${unasked.value}, but no test of the fault compares with this result.`,
      ),
    );
  const pair = await findLeftOut(statement, own, base);
  if (pair !== undefined)
    findings.push(
      objection(
        `The statement names \`${pair.asked}\` and \`${pair.leftOut}\` together, but no test of the fault calls \`${pair.leftOut}\`.`,
      ),
    );
  return findings;
}

const objection = (text: string): Finding => ({ weight: "objection", text });

/** Judges tests that must cover code and detect its faults. */
async function judgeAdded(
  input: OwnTestsInput,
  own: readonly OwnTest[],
  looks: ReadonlyMap<OwnTest, string>,
): Promise<Finding[]> {
  const hollow = [...looks].map(([{ name }, look]) => `${name} ${look}, so it checks no behaviour.`);
  const halves = input.kind === "feature" ? await judgeFeature(input, own) : [];
  return [...[...halves, ...hollow].map(objection), ...(await judgeContradicted(input, own))];
}

/**
 * Objects to tests that contradict the documentation or the statement. Do not use it for repairs, which may correct the
 * documentation.
 */
async function judgeContradicted(
  { kind, statement, base }: OwnTestsInput,
  own: readonly OwnTest[],
): Promise<Finding[]> {
  const found = await findContradicted(own, statement, base);
  const left =
    found === undefined && kind === "test-generation"
      ? await findUncompared(own, statement, base)
      : undefined;
  if (left !== undefined)
    return [
      objection(
        `The documentation or the statement shows ${left.shown} for \`${left.call}\`. ${left.test.name} has these inputs, but no new test expects this result.`,
      ),
    ];
  if (found === undefined) return [];
  const { test, call, asked, shown } = found;
  return [
    objection(
      `${test.name} expects ${asked} from \`${call}\`, but the documentation or the statement shows ${shown}.`,
    ),
  ];
}

async function judgeFeature(
  { files, statement, base }: OwnTestsInput,
  own: readonly OwnTest[],
): Promise<string[]> {
  const missing = await leaveOutKnown(listMissingNames(files, statement), base);
  const texts = own.map(({ body, around }) => `${around}\n${body}`);
  const switched = findSwitchedOn(files, own, statement);
  const standIn = findStandIn(own, files, statement);
  const namesake = findNamesake(own, statement);
  const selfCompared = findSelfCompared(own, statement);
  const stub = await findStub(files, statement);
  const unshown = tellUnshown(own, statement, await listBroughtNames(files));
  return [
    ...(unshown === undefined ? [] : [unshown]),
    ...(stub === undefined
      ? []
      : [
          stub.isConstant
            ? `\`${stub.name}\` in ${stub.file} ignores its input: its result is always the same.`
            : `\`${stub.name}\` in ${stub.file} computes nothing: it only compares its input, and returns literals.`,
        ]),
    ...[...missing].map(
      (name) => `The statement asks for \`${name}\`, but the patch adds nothing with this name.`,
    ),
    ...(switched === undefined
      ? []
      : [
          `${switched.test.name} switches on \`${switched.name}\`, which the patch disables by default: users do not get the requested behaviour.`,
        ]),
    ...(standIn === undefined
      ? []
      : [
          `${standIn.test.name} replaces \`${standIn.name}\`, which the patch adds, and no test checks a result of \`${standIn.asked}\` without this replacement.`,
        ]),
    ...(namesake === undefined
      ? []
      : [`${namesake.test.name} calls its own \`${namesake.asked}\`, not the patch's.`]),
    ...(selfCompared === undefined
      ? []
      : [
          `${selfCompared.test.name} compares results of \`${selfCompared.asked}\` only with its other results: no test states its expected result.`,
        ]),
    ...listMisplacedNames(files, statement).map(
      ({ name, file }) => `The statement asks for \`${name}\` in ${file}, but the file does not define it.`,
    ),
    ...listUnaskedErrors(files, texts, statement).map(
      (name) => `The statement asks for ${name}, which neither the patch nor a new test names.`,
    ),
  ];
}

async function listLooks(
  { files, statement, base }: OwnTestsInput,
  own: readonly OwnTest[],
): Promise<ReadonlyMap<OwnTest, string>> {
  const recorded = [...files.map(({ path }) => path), ...(await base.list())].filter((path) =>
    /\.snap$|__file_?snapshots__/.test(path),
  );
  const recordings = ({ file }: OwnTest): boolean =>
    recorded.some((path) => path.includes(file.slice(file.lastIndexOf("/") + 1)));
  const patched: BaseFiles = {
    list: async () => [...new Set([...(await base.list()), ...files.map(({ path }) => path)])],
    read: async (path) => files.find((file) => file.path === path)?.after ?? base.read(path),
  };
  const found = new Map<OwnTest, string>();
  for (const test of own) {
    const look = await findLook(test, { statement: statedSubjects(statement), base: patched, recordings });
    if (look !== undefined) found.set(test, look);
  }
  return found;
}
