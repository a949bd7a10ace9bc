/**
 * Multi-SWE-bench's log parsers, which behave like `multi_swe_bench` 1.1.2 (`harness/repos`). They cover the 39
 * repositories of the released set, and 23 others with the same parsers.
 */
import { pythonPattern, splitLines, strip } from "./contract.ts";
import { readMochaJson } from "./mocha-json.ts";
import { openSets, type SetParser, type TestSets } from "./test-sets.ts";

/** Patterns for the beginning of a line, in Python's notation; the first group is the test's name. */
interface Patterns {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped?: readonly string[];
}

const { raw } = String;

const findNames = (patterns: readonly string[] = []): ((line: string) => string[]) => {
  const compiled = patterns.map((each) => pythonPattern(`^(?:${each})`));
  return (line) => compiled.flatMap((each) => each.exec(line)?.[1] ?? []);
};

/** Makes a parser from patterns. `note` receives the names that one line gives for each result. */
function readWith(patterns: Patterns, note: Note, prepare: (line: string) => string = strip): SetParser {
  const [passed, failed, skipped] = [patterns.passed, patterns.failed, patterns.skipped].map(findNames);
  return (log) => {
    const sets = openSets();
    for (const line of splitLines(log).map(prepare)) {
      note(sets, {
        passed: passed?.(line) ?? [],
        failed: failed?.(line) ?? [],
        skipped: skipped?.(line) ?? [],
      });
    }
    return sets;
  };
}

type Note = (sets: TestSets, names: Readonly<Record<keyof TestSets, readonly string[]>>) => void;

const noteEach: Note = (sets, names) => {
  for (const name of names.passed) sets.passed.add(name);
  for (const name of names.failed) sets.failed.add(name);
  for (const name of names.skipped) sets.skipped.add(name);
};

/**
 * Notes results by the official condition. A failure wins over a pass. A skipped test counts only if it failed before,
 * and then voids the log.
 */
const noteFailures =
  (shorten: (name: string) => string): Note =>
  ({ passed, failed, skipped }, names) => {
    for (const name of names.passed) {
      if (failed.has(name)) continue;
      skipped.delete(name);
      passed.add(shorten(name));
    }
    for (const name of names.failed) {
      passed.delete(name);
      skipped.delete(name);
      failed.add(shorten(name));
    }
    for (const name of names.skipped) {
      if (!passed.has(name) && failed.has(name)) skipped.add(shorten(name));
    }
  };

const noteGradle: Note = ({ passed, failed, skipped }, names) => {
  for (const name of names.passed) if (!failed.has(name)) passed.add(name);
  for (const name of names.failed) {
    failed.add(name);
    passed.delete(name);
  }
  for (const name of names.skipped) skipped.add(name);
};

const go: Patterns = {
  passed: [raw`--- PASS: (\S+)`],
  failed: [raw`--- FAIL: (\S+)`, raw`FAIL:?\s?(.+?)\s`],
  skipped: [raw`--- SKIP: (\S+)`],
};

/** Returns a subtest's parent, as which the subtest counts: `A/b/c` becomes `A/b`. */
const parentOf = (name: string): string => (name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : name);

