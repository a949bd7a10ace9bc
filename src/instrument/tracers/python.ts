/**
 * Python: edits no file. PYTHONPATH makes every interpreter that the command starts load
 * `runtime/python-trace/sitecustomize.py`. `sitecustomize.py` observes the plan's code objects with sys.monitoring from
 * Python 3.12, and with sys.settrace from Python 3.7.
 */
import { findAsked } from "../asked-functions.ts";
import { defineTracer, type TracedFunction, type TracePlan, type TracerRequest } from "../tracer.ts";
import { type PythonFunction, readPythonFunctions } from "./python-functions.ts";

const planName = "python-plan.txt";

interface PlannedFile {
  readonly path: string;
  readonly functions: readonly {
    readonly id: number;
    readonly asked: boolean;
    readonly of: PythonFunction;
  }[];
}

export default defineTracer({
  languages: ["python"],
  async plan({ sources, specs, depth, paths }: TracerRequest): Promise<TracePlan> {
    const files: PlannedFile[] = [];
    const unknown: TracePlan["unknown"][number][] = [];
    const wanted = new Map(specs.map(({ path, names }) => [path, names]));
    const callees =
      depth === 0 ? [] : sources.files.filter((path) => path.endsWith(".py") && !wanted.has(path));
    let count = 0;
    for (const path of [...wanted.keys(), ...callees]) {
      const found = await readPythonFunctions(path, (await sources.read(path)) ?? "");
      const { asked, unknown: missing } = findAsked(path, wanted.get(path) ?? [], found);
      unknown.push(...missing);
      const chosen = found.filter((each) => depth > 0 || asked.has(each));
      const functions = chosen.map((of, index) => ({ id: count + index + 1, asked: asked.has(of), of }));
      count += functions.length;
      if (functions.length > 0) files.push({ path, functions });
    }
    return {
      changes: [],
      scratchFiles: new Map([[planName, planText(paths.root, depth, files)]]),
      env: environment(paths),
      functions: files.flatMap(({ path, functions }) => functions.map((each) => describe(path, each))),
      unknown,
      confirms: {
        runtime: "python",
        ifMissing:
          "no Python process loaded the tracer, which Millwright passes in PYTHONPATH. Possible causes: the command starts no Python, something replaces PYTHONPATH, Python is older than 3.7, or it runs with -E, -I or -S",
      },
      buildErrors: ({ stdout, stderr }) => syntaxErrors(`${stdout}\n${stderr}`, paths.root),
    };
  },
});

const mostErrors = 10;
/**
 * The interpreter's format, and pytest's with a letter before each line: the place, the line with a mark below, the
 * error.
 */
const syntaxError =
  /^(?:E?\s+)File "([^"\n]+)", line (\d+)\n(?:.*\n){0,3}?(?:E\s+)?((?:Syntax|Indentation|Tab)Error: .*)$/gm;

/** The syntax errors in the output, as `PATH:LINE: ERROR`. Python prints them only for Python files. */
function syntaxErrors(output: string, root: string): string[] {
  const told = [...output.matchAll(syntaxError)].map(([, file = "", line = "", error = ""]) => {
    const path = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
    return `${path}:${line}: ${error.trim()}`;
  });
  return [...new Set(told)].slice(0, mostErrors);
}

function describe(path: string, { id, of }: PlannedFile["functions"][number]): TracedFunction {
  const { name, line, endLine, isTest } = of;
  return { id, path, line, endLine, name, level: "values", group: isTest ? "test" : "function" };
}

/** The plan as text. `millwright_trace_functions.py` reads it and documents the format. */
function planText(root: string, depth: number, files: readonly PlannedFile[]): string {
  const blocks = files.map(({ path, functions }) =>
    [
      path,
      ...functions.map(({ id, asked, of }) => `${id} ${of.firstLine} ${asked ? 1 : 0} ${of.codeName}`),
    ].join("\n"),
  );
  return [`${root}\n${depth}`, ...blocks].join("\n\n");
}

function environment({ runtime, scratch }: TracerRequest["paths"]): Record<string, string> {
  return {
    PYTHONPATH: `${runtime}/python-trace`,
    MILLWRIGHT_TRACE_PYTHON: `${scratch}/${planName}`,
    // tox passes only listed variables to its environments.
    TOX_TESTENV_PASSENV: "PYTHONPATH MILLWRIGHT_TRACE_*",
    TOX_OVERRIDE: "testenv.pass_env+=PYTHONPATH,MILLWRIGHT_TRACE_*",
  };
}
