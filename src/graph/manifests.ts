/** Parses the manifests that affect the resolution of imports: package.json, tsconfig.json, go.mod, Cargo.toml. */

export type Manifest =
  | {
      readonly kind: "package";
      readonly name: string;
      /** Files that an import of the package by name may mean. Their paths are relative to the package's folder. */
      readonly entries: readonly string[];
      /** Keys and targets of `exports` and `imports`, with at most one `*` each. */
      readonly paths: readonly (readonly [string, string])[];
    }
  | {
      readonly kind: "tsconfig";
      readonly baseUrl: string | undefined;
      readonly paths: readonly (readonly [string, string])[];
      readonly extends: readonly string[];
    }
  | { readonly kind: "go"; readonly module: string }
  | { readonly kind: "cargo"; readonly name: string; readonly library: string | undefined };

const longestManifest = 200_000;

/** Parses a manifest. Undefined if the file is not one of these manifests, cannot be parsed, or is too long. */
export function readManifest(path: string, text: string): Manifest | undefined {
  if (text.length > longestManifest) return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1);
  try {
    if (name === "package.json") return readPackage(JSON.parse(text));
    if (/^[tj]sconfig(?:\.[\w.-]+)?\.json$/.test(name)) return readTsconfig(JSON.parse(stripComments(text)));
    if (name === "go.mod") return readGoModule(text);
    if (name === "Cargo.toml") return readCargo(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}

type Json = Readonly<Record<string, unknown>>;

function readPackage(data: unknown): Manifest | undefined {
  if (!isRecord(data)) return undefined;
  const entries = ["source", "types", "typings", "module", "main"].map((key) => data[key]).filter(isText);
  const paths = [...readTargets(data.exports), ...readTargets(data.imports)];
  const bin = isRecord(data.browser) ? [] : [data.browser].filter(isText);
  return { kind: "package", name: isText(data.name) ? data.name : "", entries: [...entries, ...bin], paths };
}

/** `exports` is a target, conditional targets, or a record of keys that begin with "." (`imports`: "#"). */
function readTargets(value: unknown, key = "."): (readonly [string, string])[] {
  if (isText(value)) return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one) => readTargets(one, key));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, target]) =>
    readTargets(target, /^[.#]/.test(name) ? name : key),
  );
}

function readTsconfig(data: unknown): Manifest | undefined {
  if (!isRecord(data)) return undefined;
  const options = isRecord(data.compilerOptions) ? data.compilerOptions : {};
  const paths = isRecord(options.paths) ? Object.entries(options.paths) : [];
  return {
    kind: "tsconfig",
    baseUrl: isText(options.baseUrl) ? options.baseUrl : undefined,
    paths: paths.flatMap(([key, targets]) =>
      (Array.isArray(targets) ? targets : []).filter(isText).map((target) => [key, target] as const),
    ),
    extends: [data.extends].flat().filter(isText),
  };
}

function readGoModule(text: string): Manifest | undefined {
  const module = /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
  return module === undefined ? undefined : { kind: "go", module };
}

function readCargo(text: string): Manifest | undefined {
  const section = (name: string): string =>
    text.split(/^(?=\[)/m).find((part) => part.startsWith(`[${name}]`)) ?? "";
  const value = (from: string, key: string): string | undefined =>
    new RegExp(`^${key}\\s*=\\s*["']([^"']+)["']`, "m").exec(from)?.[1];
  const name = value(section("package"), "name");
  if (name === undefined) return undefined;
  const library = section("lib");
  return {
    kind: "cargo",
    name: (value(library, "name") ?? name).replaceAll("-", "_"),
    library: value(library, "path"),
  };
}

/** Removes comments and trailing commas, which tsconfig.json may contain; strings stay. */
export function stripComments(text: string): string {
  return text
    .replace(
      /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, literal: string | undefined) => literal ?? "",
    )
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, literal: string | undefined) => literal ?? "");
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