const gradle: Patterns = {
  passed: [raw`> Task :(\S+)$`, raw`> Task :(\S+) UP-TO-DATE$`, raw`(.+ > .+) PASSED$`],
  failed: [raw`> Task :(\S+) FAILED$`, raw`(.+ > .+) FAILED$`],
  skipped: [raw`> Task :(\S+) SKIPPED$`, raw`> Task :(\S+) NO-SOURCE$`, raw`(.+ > .+) SKIPPED$`],
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const colours = /\x1b\[[0-?]*[mK]/g;

/** Matches Surefire's line for a class, which counts as one test. */
const surefire = pythonPattern(
  raw`Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+), Time elapsed: [\d.]+ .+? in (.+)`,
);

function noteClass(sets: TestSets, name: string, counts: readonly string[]): void {
  const [run = 0, failures = 0, errors = 0, skipped = 0] = counts.map(Number);
  if (failures > 0 || errors > 0) sets.failed.add(name);
  else if (skipped === run) sets.skipped.add(name);
  else if (run > 0) sets.passed.add(name);
}

const maven: SetParser = (log) => {
  const sets = openSets();
  for (const line of splitLines(log)) {
    const [, run = "", failures = "", errors = "", skipped = "", name] = surefire.exec(line) ?? [];
    if (name !== undefined) noteClass(sets, name, [run, failures, errors, skipped]);
  }
  return sets;
};

/** Reads old Surefire's logs: `Running CLASS`, then its counts. The official search begins at the ninth character. */
const gson: SetParser = (log) => {
  const sets = openSets();
  const text = log.slice(8);
  const counts = raw`Tests run:\s*(\d+),\s*Failures:\s*(\d+),\s*Errors:\s*(\d+),\s*Skipped:\s*(\d+)`;
  const block = raw`Running\s+([^\n]+?)\s*\n(?:(?!Tests run:)[^\n]*\n)*${counts},\s*Time elapsed:\s*[\d.]+\s*sec`;
  for (const [, name = "", ...numbers] of text.matchAll(pythonPattern(block, "g"))) {
    noteClass(sets, name, numbers);
  }
  const failed = raw`Running ([^\n]+?)\nTests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+, Time elapsed: [\d\.]+ sec +<<< FAILURE!`;
  for (const [, name = ""] of text.matchAll(pythonPattern(failed, "g"))) sets.failed.add(name);
  return sets;
};

/**
 * Makes a parser of jest's logs: `PASS FILE`, then `✓ TEST`. Both count. A test before any file stops the official
 * parser.
 */
function jest(fileTime: string, testTime: string, file: string): SetParser {
  const suites = {
    passed: findNames([`PASS (${file})${fileTime}$`]),
    failed: findNames([`FAIL (${file})${fileTime}$`]),
  };
  const tests = { passed: findNames([`✓ (.+?)${testTime}$`]), failed: findNames([`✕ (.+?)${testTime}$`]) };
  return (log) => {
    const sets = openSets();
    let suite: string | undefined;
    for (const line of splitLines(log).map(strip)) {
      for (const result of ["passed", "failed"] as const) {
        for (const name of suites[result](line)) {
          suite = name;
          sets[result].add(name);
        }
      }
      for (const result of ["passed", "failed"] as const) {
        for (const name of tests[result](line)) {
          if (suite === undefined) return undefined;
          sets[result].add(`${suite}:${name}`);
        }
      }
    }
    return sets;
  };
}

const time = raw`(?:\s\(\d*\.?\d+\s*\w+\))?`;
const looseTime = raw`(?:\s\(\d*\.?\d*\s*\w+\))?`;
const bareTime = raw`(?:\s*\d*\.?\d+\s*(?:ms|s|m))?`;

const mocha = readWith(
  { passed: [`✔ (.+?)${looseTime}$`], failed: [raw`\d+\) (.+?)${looseTime}$`] },
  noteEach,
);

const automake: Patterns = {
  passed: [raw`PASS: (\S+)$`],
  failed: [raw`FAIL: (\S+)$`],
  skipped: [raw`SKIP: (\S+)$`],
};
const jq = readWith(automake, noteEach);

/** Reads zstd's logs. Old pull requests have one test, which passes if a line occurs exactly once. */
const zstd: SetParser = (log, number) => {
  const mark =
    number >= 1831 && number <= 2703
      ? "make[1]: Leaving directory '/home/zstd/doc/educational_decoder'"
      : number >= 1230 && number <= 1748
        ? "PASS: all POOL tests"
        : undefined;
  if (mark === undefined) return jq(log, number);
  const sets = openSets();
  sets[log.split(mark).length === 2 ? "passed" : "failed"].add("all tests");
  return sets;
};

const expressText: readonly number[] = [4212, 4852, 5555, 5841];
/** Matches npm's own lines around the JSON. */
const expressNoise = /(?<![^\n])(?:=+|Writing [^\n]*)(?![^\n])/g;

/** The parser with its repositories, in lower case. */
const parsers: readonly { readonly parse: SetParser; readonly of: readonly string[] }[] = [
  {
    parse: readWith(
      {
        passed: [raw`test (\S+) ... ok`],
        failed: [raw`test (\S+) ... FAILED`],
        skipped: [raw`test (\S+) ... ignored`],
      },
      noteEach,
    ),
    of: [
      ...["clap-rs/clap", "tokio-rs/tokio", "tokio-rs/bytes", "tokio-rs/tracing", "burntsushi/ripgrep"],
      ...["rayon-rs/rayon", "sharkdp/bat", "sharkdp/fd", "serde-rs/serde", "nushell/nushell"],
      ...["rusqlite/rusqlite", "rust-lang/mdbook", "bee-san/rustscan", "helix-editor/helix"],
      ...["fish-shell/fish-shell", "alacritty/alacritty"],
    ],
  },
  {
    parse: (log, number) => maven(log.replaceAll(colours, ""), number),
    of: [
      ...["apache/dubbo", "fasterxml/jackson-core", "fasterxml/jackson-databind"],
      "fasterxml/jackson-dataformat-xml",
    ],
  },
  { parse: maven, of: ["alibaba/fastjson2"] },
  { parse: gson, of: ["google/gson"] },
  { parse: readWith(gradle, noteGradle, (line) => line), of: ["mockito/mockito", "elastic/logstash"] },
  {
    parse: readWith(
      { ...gradle, passed: [...gradle.passed, raw`> Task :(\S+) FROM-CACHE$`] },
      noteFailures((name) => name),
    ),
    of: ["googlecontainertools/jib"],
  },
  {
    parse: readWith(go, noteFailures(parentOf)),
    of: ["grpc/grpc-go", "zeromicro/go-zero", "etcd-io/etcd", "go-gorm/gorm", "gin-gonic/gin"],
  },
  {
    parse: readWith(
      go,
      noteFailures((name) => name),
    ),
    of: [
      ...["cli/cli", "caddyserver/caddy", "prometheus/prometheus", "fatedier/frp", "nektos/act"],
      ...["nats-io/nats-server", "gohugoio/hugo", "beego/beego", "labstack/echo", "istio/istio"],
      ...["jesseduffield/lazygit", "junegunn/fzf", "concourse/concourse", "syncthing/syncthing"],
    ],
  },
  { parse: jest(time, time, ".+?"), of: ["anuraghazra/github-readme-stats", "iamkun/dayjs"] },
  {
    parse: jest(raw`(?:\s*\(.+\))?`, raw`(?:\s+\(.+\))?`, raw`\S+`),
    of: ["darkreader/darkreader"],
  },
  {
    parse: readWith({ passed: [`✓ (.+?)${bareTime}$`], failed: [`× (.+?)${bareTime}$`] }, noteEach),
    of: ["vuejs/core", "sveltejs/svelte"],
  },
  { parse: mocha, of: ["axios/axios"] },
  {
    parse: (log, number) =>
      expressText.includes(number)
        ? mocha(log, number)
        : readMochaJson(log.replaceAll(expressNoise, ""), ({ fullTitle }) => fullTitle),
    of: ["expressjs/express"],
  },
  {
    parse: (log) => {
      const build = log.slice(Math.max(0, log.indexOf("Building new")));
      const clean = build.replaceAll(pythonPattern(raw`error Command failed with exit code \d+\.`, "g"), "");
      return readMochaJson(clean, ({ file, fullTitle }) =>
        file === undefined ? undefined : `${file}:${fullTitle}`,
      );
    },
    of: ["mui/material-ui"],
  },
  {
    parse: readWith(
      {
        passed: [raw`✓ (.+?)(?:\s\(\d+\s+tests\))?(?:\s*\(?\d*\.?\d+\s*\w+\)?)?$`, `PASS (.+?)${time}$`],
        failed: [`FAIL (.+?)${time}$`],
      },
      noteEach,
    ),
    of: ["kong/insomnia"],
  },
  {
    parse: readWith(
      {
        passed: [raw`\d+/\d+\s*Test\s*#\d+:\s*(.*?)\s*\.+\s*Passed`],
        failed: [raw`\d+/\d+\s*Test\s*#\d+:\s*(.*?)\s*\.+\s*\*+Failed$`],
      },
      noteEach,
    ),
    of: ["nlohmann/json", "fmtlib/fmt", "simdjson/simdjson", "rdkit/rdkit"],
  },
  {
    parse: readWith(
      {
        passed: ["-- performing test (.+) - success$", raw`\d+/\d+ test\s+#\d+: (.+) \.+\s+ passed\s+.+$`],
        failed: ["-- performing test (.+) - failed$", raw`\d+/\d+ test\s+#\d+: (.+) \.+\*\*\*failed\s+.+$`],
        skipped: ["-- performing test (.+) - skipped$"],
      },
      noteEach,
      (line) => strip(line).toLowerCase(),
    ),
    of: ["catchorg/catch2"],
  },
  {
    parse: readWith(
      {
        passed: [
          raw`\[       OK \] (\S+?)(?: \(.+\))?$`,
          raw`\x1b\[0;32m\[       OK \] \x1b\[0m(\S+?)(?: \(.+\))?$`,
          raw`\x1b\[92m---- Passed: (\S+?)\x1b\[0m$`,
        ],
        failed: [
          raw`\[  FAILED  \] (\S+?)(?: \(.+\))?$`,
          raw`\x1b\[0;31m\[  FAILED  \] \x1b\[0m(\S+?)(?: \(.+\))?$`,
          raw`\x1b\[91m\*\*\*\* FAILED: (\S+?)\x1b\[0m$`,
        ],
      },
      noteEach,
    ),
    of: ["ponylang/ponyc", "yhirose/cpp-httplib"],
  },
  { parse: zstd, of: ["facebook/zstd"] },
  { parse: jq, of: ["jqlang/jq"] },
];

export const setParserOf = (repository: string): SetParser | undefined =>
  parsers.find((each) => each.of.includes(repository.toLowerCase()))?.parse;

/** One repository for each parser, for tests. */
export const parsedRepositories: readonly string[] = parsers.flatMap((each) => each.of.slice(0, 1));
