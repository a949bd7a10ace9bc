import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../../src/base/process.ts";
import { instrumentFiles } from "../../src/instrument/instrument-files.ts";
import maven from "../../src/languages/java/maven.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

/** What the fixture's build takes from the local repository; `mvn test` in a copy of the fixture brings it there. */
const needed = [
  "org/apache/maven/plugins/maven-surefire-plugin/3.2.5",
  "org/apache/maven/surefire/surefire-junit-platform/3.2.5",
  "org/junit/jupiter/junit-jupiter-params/5.10.2",
];

export async function findMissingMaven(): Promise<string | undefined> {
  const { exitCode } = await runProcess(["mvn", "-v"], { timeoutMs: 60_000 });
  if (exitCode !== 0) return "mvn cannot be started";
  const missing = needed.find((path) => !existsSync(join(homedir(), ".m2/repository", path)));
  return missing && `the local Maven repository has no ${missing}`;
}

/** Maven lives for a second or two: it starts in two thirds of the time when it compiles itself but once. */
export const quickMaven = { MAVEN_OPTS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" };

async function countLines(root: string): Promise<void> {
  const path = "src/main/java/org/example/parcels/Prices.java";
  const files = [{ path, text: readFileSync(join(root, path), "utf8") }];
  for (const { text } of await instrumentFiles(files)) writeFileSync(join(root, path), text);
}

const tests = "src/test/java/org/example/parcels";
const prices = "src/main/java/org/example/parcels/Prices.java";
const pricesTest = "org.example.parcels.PricesTest";
const hostileTest = "org.example.parcels.HostileTest";

export const javaFixtures: readonly FrameworkFixture[] = [
  {
    framework: maven,
    repository: "maven-junit5",
    env: quickMaven,
    unavailable: findMissingMaven,
    prepare: countLines,
    detected: "mvn test",
    statuses: {
      [`${hostileTest}::aFails`]: "failed",
      [`${hostileTest}::bHangs`]: "timed-out",
      [`${hostileTest}::cAfterTheOthers`]: "passed",
      "org.example.parcels.SetUpTest::": "errored",
      [`${pricesTest}::strike`]: "skipped",
      [`${pricesTest}::adds`]: "passed",
      [`${pricesTest}::base(String, int)[1]`]: "passed",
      [`${pricesTest}::base(String, int)[2]`]: "passed",
      [`${pricesTest}::base(String, int)[3]`]: "failed",
      [`${pricesTest}::wrappedError`]: "failed",
      [`${pricesTest}::unknownKind`]: "failed",
      [`${pricesTest}::lightParcel`]: "passed",
      [`${pricesTest}::heavyParcel`]: "failed",
      "org.example.parcels.SurchargeTest$Heavy::surcharge": "passed",
    },
    failures: {
      [`${hostileTest}::bHangs`]: { type: "TimeoutError", message: /took longer than/, frames: [] },
      [`${pricesTest}::heavyParcel`]: {
        type: "AssertionFailedError",
        message: /<651> but was: <650>/,
        frames: [`${tests}/PricesTest.java:21`],
      },
      [`${pricesTest}::unknownKind`]: {
        type: "IllegalArgumentException",
        message: /no price for 'crate'/,
        frames: [`${tests}/PricesTest.java:26`, `${prices}:21`, `${prices}:17`],
      },
      [`${pricesTest}::wrappedError`]: {
        type: "IllegalStateException",
        message: /no parcel/,
        frames: [`${tests}/PricesTest.java:32`, `${prices}:21`, `${prices}:17`],
      },
      "org.example.parcels.SetUpTest::": {
        type: "IllegalStateException",
        message: /no database/,
        frames: [`${tests}/SetUpTest.java:9`],
      },
    },
    coverage: {
      [`${pricesTest}::lightParcel`]: { [prices]: [11, 14, 15, 21, 22, 25] },
      [`${pricesTest}::heavyParcel`]: { [prices]: [11, 14, 15, 21, 22, 23, 25, 29] },
      [`${pricesTest}::unknownKind`]: { [prices]: [11, 14, 17, 21] },
      [`${pricesTest}::base(String, int)[2]`]: { [prices]: [11, 14, 15] },
      [`${hostileTest}::cAfterTheOthers`]: { [prices]: [11, 12] },
    },
    oneTest: { package: "", target: pricesTest, name: "base(String, int)[2]" },
    runsAllTests: true,
    hangingTest: { package: "", target: hostileTest, name: "bHangs" },
  },
];
