/**
 * The first level of localisation: finds suspicious files. A model names some from the tree of the repository, and
 * retrieval finds others.
 */
import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { askModel } from "../../agent/think/sampling.ts";
import { openKeptVectors } from "../../graph/retrieval/kept-vectors.ts";
import { findWithModels } from "../../graph/retrieval/with-models.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import { filesPrompt, foldersPrompt } from "./locate.prompt.ts";
import { renderTree } from "./render-tree.ts";

/** Maximum number of files from each list, and from both together. */
const taken = 3;
const mostNamed = 5;

const filesSchema = z.object({
  files: z.array(z.string()).describe(`paths from the tree, the likeliest first, at most ${mostNamed}`),
});
const foldersSchema = z.object({
  folders: z.array(z.string()).describe("folders of the tree, with the path from its top"),
});

/** Locates at most three files, the likeliest first. */
export async function locateFiles(run: StagedRun): Promise<readonly string[]> {
  const { context } = run;
  const { trees, base } = context.workspace;
  const paths = (await trees.list(base)).map(({ path }) => path).filter(isSourceFile);
  const question = `# Statement\n\n${context.task.statement}\n\n# Tree\n\n${renderTree(paths)}`;
  const named = await performStage(run, {
    name: "locate-files",
    intent: "files to change, from the repository's tree",
    run: async () => {
      const { answer, stopped } = await askModel(context, {
        role: "retrieval",
        system: filesPrompt(mostNamed),
        messages: [{ role: "user", text: question }],
        output: { name: "files", schema: filesSchema },
      });
      return { value: knownFiles(answer?.output?.files ?? [], paths), stopped };
    },
  });
  const retrieved = await performStage(run, {
    name: "retrieve-files",
    intent: "files to change, by retrieval in the remaining folders",
    run: async () => {
      const { answer, stopped } = await askModel(context, {
        role: "retrieval",
        system: foldersPrompt,
        messages: [{ role: "user", text: question }],
        output: { name: "folders", schema: foldersSchema },
      });
      const rest = outside(paths, answer?.output?.folders ?? []);
      return { value: await retrieve(context, new Set(rest)), stopped };
    },
  });
  return combine(named ?? [], retrieved ?? []);
}

/**
 * Returns the existing files that the model names. Ignores a leading `./` or `/`, and the name of the repository's own
 * folder.
 */
function knownFiles(names: readonly string[], paths: readonly string[]): string[] {
  const known = names.flatMap((name) => {
    const path = name.trim().replace(/^\.?\//, "");
    return paths.includes(path) ? [path] : paths.filter((each) => path.endsWith(`/${each}`)).slice(0, 1);
  });
  return [...new Set(known)].slice(0, mostNamed);
}

/** Omits files in these folders. If no file would remain, omits none. */
function outside(paths: readonly string[], folders: readonly string[]): readonly string[] {
  const closed = folders.map((folder) => `${folder.trim().replace(/^\.?\/|\/$/g, "")}/`);
  const rest = paths.filter((path) => !closed.some((folder) => path.startsWith(folder)));
  return rest.length === 0 ? paths : rest;
}

/** Finds files by embeddings if a model for them is configured, otherwise only by the graph's own retrieval. */
async function retrieve(
  context: Pick<ActionContext, "models" | "view" | "task" | "workspace">,
  among: ReadonlySet<string>,
): Promise<string[]> {
  const { view, workspace, models, task } = context;
  await view.lay(workspace.base);
  const searcher = await view.context.searcher();
  const { embedder } = models;
  const vectors = embedder === undefined ? undefined : openKeptVectors(workspace.directory);
  try {
    const { found } = await findWithModels(searcher, task.statement, {
      client: undefined,
      embedder,
      vectors,
      rankerTokens: 0,
      linesOf: searcher.linesOf,
    });
    const files = found.files.map(({ file }) => searcher.index.files[file]?.path ?? "");
    return files.filter((path) => among.has(path)).slice(0, taken);
  } finally {
    vectors?.close();
  }
}

/** Returns at most three files: first those in both lists, then the model's, then those of retrieval. */
function combine(named: readonly string[], retrieved: readonly string[]): readonly string[] {
  const first = named.slice(0, taken);
  const both = first.filter((path) => retrieved.includes(path));
  return [...new Set([...both, ...first, ...retrieved])].slice(0, taken);
}
