/** For tests of the code graph: a folder with files, its index, and everything that the index says, as text. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { formatEntityId } from "../src/graph/entity-id.ts";
import { type OpenGraph, openGraph } from "../src/graph/open-graph.ts";

export interface Playground {
  readonly repository: string;
  /** Of the index. */
  readonly directory: string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
  open(directory?: string): OpenGraph;
}

/** A new folder; it and the index are removed after the test. */
export function makePlayground(files: Readonly<Record<string, string | Buffer>> = {}): Playground {
  const root = mkdtempSync(join(tmpdir(), "millwright-graph-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repository = join(root, "repository");
  const directory = join(root, "index");
  mkdirSync(repository);
  const write = (more: Readonly<Record<string, string | Buffer>>): void => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), content);
    }
  };
  write(files);
  const open = (at = directory): OpenGraph => {
    const graph = openGraph({ repository, directory: at, home: undefined });
    onTestFinished(() => graph.close());
    return graph;
  };
  return { repository, directory, write, open };
}

/** One line for each file, entity and edge, by text identities: equal for equal graphs, whatever their numbers are. */
export function describeGraph(graph: OpenGraph): string[] {
  const lines = graph
    .files()
    .map(({ path, language, lines: count, skipped }) => `${path} ${language} ${count} ${skipped}`);
  const entities = graph.files().flatMap(({ path, id }) => [graph.entity(id), ...graph.outline(path)]);
  for (const entity of entities) {
    if (entity === undefined) continue;
    const name = formatEntityId(entity);
    const owner = entity.owner === undefined ? undefined : graph.entity(entity.owner);
    lines.push(
      `${name} ${entity.startLine}-${entity.endLine} of ${owner === undefined ? "-" : formatEntityId(owner)}`,
    );
    for (const { edge, to } of graph.outgoing(entity.id))
      lines.push(
        `${name} ${edge.kind} ${formatEntityId(to)} ${edge.at.line}:${edge.at.column} ${edge.confidence}`,
      );
  }
  return lines.sort();
}

/** Every row that an index has of its files, by text identities: equal for equal contents of equal folders, whatever was there before. */
export function describeRows({ store }: OpenGraph): string[] {
  const all = (sql: string) => store.database.prepare(sql).all();
  const names = new Map<unknown, string>();
  const entities = "SELECT e.*, f.path FROM entities e LEFT JOIN files f ON f.id IN (e.id, e.file)";
  for (const { id, path, kind, qualified, disambiguator } of all(entities))
    names.set(id, [path, kind, qualified, disambiguator].join(":"));
  const columns = ["id", "file", "parent", "owner", "source", "target"];
  const rename = (row: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        columns.includes(key) ? (names.get(value) ?? value) : value,
      ]),
    );
  const files = `SELECT f.path, f.language, f.lines, f.flags, f.errors, f.skipped, f.module, f.imports, f.resolved, x.data, x.uses
    FROM files f LEFT JOIN facts x ON x.id = f.facts`;
  const tables = ["entities", "edges", "mentions", "forms", "manifests"].map(
    (name) => `SELECT * FROM ${name}`,
  );
  return [files, ...tables].flatMap((sql) => all(sql).map((row) => JSON.stringify(rename(row)))).sort();
}
