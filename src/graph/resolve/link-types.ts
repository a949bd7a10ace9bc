/**
 * The first round of a file's resolution: finds the types that own its definitions, and the supertypes of its types.
 */
import type { Facts } from "../store/facts.ts";
import type { Store } from "../store/open-store.ts";
import { writeEdges } from "./edge-rows.ts";
import type { FileInfo } from "./file-table.ts";
import { resolveOwner, resolveReference } from "./resolve-reference.ts";
import { isType } from "./traits.ts";
import { typesOfFile, type World } from "./world.ts";

export function linkTypes(store: Store, world: World, file: FileInfo, facts: Facts): void {
  linkOwners(store, world, file, facts);
  linkSupertypes(store, world, file, facts);
}

/**
 * Links a file's definitions to the types that own them. `numbers`: restricts this to the definitions with these entity
 * numbers.
 */
export function linkOwners(
  store: Store,
  world: World,
  file: FileInfo,
  facts: Facts,
  numbers?: ReadonlySet<number>,
): void {
  const own = world.symbols.ofFile(file.id);
  const update = store.prepare("UPDATE entities SET owner = ? WHERE id = ?");
  for (const [index, definition] of facts.definitions.entries()) {
    const def = own[index];
    if (definition.owner === undefined || def === undefined) continue;
    if (numbers?.has(def.id) === false) continue;
    const container = world.symbols.def(def.parent);
    if (container !== undefined && isType(container.kind)) continue;
    const owner = resolveOwner(world, { world, file, within: container }, definition.owner);
    const number = owner?.id ?? def.parent;
    if (number === def.owner) continue;
    world.symbols.setOwner(def, number);
    update.run(owner?.id ?? null, def.id);
  }
}

function linkSupertypes(store: Store, world: World, file: FileInfo, facts: Facts): void {
  const own = world.symbols.ofFile(file.id);
  for (const reference of facts.heads) {
    const within = own[reference.within];
    // A name in the head of a class is outside the class.
    const around = within === undefined ? undefined : world.symbols.def(within.parent);
    const place = { world, file, within: around };
    const heir =
      within !== undefined && isType(within.kind)
        ? within
        : reference.owner === undefined
          ? undefined
          : resolveOwner(world, place, reference.owner);
    if (heir === undefined) continue;
    const bases = resolveReference(place, reference);
    const tables = (bases?.files ?? []).flatMap((one) => typesOfFile(world, one));
    const defs = [...(bases?.defs ?? []), ...tables].filter(({ id, kind }) => id !== heir.id && isType(kind));
    if (bases === undefined || defs.length === 0) continue;
    const confidence = bases.confidence / defs.length;
    writeEdges(
      store,
      defs.map(({ id }) => ({
        file: file.id,
        kind: "inherits",
        source: heir.id,
        target: id,
        at: reference.at,
        confidence,
      })),
    );
    world.symbols.setSupertypes(heir.id, [
      ...new Set([...world.symbols.supertypes(heir.id), ...defs.map(({ id }) => id)]),
    ]);
  }
}
