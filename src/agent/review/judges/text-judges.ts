/** Lists the judges of texts, which run on a thread (`judge-threads.ts`). They read the repository, but run nothing. */
import type { Candidate } from "../../../domain/candidate.ts";
import type { ChangedFile } from "../../code/change.ts";
import type { TaskState } from "../../state/task-state.ts";
import { readAsCode } from "../attacks/loaded-code.ts";
import { listProbedFunctions, type ProbedFunction } from "../careless/probed-functions.ts";
import attackSigns from "../checks/attack-signs.ts";
import carelessCode from "../checks/careless-code.ts";
import form from "../checks/form.ts";
import hiddenErrors from "../checks/hidden-errors.ts";
import reach from "../checks/reach.ts";
import specialCases from "../checks/special-cases.ts";
import weakTests from "../checks/weak-tests.ts";
import type { Finding, TextCheckContext, TextContext } from "../contract.ts";
import { collectExamples, type Example } from "../examples/collect-examples.ts";
import { listNewValues, type NewValues } from "../special-cases/new-values.ts";
import { findParts, type PartsInput } from "../statement/find-parts.ts";
import type { StatedPart } from "../statement/stated-parts.ts";
import { baseFiles } from "../texts/base-files.ts";
import { listRead } from "../texts/too-large.ts";
import { tellUnparsed } from "../texts/unparsed.ts";
import { findAllTwins, type Twin } from "../twins/unchanged-twins.ts";
import { type JudgedTexts, judgeTexts, type TextObjections } from "./judge-texts.ts";

export interface ChangeInput {
  readonly files: readonly ChangedFile[];
}

interface CheckInput extends ChangeInput {
  readonly check: string;
  readonly task: TextCheckContext["task"];
  readonly state: Pick<TaskState, "candidates" | "codePlaces" | "fault" | "testPlaces">;
  readonly candidate: Candidate;
}

interface ExamplesInput extends ChangeInput {
  readonly task: Parameters<typeof collectExamples>[0]["task"];
}

interface NewValuesInput extends ChangeInput {
  readonly statement: string;
}

/**
 * The input and output of each judge, by name. Both are plain data. `within`: trees to read in addition to the base.
 */
interface Judges {
  /** Output: a file that no parser reads; "" if there is none. */
  readonly reading: { readonly input: ChangeInput; readonly output: string };
  readonly objections: { readonly input: JudgedTexts; readonly output: TextObjections };
  readonly check: { readonly input: CheckInput; readonly output: readonly Finding[] };
  readonly twins: { readonly input: ChangeInput; readonly output: readonly Twin[] };
  readonly parts: { readonly input: PartsInput; readonly output: readonly StatedPart[] };
  readonly examples: { readonly input: ExamplesInput; readonly output: readonly Example[] };
  readonly values: { readonly input: NewValuesInput; readonly output: NewValues };
  readonly probed: { readonly input: NewValuesInput; readonly output: readonly ProbedFunction[] };
}

export type TextJudge = keyof Judges;
export type InputOf<Name extends TextJudge> = Judges[Name]["input"];
export type OutputOf<Name extends TextJudge> = Judges[Name]["output"];

const checks = [attackSigns, carelessCode, form, hiddenErrors, reach, specialCases, weakTests];

const judges: {
  readonly [Name in TextJudge]: (context: TextContext, input: InputOf<Name>) => Promise<OutputOf<Name>>;
} = {
  reading: (_, { files }) => tellUnparsed(files),
  objections: judgeTexts,
  async check(context, { check: name, files, task, state, candidate }) {
    const check = checks.find((each) => each.name === name);
    if (check === undefined) throw new TypeError(`There is no check ${name} of texts.`);
    if (name === attackSigns.name)
      return check.read({ ...context, task, change: { files } }, state, candidate);
    const code = await readAsCode(listRead(files), baseFiles(context.workspace));
    const found = await check.read({ ...context, task, change: code }, state, candidate);
    return found.map((finding) => ({ ...finding, text: code.tell(finding.text) }));
  },
  twins: ({ workspace, regions }, { files }) =>
    findAllTwins({ files: listRead(files), base: baseFiles(workspace), regions }),
  parts: findParts,
  examples: ({ workspace }, { task, files }) =>
    collectExamples({ task, files: listRead(files), base: baseFiles(workspace) }),
  values: ({ regions }, { files, statement }) =>
    listNewValues({ files: listRead(files), statement, regions }),
  probed: (_, { files, statement }) => listProbedFunctions(listRead(files), statement),
};

export function callJudge<Name extends TextJudge>(
  name: Name,
  context: TextContext,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return judges[name](context, input);
}
