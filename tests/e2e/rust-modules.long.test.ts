/** New tests of a Rust program in modules of one file and in documentation, with a scripted model. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { after, submit, use } from "./scripted-react.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { act, done, edit } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("a new file among modules of one program is told its `mod` line, which its author may add", async () => {
  const repository = playground.copyRepository("repair-rust");
  mkdirSync(join(repository, "tests/it"));
  // The fault is shown by no test.
  const known = readFileSync(join(repository, "tests/loading.rs"), "utf8").replace(
    /#\[test\]\nfn fills_a_deck[\s\S]*?\n}\n/,
    "",
  );
  writeFileSync(join(repository, "tests/it/loading.rs"), known);
  writeFileSync(join(repository, "tests/it/main.rs"), "mod loading;\n");
  rmSync(join(repository, "tests/loading.rs"));
  const body = `use ferry::deck::Deck;
use ferry::{load, Vehicle};

fn vehicles(lengths: &[u32]) -> Vec<Vehicle> {
    lengths.iter().map(|&length| Vehicle { plate: format!("V-{length}"), length }).collect()
}

#[test]
fn fills_to_the_last_metre() {
    let mut decks = [Deck::new(12)];
    assert_eq!(load(&mut decks, vehicles(&[5, 7])), vec![]);
}

#[test]
fn takes_one_that_is_as_long() {
    let mut decks = [Deck::new(9)];
    assert_eq!(load(&mut decks, vehicles(&[9])), vec![]);
}
`;
  const write = (edits: string, contains?: string): ScriptedAnswer => ({
    role: "reproduction",
    calls: [{ name: "edit", input: { edits } }],
    ...(contains === undefined ? {} : { contains }),
  });
  const show = (contains: string): ScriptedAnswer => ({
    role: "reproduction",
    calls: [{ name: "show", input: { files: ["tests/it/whole.rs", "tests/it/main.rs"] } }],
    contains,
  });
  const end = await solveScripted(playground, {
    repository,
    strategy: "unified",
    statement:
      "`load` leaves a vehicle ashore that fills a deck to its last metre: `Deck::new(12)` takes 5 and 7",
    answers: [
      write(editBlock("tests/it/whole.rs", "", body.trimEnd())),
      show("add the line `mod whole;` to tests/it/main.rs"),
      write(
        editBlock("tests/it/main.rs", "mod loading;", "mod loading;\nmod whole;"),
        "modules of one program",
      ),
      show("tests/it/main.rs"),
      act("finish", { nothingToChange: "tried" }),
      act("finish", { nothingToChange: "tried" }),
    ],
  });
  expect(end.report.testsPatch, end.stderr).toContain("+mod whole;");
  expect(end.stderr).toContain("2 tests that fail without a patch");
});

test("a reviewer's test that no program contains is told a place of its own", async () => {
  const repository = playground.copyRepository("repair-rust");
  mkdirSync(join(repository, "tests/it"));
  writeFileSync(join(repository, "tests/it/main.rs"), "#[test]\nfn stands() {}\n");
  const content = "#[test]\nfn floats() {\n    assert!(ferry::deck::Deck::new(9).free() == 9);\n}\n";
  const tries = (path: string, contains?: string): ScriptedAnswer => ({
    role: "review",
    calls: [{ name: "try-tests", input: { path, content } }],
    ...(contains === undefined ? {} : { contains }),
  });
  const verdict: ScriptedAnswer = {
    role: "review",
    calls: [
      {
        name: "verdict",
        input: {
          patch: { approved: true, analysis: "It compares with what is free.", advice: "" },
          tests: { approved: true, analysis: "They ask what the statement says.", advice: "" },
        },
      },
    ],
    contains: "floats: pass → pass",
  };
  const end = await solveScripted(playground, {
    repository,
    strategy: "unified",
    statement:
      "The test `fills_a_deck_to_its_last_metre` fails: assertion `left == right` failed, for `load` leaves a vehicle ashore",
    answers: [
      act("edit-code", { intent: "let a deck be filled" }),
      edit(editBlock("src/deck.rs", "        vehicle.length < free", "        vehicle.length <= free")),
      done("it is mended"),
      tries("tests/it/floats.rs"),
      tries("tests/floats.rs", "write it as tests/floats.rs"),
      verdict,
    ],
  });
  const calls = join(end.report.runDirectory, "calls");
  const requests = readdirSync(calls).filter((name) => name.endsWith(".request.json"));
  const told = requests.map((name) => readFileSync(join(calls, name), "utf8")).join("\n");
  expect(told, end.stderr).toContain(
    "or finds no test in it. Cargo builds no program from tests/it/floats.rs",
  );
  expect(told).toContain("floats: pass → pass");
});

test("`react` is told that no program contains its new file of tests, although the gate holds", async () => {
  const repository = playground.copyRepository("repair-rust");
  mkdirSync(join(repository, "tests/it"));
  writeFileSync(join(repository, "tests/it/main.rs"), "// mod floats;\n#[test]\nfn stands() {}\n");
  const text = "#[test]\nfn floats() {\n    assert!(ferry::deck::Deck::new(9).free() == 9);\n}\n";
  const end = await solveScripted(playground, {
    repository,
    strategy: "react",
    statement:
      "The test `fills_a_deck_to_its_last_metre` fails: assertion `left == right` failed, for `load` leaves a vehicle ashore",
    answers: [
      use("create", { path: "tests/it/floats.rs", text }),
      use("bash", { command: "sed -i 's/vehicle.length < free/vehicle.length <= free/' src/deck.rs" }),
      submit,
      after("add the line `mod floats;` to tests/it/main.rs", submit),
    ],
  });
  expect(end.report.outcome, end.stderr).toBe("verified");
  expect(end.report.usage.calls).toBe(4);
});

test("an example that a patch adds to a documentation example shows the fault", async () => {
  const repository = playground.copyRepository("repair-rust");
  rmSync(join(repository, "tests/loading.rs"));
  const deck = join(repository, "src/deck.rs");
  const car = `/// let car = |length| ferry::Vehicle { plate: "F".into(), length };`;
  const known = "/// assert!(!ferry::deck::Deck::new(9).has_room(&car(10)));";
  const example = ["///", "/// ```", car, known, "/// ```"].join("\n    ");
  const before = readFileSync(deck, "utf8").replace(
    "into what is free.",
    (head) => `${head}\n    ${example}`,
  );
  writeFileSync(deck, before);
  const more = "/// assert!(ferry::deck::Deck::new(9).has_room(&car(9)));";
  const text = before
    .replace("vehicle.length < free", "vehicle.length <= free")
    .replace(known, `${known}\n    ${more}`);
  expect(text.length).toBeGreaterThan(before.length + more.length);
  const end = await solveScripted(playground, {
    repository,
    strategy: "react",
    statement: "`has_room` says that a vehicle has no room if it fills a deck to its last metre",
    answers: [use("bash", { command: `cat > src/deck.rs <<'END'\n${text}END` }), submit],
  });
  expect(end.report.outcome, end.stderr).toBe("verified");
  expect(end.report.testsPatch).toContain(more);
});
