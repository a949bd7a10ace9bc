import { expect, test } from "vitest";
import { findChance, withHelpers } from "./chance.ts";

test.each([
  ["extra = random.choice(words)\nassert f(extra) == 1", true],
  ["extra = random.choice(words)", false, "random.seed(1)\n"],
  ["extra = random.choice(words)", true, "random.seed()\n"],
  ["random = random.Random(3)\nextra = random.choice(words)", false],
  ["rng = np.random.default_rng(7)\nx = rng.integers(3)", false],
  ["x = np.random.rand(3)", true],
  ["const x = Math.random();", true],
  ["n := rand.Intn(10)", true],
  ["r := rand.New(rand.NewSource(1))\nn := rand.Intn(10)", false],
  ["let n: u8 = rand::random();", true],
  ["let mut rng = StdRng::seed_from_u64(3);\nlet n = rand::random();", false],
  ["int n = new Random().nextInt(3);", true],
  ["word = words.sample", true],
  ["words.shuffle(random: Random.new(1))", false],
  ["sample = frame.sample(rows)", false],
  ["# random.choice(words)\nassert f(1) == 1", false],
  ["time.sleep(0.1)", true],
  ["cache.sleep(1)", false],
  ["setTimeout(done, 10);", true],
  ["setTimeout(done, 10);", false, "vi.useFakeTimers();\n"],
  ["start = time.perf_counter()\nrun()\nassert time.perf_counter() - start < 1", true],
  ["const start = performance.now();\nrun();\nexpect(performance.now() - start).toBeLessThan(50);", true],
  ["start := time.Now()\nrun()\nif time.Since(start) > time.Second {", true],
  ["now = time.time()\nassert stamp(now) == now", false],
  ["assert f(2) < 3", false],
] as const)("%s depends on chance: %s", (text, expected, before?: string) => {
  expect(findChance(text, `${before ?? ""}${text}`) !== undefined).toBe(expected);
});

test("a test is read with the helpers that it reaches by name", () => {
  const helpers = [
    { name: "any_word", text: "def any_word():\n    return draw(WORDS)" },
    { name: "draw", text: "def draw(words):\n    return random.choice(words)" },
    { name: "other", text: "def other():\n    time.sleep(1)" },
  ];
  const text = withHelpers("assert f(any_word()) == 1", helpers);
  expect(text).toContain("random.choice");
  expect(text).not.toContain("sleep");
});
