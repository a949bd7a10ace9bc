import type { ProjectView } from "../languages/contract.ts";
import type { Forge, ForgedProject } from "./contract.ts";
import { forgeFolder } from "./contract.ts";
import { forges } from "./ecosystems/index.generated.ts";

export interface ForgeOptions {
  readonly project: ProjectView;
  /** Default: `forgeFolder`. */
  readonly folder?: string;
  readonly packages?: readonly string[];
  readonly about?: string;
  readonly offline: boolean;
  /** Lays the files over the working copy and runs the text in a shell at its root. */
  readonly attempt: (
    forged: ForgedProject,
    command: string,
  ) => Promise<{ readonly worked: boolean; readonly output: string }>;
}

export type ForgeEnd =
  | { readonly ok: true; readonly ecosystem: string; readonly forged: ForgedProject }
  /** Nothing of what was tried builds; or there is no kind of project that is known. */
  | { readonly ok: false; readonly message: string };

/** Of a build's output that is told. */
const mostOutput = 2_000;

/** The first project that builds here, of the ecosystems whose manifests stand in the repository. */
export async function forgeProject({
  project,
  packages = [],
  offline,
  attempt,
  ...more
}: ForgeOptions): Promise<ForgeEnd> {
  const request = { project, folder: more.folder ?? forgeFolder, packages, about: more.about ?? "", offline };
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
      ? "no Cargo.toml, go.mod, package.json, pom.xml or Python package stands in the repository's root"
      : `no project beside the repository could be built. ${failures.at(-1) ?? ""}`;
  return { ok: false, message };
}

function byUse(listed: readonly Forge[], { files }: ProjectView): readonly Forge[] {
  const count = ({ extensions }: Forge): number =>
    files.filter((file) => extensions.some((extension) => file.endsWith(extension))).length;
  return [...listed].sort((a, b) => count(b) - count(a));
}
