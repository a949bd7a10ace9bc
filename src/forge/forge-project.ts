import { nearestNames } from "../base/nearest-names.ts";
import type { ProjectView } from "../languages/contract.ts";
import type { Forge, ForgedProject } from "./contract.ts";
import { forgeFolder } from "./contract.ts";
import { forges } from "./ecosystems/index.generated.ts";

export interface ForgeOptions {
  readonly project: ProjectView;
  /** The project's folder; default: `forgeFolder`. */
  readonly folder?: string;
  readonly outside?: string;
  readonly packages?: readonly string[];
  readonly about?: string;
  readonly offline: boolean;
  /** Adds the files to the working copy and runs the text in a shell at its root. */
  readonly attempt: (
    forged: ForgedProject,
    command: string,
  ) => Promise<{ readonly worked: boolean; readonly output: string }>;
}

export type ForgeEnd =
  | { readonly ok: true; readonly ecosystem: string; readonly forged: ForgedProject }
  /** No attempt builds, a package is unknown, or the kind of project is unknown. */
  | { readonly ok: false; readonly message: string };

const mostNames = 12;
/** Maximum number of characters of a build's output in the message. */
const mostOutput = 2_000;

/**
 * True if Millwright can forge a project for a repository with these files: it recognises the files' ecosystem, for
 * example by `Cargo.toml`.
 */
export function knowsProject(files: readonly string[]): boolean {
  return forges.some(({ sign }) => files.some((file) => sign.files.test(file)));
}

/**
 * Forges projects for each ecosystem of the repository's files. Returns the first project that builds, or else the
 * reason why none does.
 */
export async function forgeProject({
  project,
  packages = [],
  offline,
  attempt,
  ...more
}: ForgeOptions): Promise<ForgeEnd> {
  const { folder = forgeFolder, about = "", outside } = more;
  const unknown = findUnknown(packages, project);
  if (unknown !== undefined) return { ok: false, message: unknown };
  const request = { project, folder, packages, about, offline, ...(outside !== undefined && { outside }) };
  const offers = byUse(forges, project).flatMap(({ ecosystem, forge }) =>
    forge(request).map((forged) => ({ ecosystem, forged })),
  );
  const failures: string[] = [];
  for (const { ecosystem, forged } of offers) {
    const { worked, output } = await attempt(forged, forged.check);
    if (worked) return { ok: true, ecosystem, forged };
    failures.push(`${ecosystem}: ${output.trim().slice(-mostOutput)}`);
  }
  const message =
    failures.length === 0
      ? `the repository's root contains none of these: ${forges.map(({ sign }) => sign.name).join(", ")}`
      : `no project that depends on the repository could be built. ${failures.at(-1) ?? ""}`;
  return { ok: false, message };
}

/** Describes the first unknown package, with similar names; undefined if all are known. */
function findUnknown(packages: readonly string[], project: ProjectView): string | undefined {
  if (packages.length === 0) return undefined;
  const known = [...new Set(forges.flatMap((forge) => forge.packagesOf(project)))].filter(
    (name) => name !== "",
  );
  const unknown = packages.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const near = nearestNames(unknown, known, mostNames);
  const names = near.length > 0 ? near : known.slice(0, mostNames);
  const others =
    names.length === 0 ? "there are no packages to choose from" : `other packages: ${names.join(", ")}`;
  return `there is no package ${unknown}; ${others}`;
}

function byUse(listed: readonly Forge[], { files }: ProjectView): readonly Forge[] {
  const count = ({ extensions }: Forge): number =>
    files.filter((file) => extensions.some((extension) => file.endsWith(extension))).length;
  return [...listed].sort((a, b) => count(b) - count(a));
}
