/** The members of a repository with several packages, as npm, yarn, pnpm and lerna declare them. */
import { posix } from "node:path";
import { parse as parseYaml } from "yaml";
import type { ProjectView } from "../contract.ts";
import { isRecord, listManifests, type Manifest, readManifest } from "./package-manifest.ts";

/** Folders of packages that are not part of the product. */
const aside = /(?:^|\/)(?:docs?|website|site|playgrounds?|sandbox|bench(?:mark)?s?|perf|e2e|demos?)(?:\/|$)/;

/**
 * Returns the members of a workspace, outermost first, without folders such as `docs` and `bench`. Empty if the
 * repository is one package.
 */
export function listMembers(project: ProjectView): readonly Manifest[] {
  const patterns = readPatterns(project);
  if (patterns.length === 0) return [];
  const [left, wanted] = [
    patterns.filter((one) => one.startsWith("!")),
    patterns.filter((one) => !one.startsWith("!")),
  ];
  return listManifests(project).filter(({ directory }) => {
    if (directory === "" || aside.test(directory)) return false;
    const matches = (pattern: string): boolean =>
      posix.matchesGlob(directory, posix.normalize(pattern.replace(/\/$/, "")));
    return wanted.some(matches) && !left.some((pattern) => matches(pattern.slice(1)));
  });
}

function readPatterns(project: ProjectView): string[] {
  const declared = readManifest(project, "")?.content["workspaces"];
  const own = textsIn(isRecord(declared) ? declared["packages"] : declared);
  if (own.length > 0) return own;
  for (const file of ["pnpm-workspace.yaml", "lerna.json"]) {
    const content = readYaml(project.read(file));
    const found = textsIn(isRecord(content) ? content["packages"] : undefined);
    if (found.length > 0) return found;
  }
  return [];
}

function readYaml(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseYaml(text); // JSON is YAML
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
