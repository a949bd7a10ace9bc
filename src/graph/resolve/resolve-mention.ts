/**
 * Resolves names in documents. Documents have no scopes or imports. So the result depends only on the text of the name
 * and on the number of definitions that fit it.
 */
import type { Reference } from "../../domain/code-symbols.ts";
import { confidences, mostCandidates } from "../confidence.ts";
import { plainName } from "../store/identify.ts";
import { type Resolved, resolved } from "./resolve-name.ts";
import type { Def } from "./symbol-table.ts";
import { everydayMembers, isCallable, isValue } from "./traits.ts";
import type { World } from "./world.ts";

const shortest = 3;

export function resolveMention(world: World, { name, receiver }: Reference): Resolved | undefined {
  if (name.length < shortest) return undefined;
  const before = receiver === undefined ? "" : plainName(receiver);
  const found: Def[] = [];
  for (const def of world.symbols.named(name).all) {
    if (def.inTests || isLocal(world, def) || !belongsTo(world, def, before)) continue;
    found.push(def);
    if (found.length > 4 * mostCandidates) return undefined;
  }
  const firm = found.filter((def) => !isValue(def.kind) || def.owner === def.file);
  const chosen = firm.length > 0 ? firm : found;
  if (chosen.length === 0 || chosen.length > mostCandidates) return undefined;
  const isOne = new Set(chosen.map((def) => meantName(world, def))).size === 1;
  const all = isOne ? chosen.length : 1;
  if (before !== "") return resolved(chosen, (isOne ? confidences.receiver : confidences.named) * all);
  const everyday = everydayMembers.has(name) ? 0.4 : 1;
  return resolved(chosen, (isOne ? confidences.named : confidences.ambiguous) * everyday * all);
}

/** A key of what a mention means. In C, a header's declaration and the definition have one key. */
function meantName(world: World, def: Def): string | number {
  return world.files.byNumber(def.file)?.family === "c" ? def.qualified : def.id;
}

function isLocal(world: World, def: Def): boolean {
  const parent = world.symbols.def(def.parent);
  return parent !== undefined && isCallable(parent.kind);
}

/**
 * True if the text before the name matches the end of the definition's containers. These are types, or else modules by
 * the file's path or package.
 */
function belongsTo(world: World, def: Def, before: string): boolean {
  if (before === "") return true;
  const around = def.qualified.slice(0, Math.max(0, def.qualified.length - def.name.length - 1));
  const file = world.files.byNumber(def.file);
  const stem = (file?.path ?? "").replace(/\.[^./]*$/, "").replace(/\/(?:__init__|index|mod|lib|init)$/, "");
  return [`${stem.replaceAll("/", ".")}.${around}`, `${file?.module ?? ""}.${around}`]
    .map((whole) => (around === "" ? whole.slice(0, -1) : whole))
    .some((whole) => whole === before || whole.endsWith(`.${before}`));
}
