/** What a crate lacks: `include` and `exclude` of its `Cargo.toml`. */
import { posix } from "node:path";
import { parse } from "smol-toml";
import { fieldOf, isRecord } from "../../../base/fields.ts";
import { childOf, parentsOf, type SyntaxNode, textOf, walk } from "../../../syntax/node.ts";
import type { Source } from "../../../syntax/reading.ts";
import { attributesOf, isRustTest } from "../../../syntax/rust-test-code.ts";
import { readSource } from "../../code/change.ts";
import type { PackageFormat, Tree } from "./contract.ts";
import { matchIgnoreLines } from "./ignore-lines.ts";

interface Crate {
  /** Relative to the root; "" is the root. */
  readonly folder: string;
  /** The field that limits the crate's files. */
  readonly field: "include" | "exclude";
  /** True for a path, relative to the folder, that is in the published crate. */
  readonly publishes: (path: string) => boolean;
}

export const cargo: PackageFormat = {
  sources: /\.rs$/,
  manifests: /(?:^|\/)Cargo\.toml$/,
  readRules: (_, text) => {
    const crate = fieldOf(readToml(text), "package");
    return JSON.stringify([fieldOf(crate, "include"), fieldOf(crate, "exclude")]);
  },
  async listLacks(path, tree) {
    const crate = await findCrate(path, tree);
    const source = await readSource(path, await tree.read(path));
    if (crate === undefined || source === undefined) return [];
    const own = posix.relative(crate.folder, path);
    if (/^(?:tests|benches|examples)\//.test(own) || !crate.publishes(own)) return [];
    return listUsed(source, crate.folder).flatMap((places) => {
      const needed = places.find((place) => tree.has(place));
      const within = needed === undefined ? "../" : posix.relative(crate.folder, needed);
      if (needed === undefined || within.startsWith("../") || crate.publishes(within)) return [];
      const manifest = posix.join(crate.folder, "Cargo.toml");
      return [{ needed, because: `\`${crate.field}\` in ${manifest} leaves out of the published crate` }];
    });
  },
};

const always = /^(?:Cargo\.(?:toml|lock)|(?:README|LICENSE)[\w.-]*)$/i;

/** Undefined for a crate that is not published, or whose manifest limits no files. */
async function findCrate(path: string, tree: Tree): Promise<Crate | undefined> {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const text = await tree.read(posix.join(folder, "Cargo.toml"));
    const crate = text === undefined ? undefined : fieldOf(readToml(text), "package");
    if (isRecord(crate)) {
      const { publish, include, exclude } = crate;
      if (publish === false || (Array.isArray(publish) && publish.length === 0)) return undefined;
      const root = folder === "." ? "" : folder;
      // Cargo does not read `exclude` beside `include`.
      if (isTexts(include) && include.length > 0) {
        const matches = matchIgnoreLines(include);
        return { folder: root, field: "include", publishes: (own) => always.test(own) || matches(own) };
      }
      if (include !== undefined || !isTexts(exclude)) return undefined;
      const matches = matchIgnoreLines(exclude);
      return { folder: root, field: "exclude", publishes: (own) => always.test(own) || !matches(own) };
    }
    if (folder === "." || folder === "/") return undefined;
  }
}

function readToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

const included =
  /^(?:(?:std|core)::)?include(?:_str|_bytes)?!\s*[({[]\s*(?:concat!\s*\(\s*env!\s*\(\s*"CARGO_MANIFEST_DIR"\s*\)\s*,\s*"\/([^"]+)"\s*\)|"([^"]+)")/;

/** The possible places of each file that the code includes or declares as a module; without those of test code. */
function listUsed({ file, tree }: Source, crate: string): string[][] {
  const folder = posix.dirname(file);
  const isTest = (node: SyntaxNode): boolean =>
    [node, ...parentsOf(node)].some((each) => isRustTest(tree, each));
  return [...walk(tree.root)].flatMap((node): string[][] => {
    if (node.kind === "macro_invocation") {
      const [, ofCrate, beside] = included.exec(textOf(tree, node)) ?? [];
      const place = ofCrate === undefined ? beside && posix.join(folder, beside) : posix.join(crate, ofCrate);
      return place === undefined || isTest(node) ? [] : [[place]];
    }
    const name = node.kind === "mod_item" ? childOf(node, "name") : undefined;
    if (name === undefined || childOf(node, "body") !== undefined || isTest(node)) return [];
    // Inside a module in braces, paths begin elsewhere.
    if ([...parentsOf(node)].some(({ kind }) => kind === "mod_item")) return [];
    const path = attributesOf(node)
      .map((attribute) => /^#\[\s*path\s*=\s*"([^"]+)"/.exec(textOf(tree, attribute))?.[1])
      .find((each) => each !== undefined);
    if (path !== undefined) return [[posix.join(folder, path)]];
    const stem = posix.basename(file, ".rs");
    const below = /^(?:lib|main|mod)$/.test(stem) ? folder : posix.join(folder, stem);
    const base = posix.join(below, textOf(tree, name).replace(/^r#/, ""));
    return [[`${base}.rs`, `${base}/mod.rs`]];
  });
}
