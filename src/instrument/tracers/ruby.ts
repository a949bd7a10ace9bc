/**
 * Ruby: edits no file. RUBYOPT makes every interpreter that the command starts load
 * `runtime/ruby-trace/millwright_trace.rb`. `millwright_trace.rb` observes the plan's methods with TracePoint (Ruby 2.7
 * and later).
 */
import { findAsked } from "../asked-functions.ts";
import { defineTracer, type TracedFunction, type TracePlan, type TracerRequest } from "../tracer.ts";
import { type RubyFunction, readRubyFunctions } from "./ruby-functions.ts";

const planName = "ruby-plan.txt";

interface PlannedMethod {
  readonly id: number;
  readonly path: string;
  readonly asked: boolean;
  readonly of: RubyFunction;
}

export default defineTracer({
  languages: ["ruby"],
  async plan({ sources, specs, depth, paths }: TracerRequest): Promise<TracePlan> {
    const methods: PlannedMethod[] = [];
    const unknown: TracePlan["unknown"][number][] = [];
    const wanted = new Map(specs.map(({ path, names }) => [path, names]));
    const callees =
      depth === 0 ? [] : sources.files.filter((path) => path.endsWith(".rb") && !wanted.has(path));
    for (const path of [...wanted.keys(), ...callees]) {
      const found = await readRubyFunctions(path, (await sources.read(path)) ?? "");
      const { asked, unknown: missing } = findAsked(path, wanted.get(path) ?? [], found);
      unknown.push(...missing);
      for (const of of found)
        if (depth > 0 || asked.has(of))
          methods.push({ id: methods.length + 1, path, asked: asked.has(of), of });
    }
    return {
      changes: [],
      scratchFiles: new Map([[planName, planText(paths.root, depth, methods)]]),
      env: {
        RUBYOPT: `-r${paths.runtime}/ruby-trace/millwright_trace.rb`,
        MILLWRIGHT_TRACE_RUBY: `${paths.scratch}/${planName}`,
      },
      functions: methods.map(describe),
      unknown,
      confirms: {
        runtime: "ruby",
        ifMissing:
          "no Ruby process loaded the tracer, which Millwright passes in RUBYOPT. Possible causes: the command starts no Ruby, a file sets RUBYOPT, Ruby is older than 2.7, or it runs with --disable=rubyopt",
      },
      buildErrors: ({ stdout, stderr }) => syntaxErrors(`${stdout}\n${stderr}`, paths.root),
    };
  },
});

function describe({ id, path, of }: PlannedMethod): TracedFunction {
  const { name, line, endLine, isTest } = of;
  return { id, path, line, endLine, name, level: "values", group: isTest ? "test" : "function" };
}

/** The plan as text. `millwright_trace_plan.rb` reads it and documents the format. */
function planText(root: string, depth: number, methods: readonly PlannedMethod[]): string {
  const files = [...new Set(methods.map(({ path }) => path))];
  const blocks = files.map((path) =>
    [path, ...methods.filter((each) => each.path === path).map(rowOf)].join("\n"),
  );
  return [`${root}\n${depth}`, ...blocks].join("\n\n");
}

function rowOf({ id, asked, of }: PlannedMethod): string {
  return [id, of.line, of.endLine, Number(asked), Number(of.catchesInLine), of.methodName].join(" ");
}

const mostErrors = 10;
/** `/project/lib/cart.rb:3: syntax error, unexpected end-of-input` */
const syntaxError = /^\s*(?:\S+: )?(\/[^\n:]+):(\d+): (syntax errors?\b[^\n]*)/gm;

function syntaxErrors(output: string, root: string): string[] {
  const found = [...output.matchAll(syntaxError)].map(([, file = "", line = "", error = ""]) => {
    const path = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
    return `${path}:${line}: ${error.trim()}`;
  });
  return [...new Set(found)].slice(0, mostErrors);
}
