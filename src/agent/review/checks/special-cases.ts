import { grep, searchedPaths } from "../../../graph/retrieval/grep.ts";
import { isSourceFile } from "../../../languages/source-files.ts";
import { addedLines, readSource } from "../change.ts";
import { defineReviewCheck, type Finding, type ReviewContext } from "../contract.ts";
import { isCommon, type Literal, listDeciding } from "../literals.ts";
import { readShownLiterals } from "../shown-literals.ts";

const mostLiterals = 20;

export default defineReviewCheck({
  name: "special-cases",
  description: "Finds decisions by values that occur in the tests or examples, and nowhere in the code.",
  async run(context, state) {
    const decided = await listDecided(context);
    if (decided.length === 0) return [];
    const shown = await readShownLiterals(context, state);
    const copied = decided.filter(({ literal }) => shown.has(literal.value)).slice(0, mostLiterals);
    const strange: typeof copied = [];
    for (const each of copied) if (!(await isInCode(context, each.literal))) strange.push(each);
    return strange.map(
      ({ path, literal }): Finding => ({
        weight: "doubt",
        text: `${path}:${literal.line} decides by ${literal.isNumber ? literal.value : JSON.stringify(literal.value)}, a value of ${shown.get(literal.value)} that the code has nowhere else: it may be made for that input alone.`,
      }),
    );
  },
});

interface Decided {
  readonly path: string;
  readonly literal: Literal;
}

/** Each value once for each file. */
async function listDecided({ change }: ReviewContext): Promise<Decided[]> {
  const found = new Map<string, Decided>();
  for (const file of change.files) {
    if (file.isTest || !isSourceFile(file.path)) continue;
    const source = await readSource(file.path, file.after);
    if (source === undefined) continue;
    for (const literal of listDeciding(source, new Set(addedLines(file))))
      if (!isCommon(literal)) found.set(`${file.path} ${literal.value}`, { path: file.path, literal });
  }
  return [...found.values()];
}

/** On the base, in files that are no tests. */
async function isInCode({ view, workspace }: ReviewContext, { value }: Literal): Promise<boolean> {
  await view.lay(workspace.base);
  const { repository } = view.context;
  const paths = searchedPaths(await view.context.graph()).filter(isSourceFile);
  const pattern = `(?<![\\w.])${value.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\w.])`;
  return grep({ repository, paths, pattern, isRegex: true, limit: 1 }).lines.length > 0;
}
