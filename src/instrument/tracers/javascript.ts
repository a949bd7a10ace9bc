/**
 * JavaScript and TypeScript: inserts recording text into the sources and moves no line. Programs that load, compile or
 * bundle them read them like any source: node, vitest, jest with babel, ts-jest or swc, tsx, tsc, esbuild, webpack.
 * Their source maps lead to the user's own lines. Hooks into each loader would serve fewer programs.
 * `javascript-trace/` writes the records.
 */
import { extname } from "node:path";
import picomatch from "picomatch";
import type { Language } from "../../languages/contract.ts";
import javascript from "../../languages/javascript/javascript.ts";
import typescript from "../../languages/javascript/typescript.ts";
import { parentsOf } from "../../syntax/node.ts";
import { findAsked } from "../asked-functions.ts";
import { defineTracer, type TracePlan, type TracerRequest } from "../tracer.ts";
import { calleesOf } from "./javascript-callees.ts";
import { findComplaints, firstErrors } from "./javascript-complaints.ts";
import { keepParsing, planFunction, readFile } from "./javascript-files.ts";
import type { FoundFunction, PlannedFunction, ReadFile } from "./javascript-functions.ts";
import { recordingText, weaken } from "./javascript-texts.ts";

const languages: readonly Language[] = [javascript, typescript];

interface PlannedFile {
  readonly file: ReadFile;
  readonly functions: readonly PlannedFunction[];
}

export default defineTracer({
  languages: ["javascript", "typescript"],
  async plan(request) {
    const open = openFiles(request);
    const asked = new Map<string, Set<FoundFunction>>();
    const unknown: TracePlan["unknown"][number][] = [];
    for (const { path, names } of request.specs) {
      const found = findAsked(path, names, (await open(path))?.functions ?? []);
      unknown.push(...found.unknown);
      asked.set(path, new Set([...(asked.get(path) ?? []), ...found.asked]));
    }
    await follow(request, asked, open);
    const files: PlannedFile[] = [];
    let id = 0;
    for (const [path, functions] of asked) {
      const file = await open(path);
      if (file === undefined) continue;
      const inOrder = file.functions.filter(
        (one) => functions.has(one) || (one.group === "left-out" && isWithin(one, functions)),
      );
      files.push({
        file,
        functions: await keepParsing(
          file,
          inOrder.map((found) => planFunction(file, found, ++id)),
        ),
      });
    }
    return makePlan(request, files, unknown);
  },
});

/**
 * True for a function inside one of `functions`. An anonymous callback counts as left out together with its container.
 */
function isWithin({ node }: FoundFunction, functions: ReadonlySet<FoundFunction>): boolean {
  const around = new Set(parentsOf(node));
  return [...functions].some((one) => around.has(one.node));
}

type OpenFile = (path: string) => Promise<ReadFile | undefined>;

function openFiles({ sources }: TracerRequest): OpenFile {
  const known = new Map<string, Promise<ReadFile | undefined>>();
  const read: OpenFile = async (path) => {
    const language = languages.find(({ extensions }) => extensions.includes(extname(path)));
    const text = language === undefined ? undefined : await sources.read(path);
    if (language === undefined || text === undefined) return undefined;
    return await readFile(path, text, language, picomatch.isMatch(path, [...language.testFiles]));
  };
  return (path) => {
    const file = known.get(path) ?? read(path);
    known.set(path, file);
    return file;
  };
}

/** Adds the callees of the requested functions, to the given depth. */
async function follow(
  request: TracerRequest,
  asked: Map<string, Set<FoundFunction>>,
  open: OpenFile,
): Promise<void> {
  const search = { files: new Set(request.sources.files), open };
  let callers = [...asked].flatMap(([path, functions]) => [...functions].map((found) => ({ path, found })));
  for (let depth = 0; depth < request.depth; depth += 1) {
    const next: typeof callers = [];
    for (const { path, found } of callers) {
      const file = await open(path);
      for (const callee of file === undefined ? [] : await calleesOf(file, found, search)) {
        const functions = asked.get(callee.path) ?? new Set();
        if (functions.has(callee.found)) continue;
        asked.set(callee.path, functions.add(callee.found));
        next.push(callee);
      }
    }
    callers = next;
  }
}

function makePlan(
  request: TracerRequest,
  files: readonly PlannedFile[],
  unknown: TracePlan["unknown"],
): TracePlan {
  const { root, runtime } = request.paths;
  const preload = `${runtime}/javascript-trace/preload.cjs`;
  return {
    changes: files.flatMap(({ file, functions }) => {
      const content = recordingText(file, functions);
      return content === undefined ? [] : [{ path: file.path, content }];
    }),
    scratchFiles: new Map(),
    env: {
      NODE_OPTIONS: `--require ${/\s/.test(preload) ? JSON.stringify(preload) : preload}`,
      MILLWRIGHT_TRACE_RUNTIME: preload,
      MILLWRIGHT_TRACE_ROOT: root,
    },
    functions: files.flatMap(({ functions }) => functions.map(({ traced }) => traced)),
    unknown,
    heal({ stdout, stderr }) {
      const complaints = findComplaints(
        `${stdout}\n${stderr}`,
        files.map(({ file }) => file.path),
      );
      const weakened = files.map(({ file, functions }) => ({
        file,
        functions: weaken(functions, complaints),
      }));
      const isLess = weakened.some(({ functions }, index) =>
        functions.some((one, place) => one !== files[index]?.functions[place]),
      );
      return Promise.resolve(isLess ? makePlan(request, weakened, unknown) : undefined);
    },
    buildErrors: ({ stdout, stderr }) => firstErrors(`${stdout}\n${stderr}`),
  };
}
