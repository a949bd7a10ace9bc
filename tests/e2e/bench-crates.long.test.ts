/** Crates as of a day: a setup's lock file takes only versions that a local index dates before the day. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { members } from "../contract/sandbox-fixture.ts";
import { makeRepository, readDocument, replaceIn, startBench, writeLines } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const sandbox = members.find(({ name }) => name === "bubblewrap");
const missing = sandbox?.missing ?? (hasPublishTime() ? undefined : "cargo has no --publish-time");

/** True if the machine's cargo can limit a lock file by the versions' times. */
function hasPublishTime(): boolean {
  try {
    return execFileSync("cargo", ["generate-lockfile", "--help"], { encoding: "utf8" }).includes(
      "--publish-time",
    );
  } catch {
    return false;
  }
}

let playground: Playground;
let server: Server;
let address: string;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());
beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = answers.get(request.url ?? "");
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const place = server.address();
  address = `http://127.0.0.1:${typeof place === "object" ? place?.port : ""}`;
});
afterAll(() => void server.close());

/** Files of the index and its crates, by path. */
const answers = new Map<string, string | Buffer>();

/** Publishes versions of the crate `weights`, whose `heavy` returns the version's own number. */
function publish(versions: readonly { readonly version: string; readonly day: string }[]): void {
  const rows = versions.map(({ version, day }) => {
    const name = `weights-${version}`;
    const folder = join(playground.folder, "crates", name);
    mkdirSync(join(folder, "src"), { recursive: true });
    writeFileSync(
      join(folder, "Cargo.toml"),
      `[package]\nname = "weights"\nversion = "${version}"\nedition = "2018"\n`,
    );
    writeFileSync(join(folder, "src", "lib.rs"), `pub fn heavy() -> &'static str { "${version}" }\n`);
    const archive = execFileSync("tar", ["-czf", "-", "-C", join(playground.folder, "crates"), name]);
    answers.set(`/crates/weights/${version}.crate`, archive);
    const cksum = createHash("sha256").update(archive).digest("hex");
    const row = { name: "weights", vers: version, deps: [], cksum, features: {}, yanked: false };
    return JSON.stringify({ ...row, pubtime: `${day}T12:00:00Z` });
  });
  answers.set("/we/ig/weights", `${rows.join("\n")}\n`);
  answers.set("/config.json", JSON.stringify({ dl: `${address}/crates/{crate}/{version}.crate` }));
}

/** The setup of docs/grading.md, as the page has it. */
function documentedSetup(): string {
  const page = readFileSync(new URL("../../docs/grading.md", import.meta.url), "utf8");
  const block = /```\n(export CARGO_HOME[\s\S]*?)```/.exec(page)?.[1];
  if (block === undefined) throw new Error("docs/grading.md has no setup for crates");
  return block.trim();
}

test.skipIf(missing !== undefined)(
  `crates are as of the day of --packages-until${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  async () => {
    publish([
      { version: "1.0.0", day: "2022-01-10" },
      { version: "1.1.0", day: "2023-06-30" },
      { version: "1.2.0", day: "2023-07-01" },
    ]);
    const scales = makeRepository(playground, "repair-rust", "acme/deck", (folder) => {
      execFileSync("git", ["rm", "-q", "--cached", "Cargo.lock"], { cwd: folder });
      execFileSync("rm", [join(folder, "Cargo.lock")]);
      writeFileSync(join(folder, ".gitignore"), "target\nCargo.lock\n");
      const manifest = readFileSync(join(folder, "Cargo.toml"), "utf8");
      writeFileSync(
        join(folder, "Cargo.toml"),
        `${manifest}\nweights = { version = "1", registry = "local" }\n`,
      );
      writeFileSync(join(folder, "src", "name.rs"), 'pub fn name() -> &\'static str { "wrong" }\n');
      const library = readFileSync(join(folder, "src", "lib.rs"), "utf8");
      writeFileSync(join(folder, "src", "lib.rs"), `${library}\npub mod name;\n`);
    });
    const row = {
      instance_id: "acme__deck-1",
      repo: "acme/deck",
      base_commit: scales.baseCommit,
      problem_statement: "name() says wrong, and the version of weights is right.",
      patch: scales.patch((folder) => replaceIn(folder, "src/name.rs", '"wrong"', "weights::heavy()")),
      test_patch: scales.patch((folder) =>
        writeFileSync(
          join(folder, "tests", "name.rs"),
          '#[test]\nfn has_the_versions_of_the_day() { assert_eq!(ferry::name::name(), "1.1.0"); }\n',
        ),
      ),
      test_cmd: "cargo test --offline --test name",
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
    };
    const tasks = join(playground.folder, "crates.jsonl");
    writeLines(tasks, [row]);
    const registry = `[registries.local]\nindex = "sparse+${address}/"\n`;
    const setup = `mkdir -p .cargo && echo '${registry}' >.cargo/config.toml\n${documentedSetup()}`;
    const flags = ["--setup", setup, "--packages-until", "2023-06-30", "--sandbox", "bubblewrap"];
    const end = await startBench(playground, "check", tasks, ...flags, "--repeats", "1", "--json").ended;
    expect(readDocument(end).tasks["acme__deck-1"]).toMatchObject({
      state: "fit",
      lists: { failToPass: [expect.stringContaining("has_the_versions_of_the_day")] },
    });
    const environments = join(playground.folder, "bench", "environments");
    const [made = ""] = readdirSync(environments);
    expect(readFileSync(join(environments, made, "deck", "Cargo.lock"), "utf8")).toContain(
      'version = "1.1.0"',
    );
  },
);
