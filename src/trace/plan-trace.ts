/** Makes one plan for a request in all languages: combines the plans of the languages' tracers. */
import { posix } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { nearestNames } from "../base/nearest-names.ts";
import type { TracePlan, Tracer, TraceSources, TraceSpec } from "../instrument/tracer.ts";
import type { Language } from "../languages/contract.ts";
import { languageOf } from "../languages/source-files.ts";
import { ensureFolder, writeEntry } from "../workspace/file-writing.ts";
import { isGlob, resolveSpecs } from "./trace-spec.ts";

export interface PlanRequest {
  readonly tracers: readonly Tracer[];
  readonly sources: TraceSources;
  readonly specs: readonly TraceSpec[];
  readonly depth: number;
  readonly root: string;
  readonly runtime: string;
  /** The readable form of a source path, if it differs. */
  readonly shown?: (path: string) => string;
  /** The folder of all plans, as commands and as the host see it. */
  readonly scratch: { readonly inside: string; readonly host: string };
}

export interface LanguagePlan {
  readonly languages: readonly Language["name"][];
  readonly plan: TracePlan;
}

export interface PlannedTrace {
  readonly plans: readonly LanguagePlan[];
  /** Languages of files that matched a glob but have no tracer; file extensions for unknown languages. */
  readonly untraced: readonly string[];
}

/** Plans a trace. Throws MillwrightError("usage") for a path, a name or a language that cannot be traced. */
export async function planTrace(request: PlanRequest): Promise<PlannedTrace> {
  const specs = resolveSpecs(request.specs, request.sources.files);
  const byTracer = new Map<Tracer, TraceSpec[]>();
  const untraced = new Set<string>();
  for (const spec of specs) {
    const language = languageOf(spec.path)?.name;
    const tracer = request.tracers.find(
      ({ languages }) => language !== undefined && languages.includes(language),
    );
    if (tracer !== undefined) byTracer.set(tracer, [...(byTracer.get(tracer) ?? []), spec]);
    else if (request.specs.some(({ path }) => path === spec.path && !isGlob(path)))
      throw untraceable(spec.path, request);
    else untraced.add(language ?? posix.extname(spec.path));
  }
  const plans: LanguagePlan[] = [];
  for (const [tracer, own] of byTracer) {
    plans.push({
      languages: tracer.languages,
      plan: await tracer.plan({ ...pathsOf(request, tracer), specs: own }),
    });
  }
  refuseUnknown(plans, request);
  if (plans.length === 0) throw untraceable(request.specs.map(({ path }) => path).join(", "), request);
  return { plans, untraced: [...untraced] };
}

function pathsOf({ sources, depth, root, runtime, scratch }: PlanRequest, tracer: Tracer) {
  const name = tracer.languages[0] ?? "plan";
  return { sources, depth, paths: { root, runtime, scratch: `${scratch.inside}/${name}` } };
}

/**
 * Writes the startup files of the runtimes into the folder `host`. Never writes through a link, because commands may
 * have put links there.
 */
export function writeScratch({ plans }: Pick<PlannedTrace, "plans">, host: string): void {
  const made = new Set([""]);
  const mtimeMs = Date.now();
  for (const { languages, plan } of plans) {
    const folder = languages[0] ?? "plan";
    ensureFolder(host, folder, made);
    for (const [name, content] of plan.scratchFiles) {
      const path = posix.join(folder, name);
      ensureFolder(host, posix.dirname(path), made);
      writeEntry(host, path, { mode: "100644", content: Buffer.from(content), mtimeMs });
    }
  }
}

function untraceable(path: string, { tracers }: PlanRequest): MillwrightError {
  const names = tracers.flatMap(({ languages }) => languages);
  return new MillwrightError("usage", `${path} is in a language that cannot be traced`, {
    hint: `Languages with a tracer: ${names.join(", ")}.`,
  });
}

/** Throws for a name that no file of its spec contains. A glob's name may be absent from most of its files. */
function refuseUnknown(plans: readonly LanguagePlan[], { specs, shown = (path) => path }: PlanRequest): void {
  const unknown = plans.flatMap(({ plan }) => plan.unknown);
  if (unknown.length === 0) return;
  const messages: string[] = [];
  for (const name of new Set(unknown.map((each) => each.name))) {
    const missing = unknown.filter((each) => each.name === name);
    const files = new Set(missing.map(({ path }) => path));
    const own = specs.filter(({ names }) => names.includes(name));
    // If only globs ask for it, one of their files must contain it.
    if (own.every(({ path }) => isGlob(path)) && isFound(plans, name, files)) continue;
    const total = missing.reduce((sum, { functions }) => sum + functions, 0);
    const nearest = nearestNames(
      name,
      missing.flatMap((each) => each.nearest),
      5,
    );
    const near = nearest.length > 0 ? nearest : (missing[0]?.nearest.slice(0, 5) ?? []);
    const where = files.size === 1 ? shown([...files].join("")) : `${files.size} files`;
    messages.push(
      `${where}: no function ${name} among ${total}${near.length === 0 ? "" : `; nearest: ${near.join(", ")}`}`,
    );
  }
  if (messages.length === 0) return;
  throw new MillwrightError("usage", messages.join("\n"), {
    hint: "Methods are Type::name (Rust) or Type.name; 'PATH:*' means every function.",
  });
}

/** True if a file that contains the name has functions of the plan. */
function isFound(plans: readonly LanguagePlan[], name: string, missing: ReadonlySet<string>): boolean {
  const last = name.split(/::|\./).at(-1);
  return plans.some(({ plan }) =>
    plan.functions.some(
      (each) => !missing.has(each.path) && (each.name === name || each.name.endsWith(last ?? name)),
    ),
  );
}
