import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeLines, writeRepository } from "./bench-fixture.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { makeMinedRepository, readLines } from "./mine-fixture.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const shop = `def net(prices, rate=0.2):
    """Return the sum of the prices without the tax that they contain, in cents.

    An empty list costs nothing.
    """
    total = 0
    for price in prices:
        total += price
    return round(total / (1 + rate))


def label(name, price):
    name = name.strip()
    euros = price / 100
    return f"{name}: {euros:.2f}"


def first(names):
    return names[0]
`;
const shopTests = `from shop import first, label, net


def test_net():
    assert net([100, 20]) == 100


def test_net_of_nothing():
    assert net([]) == 0


def test_label():
    assert label(" tea ", 250) == "tea: 2.50"
`;
const others = Array.from(
  { length: 8 },
  (_, at) => `\n\ndef test_first_${at}():\n    assert first([${at}]) == ${at}\n`,
);

const files = {
  "shop.py": shop,
  "pytest.ini": "[pytest]\npythonpath = .\n",
  "tests/test_shop.py": `${shopTests}${others.join("")}`,
};

function derive(folder: string, dataset: string, ...more: string[]) {
  const out = join(playground.folder, "mined");
  const args = ["bench", "mine", "derive", folder, "--dataset", dataset, "--out", out, "--repeats", "1"];
  return playground.start([...args, ...more]).ended;
}

/** The document of `bench check` about the derived file. */
async function check(folder: string, dataset: string) {
  const tasks = join(playground.folder, "mined", `${dataset}.jsonl`);
  const environments = tasks.replace(".jsonl", ".environments.json");
  const args = ["bench", "check", tasks, "--repo", folder, "--environments", environments, "--repeats", "1"];
  return playground.start([...args, "--json"]).ended;
}

test("functions with tests become tasks to write the tests, the function, or both, and check calls them fit", async () => {
  const folder = writeRepository(playground, "shop", files);
  const before = fingerprint(folder);
  const tests = await derive(folder, "repotest", "--name", "acme/shop");
  expect(tests.exitCode, tests.stderr).toBe(0);
  const out = join(playground.folder, "mined");
  const rows = readLines(join(out, "repotest.jsonl"));
  expect(rows.map((row) => row["target"]).sort()).toEqual(["shop.py:label", "shop.py:net"]);
  const net = rows.find((row) => row["target"] === "shop.py:net");
  expect(net?.["removal_patch"]).toContain("-def test_net_of_nothing");
  expect(net?.["removal_patch"]).not.toContain("-def test_label");

  const code = await derive(folder, "repocod", "--name", "acme/shop");
  expect(code.exitCode, code.stderr).toBe(0);
  expect(code.stderr).toContain("no-documentation: shop.py:label has no docstring");
  const [task, ...rest] = readLines(join(out, "repocod.jsonl"));
  expect(rest).toEqual([]);
  expect(task).toMatchObject({
    function_name: "net",
    prompt: expect.stringContaining("An empty list costs nothing."),
    full_function: expect.stringContaining("total += price"),
    removal_patch: expect.stringContaining("-    return round(total / (1 + rate))"),
    target_tests: ["tests/test_shop.py::test_net", "tests/test_shop.py::test_net_of_nothing"],
  });
  expect(task?.["prompt"]).not.toContain("total += price");

  const both = await derive(folder, "feature-development", "--name", "acme/shop");
  expect(both.exitCode, both.stderr).toBe(0);
  const [feature, ...more] = readLines(join(out, "feature-development.jsonl"));
  expect(more).toEqual([]);
  expect(feature).toMatchObject({
    problem_statement: expect.stringContaining("An empty list costs nothing."),
    removal_patch: expect.stringContaining("-def test_net_of_nothing"),
    patch: expect.stringContaining("+    return round(total / (1 + rate))"),
    test_patch: expect.stringContaining("+def test_net_of_nothing"),
    FAIL_TO_PASS: ["tests/test_shop.py::test_net", "tests/test_shop.py::test_net_of_nothing"],
  });
  expect(feature?.["patch"]).not.toContain("test_net");
  for (const dataset of ["repotest", "repocod", "feature-development"]) {
    const checked = await check(folder, dataset);
    expect(checked.exitCode, checked.stderr).toBe(0);
  }
  expect(fingerprint(folder)).toBe(before);
});

test("mined changes become tasks to write a test, to finish a failed attempt, or to build a feature", async () => {
  const { folder, issues } = makeMinedRepository(playground);
  const out = join(playground.folder, "mined");
  const early = await derive(folder, "swetry");
  expect([early.exitCode, early.stderr]).toEqual([2, expect.stringContaining("Publish the dataset: ")]);
  const args = ["bench", "mine", folder, "--out", out, "--name", "acme/ledger", "--issues", issues];
  const mined = await playground.start([...args, "--linked-only"]).ended;
  expect(mined.exitCode, mined.stderr).toBe(0);

  const written = await derive(folder, "swt-bench");
  expect(written.exitCode, written.stderr).toBe(0);
  expect(readLines(join(out, "swt-bench.jsonl"))).toMatchObject([
    { instance_id: "acme__ledger-3", golden_test_patch: expect.stringContaining("test_empties_an_account") },
  ]);

  const [hidden] = readLines(join(out, "tasks.hidden.jsonl"));
  const attempt = String(hidden?.["goldPatch"]).replace(/^\+.*amount <= .*$/m, (line) => `${line}  # so far`);
  const attempts = join(playground.folder, "attempts.jsonl");
  writeLines(attempts, [{ instance_id: "acme__ledger-3", model_name_or_path: "m", model_patch: attempt }]);
  const resolved = await derive(folder, "swetry", "--attempts", attempts);
  expect(resolved.stderr).toContain("no-attempt: ");
  const foreign = join(playground.folder, "foreign.jsonl");
  writeLines(foreign, [{ instance_id: "acme__other-1", model_patch: attempt }, { model_patch: attempt }]);
  const refused = await derive(folder, "swetry", "--attempts", foreign);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining("names a task of the dataset"),
  ]);
  expect(refused.stderr).toContain("Millwright cannot use these entries of");
  const tried = await derive(folder, "swetry");
  expect(tried.exitCode, tried.stderr).toBe(0);
  expect(readLines(join(out, "swetry.jsonl"))).toMatchObject([
    {
      instance_id: "acme__ledger-3",
      failed_patch: expect.stringContaining("ledger/"),
      PASS_TO_PASS: { length: 5 },
    },
  ]);
  for (const dataset of ["swt-bench", "swetry"]) {
    const checked = await check(folder, dataset);
    expect(checked.exitCode, checked.stderr).toBe(0);
  }
  const none = await derive(folder, "feature-development");
  expect(none.stdout).toContain("0 tasks in");
  expect(readFileSync(join(out, "ledger.jsonl"), "utf8")).toContain('"step":"derive swetry"');
});
