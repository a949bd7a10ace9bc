/**
 * JavaScript and TypeScript: the sources themselves record, by text inserted at spans, on the same lines. Whatever loads, compiles or
 * bundles them (node, vitest, jest with babel, ts-jest or swc, tsx, tsc, esbuild, webpack) reads them as any source, and its source
 * maps lead to the user's own lines; hooks into each loader would serve fewer programs. `javascript-trace/` writes what they record.
 */
import { extname } from "node:path";
import picomatch from "picomatch";
import type { Language } from "../../languages/contract.ts";
import javascript from "../../languages/javascript/javascript.ts";
import typescript from "../../languages/javascript/typescript.ts";
import { findAsked } from "../asked-functions.ts";
import { defineTracer, type TracePlan, type TracerRequest } from "../tracer.ts";
import {
  keepParsing,
  type PlannedFunction,
  planFunction,
  type ReadFile,
  readFile,
  recordingText,
} from "./javascript-files.ts";

const languages: readonly Language[] = [javascript, typescript];

interface PlannedFile {
  readonly file: ReadFile;
  readonly functions: readonly PlannedFunction[];
}

export default defineTracer({
  languages: ["javascript", "typescript"],
  async plan(request) {
    const files: PlannedFile[] = [];
    const unknown: TracePlan["unknown"][number][] = [];
    let id = 0;
    for (const { path, names } of request.specs) {
      const file = await open(request, path);
      if (file === undefined) continue;
      const found = findAsked(path, names, file.functions);
      unknown.push(...found.unknown);
      const functions = [...found.asked].map((one) => planFunction(file, one, ++id));
      files.push({ file, functions: await keepParsing(file, functions) });
    }
    return makePlan(request, files, unknown);
  },
});

async function open({ sources }: TracerRequest, path: string): Promise<ReadFile | undefined> {
  const language = languages.find(({ extensions }) => extensions.includes(extname(path)));
  const text = language === undefined ? undefined : await sources.read(path);
  if (language === undefined || text === undefined) return undefined;
  return await readFile(path, text, language, picomatch.isMatch(path, [...language.testFiles]));
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
  };
}
