// Runs a command as on a machine without bubblewrap, Docker and language servers: bare.ts [--without-toolchains]
// COMMAND …
// The command gets its own mounts. There, nobody finds these programs by name or by path, and no daemon listens.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Language } from "../src/languages/contract.ts";
import { languages } from "../src/languages/languages.generated.ts";
import type { LanguageServer } from "../src/lsp/language-server.ts";
import { languageServers } from "../src/lsp/servers/index.generated.ts";

const [flag, ...rest] = process.argv.slice(2);
const withoutToolchains = flag === "--without-toolchains";
const command = withoutToolchains ? rest : process.argv.slice(2);

const sandboxes = ["bwrap", "docker", "dockerd", "podman"];
const known: readonly Language[] = languages;
/** What shells and this project's own tests need stays: Python and Node. */
const kept = ["python3", "node"];
const ofLanguages = known
  .flatMap(({ toolchain = [], runners = [] }) => [
    ...toolchain.flatMap(({ argv }) => argv.slice(0, 1)),
    ...runners,
  ])
  .filter((program) => !kept.includes(program));
const others = "gofmt rustc rustup java gradle cmake make dotnet cc c++ gcc g++ clang clang++ lua";
const toolchains = [...ofLanguages, ...others.split(" ")];
const servers = (languageServers as readonly LanguageServer[]).flatMap((server) =>
  server.programs.map(({ program }) => program),
);
const gone = [...sandboxes, ...servers, ...(withoutToolchains ? toolchains : [])];

const isRoot = process.getuid?.() === 0;
const enter = isRoot
  ? ["unshare", "--mount"]
  : ["unshare", "--user", "--map-current-user", "--keep-caps", "--mount"];

/** Folders that hold programs, without the checkout's own. */
const folders = new Set(
  [...(process.env["PATH"] ?? "").split(":"), "/usr/bin", "/usr/sbin", "/usr/local/bin"]
    .filter((folder) => folder.startsWith("/") && existsSync(folder) && !folder.includes("node_modules"))
    .map((folder) => realpathSync(folder)),
);

/** Lays an empty folder over each, from which the programs are then taken away; the machine's own stay as they are. */
const lines = ["set -e", 'mount -t tmpfs none "$scratch"'];
for (const [index, folder] of [...folders].entries()) {
  const programs = gone.filter((program) => existsSync(join(folder, program)));
  if (programs.length === 0) continue;
  const layers = `lowerdir=${folder},upperdir=$scratch/${index}/upper,workdir=$scratch/${index}/work`;
  lines.push(`mkdir -p "$scratch/${index}/upper" "$scratch/${index}/work"`);
  lines.push(`mount -t overlay none -o "${layers}" "${folder}"`);
  lines.push(...programs.map((program) => `rm "${join(folder, program)}"`));
}
const installedServers = join(homedir(), ".local/share/millwright/servers");
if (existsSync(installedServers)) lines.push(`mount -t tmpfs none "${installedServers}"`);
for (const socket of ["/var/run/docker.sock", join(homedir(), ".docker/run/docker.sock")])
  if (existsSync(socket)) lines.push(`mount --bind /dev/null "${realpathSync(socket)}"`);
lines.push(`for program in ${gone.join(" ")}; do case $(command -v "$program") in`);
lines.push('  "" | */node_modules/*) ;;', '  *) echo "bare: $program is still there" >&2; exit 1 ;;');
lines.push("esac; done", 'exec "$@"');

const scratch = mkdtempSync(join(tmpdir(), "millwright-bare-"));
const { status, error } = spawnSync(
  enter[0] ?? "",
  [...enter.slice(1), "sh", "-c", lines.join("\n"), "sh", ...command],
  {
    // Of whole runs each is a process of its own here, as a user's is.
    env: {
      ...{ MILLWRIGHT_TEST_WARM: "0", ...process.env, scratch },
      DOCKER_HOST: `unix://${scratch}/no-daemon.sock`,
    },
    stdio: "inherit",
  },
);
rmSync(scratch, { recursive: true, force: true });
if (error !== undefined) console.error(`bare: ${error.message}`);
process.exitCode = status ?? 1;
