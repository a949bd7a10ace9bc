/**
 * Creates a project that depends on a repository. Builds the project in the sandbox, against a copy of the repository.
 * Writes the project to the user's folder only if it works.
 */
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import type { ForgedProject } from "../forge/contract.ts";
import { type ForgeEnd, forgeProject } from "../forge/forge-project.ts";
import type { Checkout, FileChange, Workspace } from "../workspace/contract.ts";
import { viewProject } from "../workspace/project-view.ts";
import { runShell } from "../workspace/run-shell.ts";
import type { Host } from "./host.ts";
import { withKeptWorkspace } from "./kept-workspace.ts";
import type { Settings } from "./settings.ts";

export interface ForgeRequest {
  /** The folder as the user wrote it. */
  readonly directory: string;
  /** The real path of the target. */
  readonly target: string;
  readonly packages: readonly string[];
  readonly about: string;
  readonly host: Host;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

export interface ForgedOutside {
  /** An absolute path, like `directory`. */
  readonly directory: string;
  readonly target: string;
  readonly ecosystem: string;
  readonly imports: readonly string[];
  readonly entry: string;
  /** Paths relative to the project's folder. */
  readonly files: readonly string[];
  readonly run: string;
  readonly start: readonly string[] | null;
  readonly notes: readonly string[];
}

/** Time limit in milliseconds for the first build, which includes all of the target's dependencies. */
const checkMs = 15 * 60_000;
const outputBytes = 256 * 1024;

export async function forgeOutside(request: ForgeRequest): Promise<ForgedOutside> {
  const repository = request.target;
  const directory = await makeFolder(request.directory, repository);
  let writes = false;
  try {
    const made = await forgeIn(directory, repository, request);
    const { forged, ecosystem, files } = made;
    if (readdirSync(directory).length > 0)
      throw new MillwrightError("usage", `Another program wrote into ${directory} meanwhile`, {
        hint: "Repeat the command with a folder that nothing else uses.",
      });
    writes = true;
    await writeAll(directory, files, forged);
    const { imports, run, start, notes } = forged;
    return {
      directory,
      target: repository,
      ecosystem,
      imports,
      entry: join(directory, forged.entry),
      files: [...files.keys()],
      run,
      start: start ?? null,
      notes,
    };
  } catch (error) {
    const hasOthersFiles = !writes && existsSync(directory) && readdirSync(directory).length > 0;
    if (!hasOthersFiles) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a new folder, and returns its real path. Fails for an existing one, so that it overwrites nothing, and for one inside the target. */
async function makeFolder(given: string, repository: string): Promise<string> {
  const path = resolve(given);
  if (existsSync(path))
    throw new MillwrightError("usage", `${path} already exists`, {
      hint: "Give a folder that does not exist yet.",
    });
  const above = realParentOf(path);
  const way = relative(repository, above);
  if (way === "" || !(way === ".." || way.startsWith("../") || way.startsWith("/")))
    throw new MillwrightError(
      "usage",
      `${path} is inside the target, and Millwright never writes to the target`,
      {
        hint: "Give a folder outside the target.",
      },
    );
  try {
    await makeFolders(path);
  } catch (cause) {
    throw new MillwrightError("disk", `Millwright cannot create the folder ${path}: ${String(cause)}`, {
      cause,
    });
  }
  return realpathSync(path);
}

/** Returns the real path of the nearest existing parent. */
function realParentOf(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return join(realpathSync(folder), relative(folder, dirname(path)));
}

interface Forged {
  readonly ecosystem: string;
  readonly forged: ForgedProject;
  readonly files: ReadonlyMap<string, string>;
}

async function forgeIn(directory: string, repository: string, request: ForgeRequest): Promise<Forged> {
  const { host, settings, signal } = request;
  return withKeptWorkspace(
    { host, repository, settings, signal },
    async ({ workspace: target, directory: kept }) => {
      const checkout = await target.openCheckout();
      await checkout.lay(target.base);
      const over = { directory: kept, folder: checkout.folder };
      return withKeptWorkspace(
        { host, repository: directory, settings, signal, over },
        async ({ workspace }) => {
          const runner = await workspace.openCheckout({ beside: [checkout] });
          const listed = (await target.trees.list(target.base)).map(({ path }) => path);
          const ended = await forgeProject({
            project: viewProject(checkout, listed),
            folder: "",
            outside: checkout.root,
            packages: request.packages.map((name) => name.replace(/^\.\/|\/+$/g, "")),
            about: request.about,
            offline: !settings.network,
            attempt: ({ files, links }, command) =>
              attempt({ workspace, runner, signal }, { files, links }, command),
          });
          return withResolved(ended, { workspace, runner, checkout, repository });
        },
      );
    },
  );
}

interface Session {
  readonly workspace: Workspace;
  readonly runner: Checkout;
  readonly signal: AbortSignal;
}

async function attempt(
  { workspace: { trees, base }, runner, signal }: Session,
  { files, links = new Map() }: { files: ForgedProject["files"]; links: ForgedProject["links"] },
  command: string,
): Promise<{ worked: boolean; output: string }> {
  const changes = [
    ...[...files].map(([path, content]): FileChange => ({ path, content })),
    ...[...links].map(([path, content]): FileChange => ({ path, content, mode: "120000" })),
  ];
  await runner.lay(await trees.write(base, changes));
  const { exitCode, stdout, stderr } = await runShell(runner, {
    text: command,
    directory: "",
    timeoutMs: checkMs,
    outputBytes,
    signal,
  });
  return { worked: exitCode === 0, output: `${stdout}\n${stderr}` };
}

/**
 * Adds the results of the check. If the sandbox shows the target at another path, puts the target's own path into the
 * texts.
 */
async function withResolved(
  ended: ForgeEnd,
  {
    workspace,
    runner,
    checkout,
    repository,
  }: {
    readonly workspace: Workspace;
    readonly runner: Checkout;
    readonly checkout: Checkout;
    readonly repository: string;
  },
): Promise<Forged> {
  if (!ended.ok)
    throw new MillwrightError("usage", `Nothing was created: ${ended.message}`, {
      hint: `The target must build in the sandbox: check this with \`millwright tests\`. If the build lacks packages, allow network access to download them.`,
    });
  const { ecosystem, forged } = ended;
  const { tree } = await runner.take();
  const own = (text: string): string => text.replaceAll(checkout.root, () => repository);
  const files = new Map([...forged.files].map(([path, text]) => [path, own(text)]));
  for (const path of forged.resolved ?? []) {
    const text = await workspace.trees.read(tree, path);
    if (text !== undefined) files.set(path, own(text.toString("utf8")));
  }
  const links = new Map([...(forged.links ?? [])].map(([path, to]) => [path, own(to)]));
  const { start } = forged;
  return {
    ecosystem,
    forged: { ...forged, links, run: own(forged.run), ...(start && { start: start.map(own) }) },
    files,
  };
}

async function writeAll(
  directory: string,
  files: ReadonlyMap<string, string>,
  { links = new Map() }: ForgedProject,
): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  for (const [path, to] of links) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await symlink(to, join(directory, path));
  }
}
