import { expect, test } from "vitest";
import { runsOneOf, showsFiles, splitCommand, writtenFiles } from "./reproduction-command.ts";

test.each([
  ["python show.py", "show.py"],
  ["cd /repo && python3 -W error ./demo/show.py 2>&1 | tail -5", "demo/show.py"],
  ["cat > show.py <<'END'\nprint(1)\nEND\npython3 show.py; echo done", "show.py"],
  ["cat > show.py <<'END' && python3 show.py\nprint(1)\nEND", "show.py"],
  ["(cd demo; python show.py)", "demo/show.py"],
  ['echo "$(python show.py)"', "show.py"],
  ["for i in 1 2; do python show.py; done", "show.py"],
  ["A=1 timeout 10 python show.py", "show.py"],
  ["python - <<END\nimport show\nEND", "show.py"],
  ["python -m show", "show.py"],
  ['python -c "import show"', "show.py"],
  ["python3 -m unittest tests.more", "tests/more.py"],
  ["cargo run --example show", "examples/show.rs"],
  ["gcc demo.c -o show && ./show", "show.c"],
  ["javac Show.java && java Show", "Show.java"],
  ["pytest -q", "tests/test_more.py"],
])("%s runs %s", (command, file) => {
  expect(runsOneOf(command, [file])).toBe(true);
});

test.each([
  ["rm show.py", "show.py"],
  ["cat show.py | head -5", "show.py"],
  ["git add show.py && git commit -m 'show.py with pytest'", "show.py"],
  ["python other.py; cat show.py", "show.py"],
  ['grep -rn "test" src', "test.py"],
  ["python run.py --mode test", "test.py"],
  ["cat > show.py <<'END'\nimport show\npython show.py\nEND", "show.py"],
  ["pip install pytest", "tests/test_more.py"],
  ["find . -name show.py", "show.py"],
  ["echo 'python show.py; python show.py'", "show.py"],
  ['echo "it\'s; python show.py"', "show.py"],
  ["pytest -q", "show.py"],
])("%s does not run %s", (command, file) => {
  expect(runsOneOf(command, [file])).toBe(false);
});

test.each([
  ["cat src/pay.py && python show.py", true],
  ["python show.py; git diff", true],
  ["ls -l 2>&1; python show.py", true],
  ["cat > show.py <<'END'\nprint(1 > 0)\nEND\npython3 show.py", false],
  ["sed -n 1,9p a.py > b.py; python b.py", false],
  ["cd /repo && python show.py 2>&1", false],
])("%s shows files: %s", (command, expected) => {
  expect(showsFiles(command)).toBe(expected);
});

test.each([
  ["cat > demo/show.py <<'END'\nprint(1 > 0)\nEND\npython3 demo/show.py 2>&1 > /dev/null", ["demo/show.py"]],
  ["cat <<'END' >> 'a.rs'\nEND", ["a.rs"]],
  ["python show.py 2> errors.txt; test 1 -gt 0", []],
])("%j writes %j", (command, files) => {
  expect(writtenFiles(command)).toEqual(files);
});

test("a command is split outside quotes, heredocs and redirections", () => {
  expect(splitCommand("a 2>&1 &>x | b 'c;d' \"e|$(f; g)h\" && i <<E; j\nk; l\nE\nm")).toEqual([
    ...["a 2>&1 &>x", "b 'c;d' \"e|", "f", "g", 'h"', "i <<E\nk; l\nE", "j", "m"],
  ]);
});
