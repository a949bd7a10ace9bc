/** PHPUnit on the fixture in `tests/fixtures/repos/php-phpunit`. */
import { runProcess } from "../../src/base/process.ts";
import phpunit from "../../src/languages/php/phpunit.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

async function findPhpunit(): Promise<string | undefined> {
  const env = { PATH: process.env["PATH"] ?? "" };
  const [found, modules] = await Promise.all([
    runProcess(["phpunit", "--version"], { env, timeoutMs: 20_000 }),
    runProcess(["php", "-r", "exit(extension_loaded('pcov') ? 0 : 1);"], { env, timeoutMs: 20_000 }),
  ]);
  if (found.exitCode !== 0) return "this machine has no PHPUnit";
  return modules.exitCode === 0 ? undefined : "this machine's PHP has no pcov";
}

const prices = "tests/PricesTest.php";
const hostile = "tests/HostileTest.php";
const name = "Shop\\Tests\\PricesTest::testOfLetters with data set";
const odd = String.raw`${name} "[1] > 100% of "it's" €1.00 \ /a.*b/"`;

export const phpFixtures: readonly FrameworkFixture[] = [
  {
    framework: phpunit,
    repository: "php-phpunit",
    unavailable: findPhpunit,
    detected: "phpunit",
    statuses: {
      [`${prices}::Shop\\Tests\\PricesTest::testOfALightParcel`]: "passed",
      [`${prices}::Shop\\Tests\\PricesTest::testOfAHeavyParcel`]: "failed",
      [`${prices}::Shop\\Tests\\PricesTest::testOfAnUnknownKind`]: "failed",
      [`${prices}::Shop\\Tests\\PricesTest::testOfTomorrow`]: "skipped",
      [`${prices}::${name} "one"`]: "passed",
      [`${prices}::${odd}`]: "passed",
      "tests/BrokenTest.php::BrokenTest::testNeverRuns": "errored",
      [`${hostile}::HostileTest::testHangs`]: "timed-out",
      [`${hostile}::HostileTest::testClosesStandardOutput`]: "failed",
      [`${hostile}::HostileTest::testTakesAwayWhatAReporterMayNeed`]: "passed",
      "tests/NotLoadingTest.php::": "errored",
    },
    failures: {
      [`${prices}::Shop\\Tests\\PricesTest::testOfAHeavyParcel`]: {
        type: "PHPUnit\\Framework\\ExpectationFailedException",
        message: /^Failed asserting that 49 is identical to 44\.$/,
        frames: [`${prices}:17`],
      },
      [`${prices}::Shop\\Tests\\PricesTest::testOfAnUnknownKind`]: {
        type: "InvalidArgumentException",
        message: /^no price for crate$/,
        frames: [`${prices}:22`, "src/Prices.php:12"],
      },
      "tests/BrokenTest.php::BrokenTest::testNeverRuns": {
        type: "RuntimeException",
        message: /^no database$/,
        frames: ["tests/BrokenTest.php:9"],
      },
      [`${hostile}::HostileTest::testHangs`]: { type: "TimeoutError", message: /within 1000 ms/, frames: [] },
      "tests/NotLoadingTest.php::": {
        type: "Error",
        message: /^Call to undefined function rebates\(\)$/,
        frames: ["tests/NotLoadingTest.php:5"],
      },
    },
    coverage: {
      [`${prices}::Shop\\Tests\\PricesTest::testOfAHeavyParcel`]: { "src/Prices.php": [11, 14, 15, 16, 18] },
      [`${prices}::Shop\\Tests\\PricesTest::testOfAnUnknownKind`]: { "src/Prices.php": [11, 12] },
    },
    oneTest: { package: "", target: prices, name: odd },
    hangingTest: { package: "", target: hostile, name: "HostileTest::testHangs" },
    crash: {
      command: "phpunit crash/CrashTest.php",
      statuses: {
        "crash/CrashTest.php::CrashTest::testBefore": "passed",
        "crash/CrashTest.php::CrashTest::testProcessEnds": "failed",
        "crash/CrashTest.php::CrashTest::testNeverReached": "not-run",
      },
    },
    killed: {
      command: "phpunit crash/EndlessTest.php",
      finished: "crash/EndlessTest.php::EndlessTest::testBefore",
      during: "crash/EndlessTest.php::EndlessTest::testEndless",
    },
  },
];
