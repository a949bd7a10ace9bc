// Lists the members of each extension point in a generated file of its folder. To add a member, add its file.
// `node scripts/generate-indexes.ts` writes the lists; with `--check`, fails if a list is out of date.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

interface ExtensionPoint {
  readonly folder: string;
  /** Files that may hold a member, relative to the folder. */
  readonly files: string;
  readonly define: string;
  readonly exported: string;
  /**
   * The generated file, where it is not the folder's `index.generated.ts`: who imports one list loads the members of no
   * other.
   */
  readonly index?: string;
}

const root = dirname(import.meta.dirname);
const points: readonly ExtensionPoint[] = [
  { folder: "src/llm/providers", files: "*.ts", define: "defineModelProvider", exported: "modelProviders" },
  { folder: "src/sandbox", files: "*.ts", define: "defineSandbox", exported: "sandboxProviders" },
  {
    folder: "src/languages",
    files: "*/*.ts",
    define: "defineLanguage",
    exported: "languages",
    index: "languages.generated.ts",
  },
  { folder: "src/languages", files: "*/*.ts", define: "defineTestFramework", exported: "testFrameworks" },
  { folder: "src/syntax/dialects", files: "*.ts", define: "defineDialect", exported: "dialects" },
  { folder: "src/syntax/outlines", files: "*.ts", define: "defineOutline", exported: "outlines" },
  { folder: "src/lsp/servers", files: "*.ts", define: "defineLanguageServer", exported: "languageServers" },
  { folder: "src/instrument/selectors", files: "*.ts", define: "defineSelector", exported: "selectors" },
  { folder: "src/instrument/tracers", files: "*.ts", define: "defineTracer", exported: "tracers" },
  { folder: "src/forge/ecosystems", files: "*.ts", define: "defineForge", exported: "forges" },
  {
    folder: "src/forge-hosts/hosts",
    files: "*.ts",
    define: "defineForgeHost",
    exported: "forgeHosts",
  },
  { folder: "src/repair/templates", files: "*.ts", define: "defineTemplate", exported: "templates" },
  { folder: "src/tools", files: "*.ts", define: "defineCodeTool", exported: "codeTools" },
  { folder: "src/agent/review/guards", files: "*.ts", define: "defineGuards", exported: "guards" },
  { folder: "src/agent/review/checks", files: "*.ts", define: "defineReviewCheck", exported: "checks" },
  { folder: "src/actions", files: "*.ts", define: "defineAction", exported: "actions" },
  { folder: "src/bench/datasets", files: "*.ts", define: "defineDataset", exported: "datasets" },
  { folder: "src/bench/suites", files: "*.ts", define: "defineSuite", exported: "suites" },
  { folder: "src/strategies", files: "*/*.ts", define: "defineStrategy", exported: "strategies" },
];

interface Member {
  readonly path: string;
  readonly identifier: string;
  readonly exported: string;
}

function findMembers(point: ExtensionPoint): Member[] {
  const folder = join(root, point.folder);
  return globSync(point.files, { cwd: folder })
    .filter((path) => !path.endsWith(".test.ts") && !path.endsWith(".generated.ts"))
    .filter((path) => readFileSync(join(folder, path), "utf8").includes(`export default ${point.define}(`))
    .map((path) => ({ path: `./${path}`, identifier: identifierOf(path), exported: point.exported }))
    .sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
}

/** `not-equal.ts` → `notEqual`, `search-repair/strategy.ts` → `searchRepair`. */
function identifierOf(path: string): string {
  const file = basename(path, ".ts");
  const name = file === "strategy" ? dirname(path) : file;
  return name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function renderIndex(members: readonly Member[], exportedNames: readonly string[]): string {
  const imports = [...members]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((member) => `import ${member.identifier} from "${member.path}";`);
  const lists = exportedNames.map((name) => {
    const names = members.filter((member) => member.exported === name).map((member) => member.identifier);
    return `export const ${name} = [${names.join(", ")}] as const;`;
  });
  const head = ["// Written by scripts/generate-indexes.ts; do not edit.", ...imports];
  return `${head.join("\n")}\n\n${lists.join("\n")}\n`;
}

const indexOf = ({ folder, index = "index.generated.ts" }: ExtensionPoint): string => join(folder, index);

let stale = false;
for (const index of new Set(points.map(indexOf))) {
  const path = join(root, index);
  if (!existsSync(dirname(path))) continue;
  const own = points.filter((point) => indexOf(point) === index);
  const wanted = renderIndex(
    own.flatMap(findMembers),
    own.map((point) => point.exported),
  );
  const present = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (present === wanted) continue;
  stale = true;
  if (process.argv.includes("--check")) console.error(`${index} is stale: run npm run generate`);
  else writeFileSync(path, wanted);
}
if (stale && process.argv.includes("--check")) process.exit(1);
