/** Answers questions to language servers from the code graph, if no language server answers. */
import type { CodeCall, CodeLocation, CodeSymbol } from "../domain/code-intelligence.ts";
import type { CodeGraph, EdgeKind, Entity, Relation } from "../graph/contract.ts";
import { findMeant } from "../graph/find-meant.ts";
import type { PositionCandidate, RoughPosition } from "../lsp/identifiers.ts";
import type { FallbackAnswer, FallbackAnswers } from "../lsp/with-fallback.ts";

interface Meant {
  readonly entities: readonly Entity[];
  readonly by: string;
  readonly position?: PositionCandidate;
}

const mostNamed = 20;
const uses: readonly EdgeKind[] = ["calls", "references", "imports", "inherits", "overrides"];

/** Answers questions to a language server from the graph. Calls `open` at each question. */
export function graphAnswers(open: () => Promise<CodeGraph>): FallbackAnswers {
  const about =
    <T>(tell: (graph: CodeGraph, entities: readonly Entity[]) => T) =>
    async (at: RoughPosition): Promise<FallbackAnswer<T> | undefined> => {
      const graph = await open();
      const meant = findMeantBy(graph, at);
      if (meant === undefined) return undefined;
      const { entities, ...rest } = meant;
      return { ...rest, value: tell(graph, entities) };
    };
  return {
    definition: about((_, entities) => entities.map(locationOf)),
    references: about((graph, entities) =>
      entities.flatMap(({ id }) => graph.incoming(id, uses).map(placeOfUse)),
    ),
    hover: about((_, entities) => entities.map(describe).join("\n\n")),
    callers: about((graph, entities) =>
      groupCalls(entities.flatMap(({ id }) => graph.incoming(id, ["calls"])).map(turn)),
    ),
    callees: about((graph, entities) =>
      groupCalls(entities.flatMap(({ id }) => graph.outgoing(id, ["calls"]))),
    ),
    types: about((graph, entities) => ({
      supertypes: entities.flatMap(({ id }) =>
        graph.outgoing(id, ["inherits"]).map(({ to }) => symbolOf(to)),
      ),
      subtypes: entities.flatMap(({ id }) =>
        graph.incoming(id, ["inherits"]).map(({ from }) => symbolOf(from)),
      ),
    })),
    async symbols(path) {
      const entities = (await open()).outline(path);
      return entities.length === 0 ? undefined : { by: "code graph", value: nest(entities) };
    },
  };
}

/** Finds the entity at the place. Otherwise finds the meaning of the name anywhere, and the answer says so. */
function findMeantBy(graph: CodeGraph, { path, line, name: written }: RoughPosition): Meant | undefined {
  const name = written?.split(/::|[.#]/).findLast((part) => part !== "");
  if (path !== undefined && line !== undefined) {
    if (name === undefined) return onLine(graph, path, line);
    const at = graph.meantAt(path, line, name);
    if (at !== undefined) {
      const origin = at.found === "line" ? "exact" : "near";
      return { entities: at.entities, by: "code graph", position: { ...at.at, path, name, origin } };
    }
  }
  if (written === undefined) return undefined;
  const named = findMeant(graph, written).slice(0, mostNamed);
  const here = named.filter((entity) => entity.path === path);
  const entities = here.length > 0 ? here : named;
  return entities.length === 0 ? undefined : { entities, by: "code graph, by name only" };
}

/**
 * Finds the meaning of a line without a name: the first target that the enclosing definition uses on the line, else
 * that definition.
 */
function onLine(graph: CodeGraph, path: string, line: number): Meant | undefined {
  const around = graph.entityAt(path, line);
  if (around === undefined) return undefined;
  const used = graph.outgoing(around.id, uses).find(({ edge }) => edge.at.line === line);
  const entity = used?.to ?? (around.kind === "file" ? undefined : around);
  if (entity === undefined) return undefined;
  const place = used?.edge.at ?? around.at;
  const origin = place.line === line ? "line" : "near";
  return { entities: [entity], by: "code graph", position: { ...place, path, name: entity.name, origin } };
}

function locationOf({ path, at, name, signature }: Entity): CodeLocation {
  const end = { line: at.line, column: at.column + name.length };
  return {
    path,
    outside: false,
    range: { start: at, end },
    ...(signature === "" ? {} : { text: signature }),
  };
}

function placeOfUse({ edge: { at }, from, to }: Relation): CodeLocation {
  const end = { line: at.line, column: at.column + to.name.length };
  return { path: from.path, outside: false, range: { start: at, end } };
}

function describe({ path, at, kind, qualified, signature, documentation = "" }: Entity): string {
  return [`${signature === "" ? `${kind} ${qualified}` : signature} (${path}:${at.line})`, documentation]
    .filter((part) => part !== "")
    .join("\n");
}

function symbolOf(entity: Entity): CodeSymbol {
  const { name, kind, path, at, startLine, endLine, signature } = entity;
  const range = { start: { line: startLine, column: 0 }, end: { line: endLine, column: 0 } };
  return {
    name,
    kind,
    location: { path, outside: false, range },
    at,
    ...(signature === "" ? {} : { detail: signature }),
  };
}

/** Swaps the ends of a call, for `groupCalls`. */
function turn({ edge, from, to }: Relation): Relation {
  return { edge, from: to, to: from };
}

/** Groups calls by the entity at the other end, each with the places of its calls. */
function groupCalls(relations: readonly Relation[]): CodeCall[] {
  return [...Map.groupBy(relations, ({ to }) => to.id).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const places = group.map(({ edge: { at } }) => ({ start: at, end: at }));
    return [{ symbol: symbolOf(first.to), places }];
  });
}

function nest(entities: readonly Entity[]): CodeSymbol[] {
  const known = new Set(entities.map(({ id }) => id));
  const inside = Map.groupBy(entities, ({ parent }) => parent);
  const build = (entity: Entity): CodeSymbol => {
    const children = inside.get(entity.id)?.map(build);
    return { ...symbolOf(entity), ...(children === undefined ? {} : { children }) };
  };
  return entities.filter(({ parent }) => !known.has(parent)).map(build);
}
