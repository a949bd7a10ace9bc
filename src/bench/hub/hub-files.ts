/** Lists the files of a dataset at one commit, and chooses those with the rows. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import picomatch from "picomatch";
import { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { asDiskError, isSystemError, MillwrightError } from "../../base/errors.ts";
import type { FileHash } from "./download-file.ts";
import { type HubAccess, refusal, requestHub, unreachable } from "./hub-client.ts";
import { type HubSource, isCommit } from "./hub-source.ts";

const answerSchema = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.int().nonnegative().optional(),
      /** Git's id of a file that git itself stores, without LFS. */
      blobId: z.string().optional(),
      lfs: z.object({ sha256: z.string(), size: z.int().nonnegative() }).nullish(),
    }),
  ),
});

export interface HubFile {
  /** The path below the dataset's root. */
  readonly path: string;
  readonly size: number;
  readonly hash: FileHash;
}

export interface HubListing {
  /** The commit of the revision. */
  readonly commit: string;
  readonly files: readonly HubFile[];
}

const listName = "files.json";
const mostTries = 5;

/**
 * Lists a commit's files. Stores the list in `folder`, so that a known commit needs no network. Throws MillwrightError
 * if the hub fails, refuses access or returns another commit.
 */
export async function listFiles(source: HubSource, folder: string, access: HubAccess): Promise<HubListing> {
  const { dataset, revision } = source;
  const kept = isCommit(revision) ? await readKept(join(folder, revision, listName)) : undefined;
  const answer = kept ?? (await askForFiles(source, folder, access));
  if (isCommit(revision) && answer.sha !== revision) {
    throw new MillwrightError(
      "repository",
      `The hub returned commit ${answer.sha} of ${dataset} instead of ${revision}`,
    );
  }
  if (kept === undefined) await keep(join(folder, answer.sha), answer);
  return { commit: answer.sha, files: answer.siblings.flatMap((each) => readFileEntry(each)) };
}

type Answer = z.infer<typeof answerSchema>;

async function readKept(path: string): Promise<Answer | undefined> {
  try {
    return answerSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (isSystemError(error, "ENOENT") || error instanceof SyntaxError || error instanceof z.ZodError)
      return undefined;
    throw error;
  }
}

async function keep(folder: string, answer: Answer): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFileAtomically(join(folder, listName), JSON.stringify(answer));
  } catch (error) {
    throw asDiskError(error);
  }
}

async function askForFiles(
  { dataset, revision }: HubSource,
  folder: string,
  access: HubAccess,
): Promise<Answer> {
  const url = `${access.endpoint}/api/datasets/${dataset}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const what = `${dataset}@${revision}`;
  for (let tried = 1; ; tried += 1) {
    const problem = await askOnce(url, what, access);
    if (!(problem instanceof MillwrightError)) return problem;
    if (problem.code === "usage" || tried === mostTries) throw await withKnown(problem, dataset, folder);
    await delay((access.pauseMs ?? 1000) * 2 ** (tried - 1));
  }
}

async function askOnce(url: string, what: string, access: HubAccess): Promise<Answer | MillwrightError> {
  try {
    const answer = await requestHub(url, access);
    const text = await answer.text();
    if (!answer.ok) return refusal(answer.status, what, access);
    const parsed = answerSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    return unreachable(what, access, new Error("its answer is not a list of files"));
  } catch (error) {
    return unreachable(what, access, error);
  }
}

/** Adds to the error the commits of earlier commands: their stored lists need no network. */
async function withKnown(
  problem: MillwrightError,
  dataset: string,
  folder: string,
): Promise<MillwrightError> {
  const commits = (await readdir(folder).catch(() => [])).filter(isCommit);
  if (problem.code === "usage" || commits.length === 0) return problem;
  const known = commits.map((commit) => `hub:${dataset}@${commit}`).join(", ");
  return new MillwrightError(problem.code, problem.message, {
    cause: problem,
    hint: `Give a commit that an earlier command fetched: ${known}.`,
  });
}

/** Reads the entry of a file. Skips a name that could leave the folder, and a file without size or hash. */
function readFileEntry({ rfilename: path, size, blobId, lfs }: Answer["siblings"][number]): HubFile[] {
  const isPlain = path.split("/").every((part) => part !== "" && !/^\.+$/.test(part) && !part.includes("\\"));
  if (!isPlain || path.includes("\0")) return [];
  if (lfs != null) return [{ path, size: lfs.size, hash: { kind: "sha256", hex: lfs.sha256 } }];
  if (size === undefined || blobId === undefined) return [];
  return [{ path, size, hash: { kind: "git-blob", hex: blobId } }];
}

/** The chosen files with the rows of one dataset, and the glob that matches them. */
export interface ChosenFiles {
  readonly files: readonly HubFile[];
  readonly glob: string;
}

/**
 * Chooses the files that `:FILES` names. Without `:FILES`, takes the only split, or else the split `test`. Throws
 * MillwrightError("usage") if no file matches, or if several sets of files are possible.
 */
export function chooseFiles({ dataset, files: wanted }: HubSource, { files }: HubListing): ChosenFiles {
  const data = files.filter(({ path }) => /\.(?:parquet|jsonl|json)$/.test(path));
  if (wanted !== undefined) {
    const isWanted = picomatch(wanted, { dot: true });
    const chosen = data.filter(({ path }) => path === wanted || isWanted(path));
    if (chosen.length > 0) return { files: chosen, glob: wanted };
    throw refuseChoice(`No file of rows in ${dataset} matches ${wanted}`, data);
  }
  const isRows = ({ path }: HubFile): boolean =>
    !/(?:^|\/)(?:dataset_infos?|state|package)\.json$/.test(path);
  const splits = Map.groupBy(data.filter(isRows), ({ path }) => splitOf(path));
  const tests = [...splits.keys()].filter((glob) => /(?:^|\/)test(?:-\*)?\.\w+$/.test(glob));
  const [glob] = splits.size === 1 ? [...splits.keys()] : tests.length === 1 ? tests : [];
  if (glob !== undefined) return { files: splits.get(glob) ?? [], glob };
  throw refuseChoice(`${dataset} has ${splits.size === 0 ? "no file" : "several sets"} of rows`, data);
}

/** Makes the glob of a split from a path: `data/test-00000-of-00002.parquet` belongs to `data/test-*.parquet`. */
const splitOf = (path: string): string => path.replace(/-\d{5}-of-\d{5}(?:-[0-9a-f]+)?(?=\.\w+$)/, "-*");

const mostShown = 12;

function refuseChoice(message: string, data: readonly HubFile[]): MillwrightError {
  const names = data.slice(0, mostShown).map(({ path }) => path);
  const more = data.length > names.length ? `, and ${data.length - names.length} more` : "";
  const hint =
    data.length === 0
      ? "Millwright reads rows from .parquet, .jsonl and .json files."
      : `Add :FILES (a path or a glob) to the dataset's name to choose among its files: ${names.join(", ")}${more}.`;
  return new MillwrightError("usage", message, { hint });
}
