import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const runtime = join(import.meta.dirname, "../runtime");

/** Copies resources as Maven does. */
const copyResources = `for part in main/resources:classes test/resources:test-classes; do
  for module in . cargo; do
    to=$module/target/\${part#*:}
    mkdir -p "$to" && cp -R "$module/src/\${part%:*}/." "$to"
  done
done`;

function openBuild() {
  const folder = mkdtempSync(join(tmpdir(), "millwright-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (path: string): string => join(folder, "repository", path);
  const write = (path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), "");
  };
  write("../tools/agent.jar"); // so that the script does not compile it
  return {
    write,
    has: (path: string) => existsSync(at(path)),
    remove: (path: string) => rmSync(at(path)),
    run(): void {
      const report = mkdtempSync(join(folder, "report-"));
      const words = [join(runtime, "java/run-build.sh"), report, runtime, "sh", "-c", copyResources];
      const env = { PATH: process.env["PATH"], MILLWRIGHT_BUILT_JAVA: join(folder, "tools") };
      const { status } = spawnSync("sh", words, { cwd: at(""), env, stdio: "ignore" });
      expect(status).toBe(0);
    },
  };
}

test("a copy of a resource goes with the resource, and nothing else goes", () => {
  const build = openBuild();
  for (const module of ["", "cargo/"]) {
    build.write(`${module}src/main/resources/META-INF/services/shop.Fee`);
    build.write(`${module}src/test/resources/target/messages de.properties`);
    build.write(`${module}target/classes/META-INF/services/shop.Generated`);
    build.write(`${module}target/classes/shop/Fee.class`);
  }
  build.run();
  build.remove("src/main/resources/META-INF/services/shop.Fee");
  build.remove("cargo/src/test/resources/target/messages de.properties");
  build.run();
  expect(build.has("target/classes/META-INF/services/shop.Fee")).toBe(false);
  expect(build.has("cargo/target/test-classes/target/messages de.properties")).toBe(false);
  const kept = [
    "cargo/target/classes/META-INF/services/shop.Fee",
    "target/test-classes/target/messages de.properties",
    "target/classes/META-INF/services/shop.Generated",
    "target/classes/shop/Fee.class",
  ];
  expect(kept.filter((path) => !build.has(path))).toEqual([]);
});
