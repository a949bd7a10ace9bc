import { expect, test } from "vitest";
import { languageOf } from "../languages/source-files.ts";
import { readSource } from "./read-source.ts";
import { unreachableLines } from "./unreachable.ts";

/** Returns the lines that the file proves unreachable. */
async function linesOf(file: string, text: string): Promise<number[]> {
  const source = await readSource(file, text, languageOf);
  if (source === undefined) throw new Error(`${file} has no dialect`);
  const lines = unreachableLines(source).flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

const python = `from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

def settle(account):
    if False:
        account.trace()
    elif 0:
        account.dump()
    for item in account:
        if item:
            continue
            account.skip()
        break
    try:
        raise ValueError
        account.pay()
    except ValueError:
        return 1
        account.log(
            account)
    account.keep()
    return 2
    def later(): pass
    yield 3
`;

test("Python: code after a jump, and blocks of conditions that are always false", async () => {
  expect(await linesOf("a.py", python)).toEqual([4, 8, 10, 14, 18, 21, 22, 26]);
});

test("Python: code after an if whose arms all leave, or an endless loop", async () => {
  const lines = (...code: string[]): Promise<number[]> =>
    linesOf("a.py", ["def f(a, b):", ...code.map((line) => `    ${line}`), ""].join("\n"));
  const arms = ["if a:", "    return 1", "elif b:", "    raise ValueError", "else:", "    return 2", "a()"];
  expect(await lines(...arms)).toEqual([8]);
  expect(await lines("if a:", "    return 1", "elif b:", "    return 2", "a()")).toEqual([]);
  expect(await lines("if a:", "    return 1", "else:", "    b()", "a()")).toEqual([]);
  expect(await lines("if a:", "    b()", "else:", "    return 1", "a()")).toEqual([]);
  expect(await lines("while True:", "    if a: return 1", "b()")).toEqual([4]);
  expect(await lines("while 1:", "    yield a", "b()")).toEqual([4]);
  expect(await lines("while True:", "    if a: break", "b()")).toEqual([]);
  expect(await lines("while a:", "    b()", "b()")).toEqual([]);
});

test.each([
  ["a.js", "function f(a) {\n  if (a) {\n    return 1;\n  } else return 2;\n  a();\n}\n", [5]],
  ["a.js", "function f(a) {\n  if (a) {\n    return 1;\n  }\n  a();\n}\n", []],
  ["a.ts", "function f(a: any) {\n  while (true) {\n    a();\n  }\n  a();\n}\n", [5]],
  ["a.js", "function f(a) {\n  o: while (true) {\n    while (true) { break o; }\n  }\n  a();\n}\n", []],
  ["A.java", "class A { int f(int a) {\n  if (a > 1) { return 1; }\n  else { throw x; }\n  a();\n} }\n", [4]],
  ["a.go", "package a\nfunc f(a int) int {\n\tfor {\n\t\tb()\n\t}\n\tc()\n}\n", [6]],
  ["a.go", "package a\nfunc f(a int) int {\n\tfor a {\n\t\tb()\n\t}\n\tc()\n}\n", []],
  [
    "a.go",
    "package a\nfunc f(a int) int {\n\tif a > 1 {\n\t\treturn 1\n\t} else {\n\t\treturn 2\n\t}\n\tc()\n}\n",
    [8],
  ],
  ["a.rs", "fn f(a: i32) -> i32 {\n    loop {\n        b();\n    }\n    c()\n}\n", [5]],
  ["a.rs", "fn f(a: i32) -> i32 {\n    loop {\n        stop!();\n    }\n    c()\n}\n", []],
  [
    "a.rs",
    "fn f(a: i32) -> i32 {\n    if a > 1 {\n        return 1;\n    } else {\n        return 2;\n    }\n    c()\n}\n",
    [7],
  ],
  ["a.rb", "def f(a)\n  if a\n    return 1\n  else\n    return 2\n  end\n  a.b\nend\n", [7]],
  ["a.rb", "def f(a)\n  if a\n    return 1\n  elsif b\n    return 2\n  end\n  a.b\nend\n", []],
  [
    "a.php",
    "<?php\nfunction f($a) {\n  if ($a) {\n    return 1;\n  } elseif ($b) {\n    return 2;\n  } else {\n    return 3;\n  }\n  a();\n}\n",
    [10],
  ],
  [
    "a.php",
    "<?php\nfunction f($a) {\n  if ($a) {\n    return 1;\n  } elseif ($b) {\n    return 2;\n  }\n  a();\n}\n",
    [],
  ],
])("arms that all leave, and endless loops: %s %j", async (file, text, lines) => {
  expect(await linesOf(file, text)).toEqual(lines);
});

test("Python: another value of TYPE_CHECKING, a pragma or a syntax error proves nothing", async () => {
  const checked = "if TYPE_CHECKING:\n    import a\n";
  const imported = "from typing import TYPE_CHECKING\n";
  expect(await linesOf("a.py", `${imported}${checked}`)).toEqual([3]);
  expect(await linesOf("a.py", `import typing\nif typing.TYPE_CHECKING:\n    import a\n`)).toEqual([3]);
  expect(await linesOf("a.py", checked)).toEqual([]);
  expect(await linesOf("a.py", `from settings import TYPE_CHECKING\n${checked}`)).toEqual([]);
  expect(await linesOf("a.py", `${imported}TYPE_CHECKING = True\n${checked}`)).toEqual([]);
  expect(await linesOf("a.py", `${imported}from b import TYPE_CHECKING\n${checked}`)).toEqual([]);
  expect(await linesOf("a.py", "def f(a):\n    if a:  # pragma: no cover\n        return 1\n")).toEqual([]);
  expect(await linesOf("a.py", "def f():\n    return 1\n    a()\n\ndef g(:\n")).toEqual([]);
});

test("JavaScript: hoisted functions, `do … while (false)` and shared lines stay reachable", async () => {
  const text = `function pick(items) {
  if (false) { trace(items); }
  if (false) {
    dump(items);
  } else { keep(items); }
  do { one(items); } while (false);
  while (false) {
    two(items);
  }
  return help(items); never();
  function help(all) {
    return all;
  }
  items.pop();
}
`;
  expect(await linesOf("a.js", text)).toEqual([4, 8, 14]);
  expect(await linesOf("a.ts", text)).toEqual([4, 8, 14]);
});

test("Go, Java, PHP and Rust: labels, cases and attributes can be entered", async () => {
  const go = "package a\n\nfunc f() int {\n\treturn 1\n\tg()\nend:\n\tg()\n\th()\n}\n";
  expect(await linesOf("a.go", go)).toEqual([5]);
  expect(await linesOf("a.go", "package a\n\nfunc f() {\n\tif false {\n\t\tg()\n\t}\n}\n")).toEqual([5]);
  const java = "class A {\n  int f(int a) {\n    if (false) {\n      g();\n    }\n    return a;\n  }\n}\n";
  expect(await linesOf("A.java", java)).toEqual([4]);
  const cases = "    switch (a) {\n      case 1:\n        return 1;\n      case 2:\n        g();\n    }\n";
  expect(await linesOf("A.java", `class A {\n  int f(int a) {\n${cases}    return 2;\n  }\n}\n`)).toEqual([]);
  const php = `<?php\nfunction f($a) {\n${cases.replaceAll("a)", "$a)")}    throw new E();\n    g();\n}\n`;
  expect(await linesOf("a.php", php)).toEqual([10]);
  const rust = "fn f() -> u32 {\n    return 1;\n    g();\n}\n";
  expect(await linesOf("a.rs", rust)).toEqual([3]);
  const chosen = rust.replace("    return", "    #[cfg(unix)]\n    return");
  expect(await linesOf("a.rs", chosen)).toEqual([]);
});

test("Ruby: a `rescue` behind a `return`, a modifier and a call of `raise` prove nothing", async () => {
  const text = `def f(a)
  return 1 if a
  raise "no" unless a
  begin
    return g(a)
    h(a)
  rescue StandardError
    i(a)
  end
  unless false
    j(a)
  end
  if false
    k(a)
  end
end

def g(a)
  raise "always"
  return 2
ensure
  h(a)
end
`;
  expect(await linesOf("a.rb", text)).toEqual([6, 14]);
});
