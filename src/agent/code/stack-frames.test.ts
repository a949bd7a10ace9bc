import { expect, test } from "vitest";
import { foldStandardFrames, readStackFrames } from "./stack-frames.ts";

test.each<[string, string, string[]]>([
  [
    "Rust",
    `thread 'main' panicked at 'no, never', /home/me/.cargo/registry/src/host-1/clap-4.0.22/src/parser.rs:176:53
stack backtrace:
   6: clap::parser::Parser::parse::{{closure}}
             at /home/me/.cargo/registry/src/host-1/clap-4.0.22/src/parser.rs:176:42
  10: <core::iter::Map<I,F> as core::iter::Iterator>::fold
             at /rustc/e080/library/core/src/iter/map.rs:124:9`,
    [
      "/home/me/.cargo/registry/src/host-1/clap-4.0.22/src/parser.rs:176 undefined",
      "/home/me/.cargo/registry/src/host-1/clap-4.0.22/src/parser.rs:176 parse",
      "/rustc/e080/library/core/src/iter/map.rs:124 fold",
    ],
  ],
  ["a new Rust", "thread 'main' panicked at src/main.rs:3:19:\nboom", ["src/main.rs:3 undefined"]],
  [
    "Python",
    'Traceback (most recent call last):\n  File "app.py", line 3, in <module>\n    run()\n  File "/x/shelf/cart.py", line 9, in total\n    return a',
    ["/x/shelf/cart.py:9 total", "app.py:3 undefined"],
  ],
  [
    "pytest",
    "tests/test_a.py:4: in test_a\n    total([])\nshelf/cart.py:9: IndexError",
    ["shelf/cart.py:9 undefined", "tests/test_a.py:4 test_a"],
  ],
  [
    "JavaScript",
    "TypeError: x\n    at Cart.total [as sum] (/x/lib/cart.js:9:3)\n    at async file:///x/main.mjs:3:1\n    at Object.<anonymous> (C:\\x\\a.js:1:2)",
    ["/x/lib/cart.js:9 total", "/x/main.mjs:3 undefined", "C:/x/a.js:1 Object"],
  ],
  ["Java", "  at org.example.Cart.lambda$total$0(Cart.java:9)", ["org/example/Cart.java:9 total"]],
  ["C#", "   at Shelf.Cart.Total(List`1 items) in /x/Cart.cs:line 9", ["/x/Cart.cs:9 Total"]],
  [
    "Go",
    "goroutine 1 [running]:\nexample.org/shelf.(*Cart).Total(0xc0001)\n\t/x/shelf/cart.go:9 +0x1d\nmain.main.func1()\n\t/x/main.go:3",
    ["/x/shelf/cart.go:9 Total", "/x/main.go:3 main"],
  ],
  [
    "Ruby",
    "lib/cart.rb:9:in `block in total': no (IndexError)\n\tfrom main.rb:3:in 'Object#run'",
    ["lib/cart.rb:9 total", "main.rb:3 run"],
  ],
  [
    "PHP",
    "PHP Fatal error: no in /x/src/Cart.php:9\n#0 /x/main.php(3): Cart->total()",
    ["/x/src/Cart.php:9 undefined", "/x/main.php:3 undefined"],
  ],
  ["gdb", "#0  0x00007f in cart_total (c=0x0) at src/cart.c:9", ["src/cart.c:9 cart_total"]],
  ["a sanitizer", "    #1 0x4f in Cart::total(int) /x/src/cart.cc:9:12", ["/x/src/cart.cc:9 total"]],
  ["Lua", "lib/cart.lua:9: in function 'total'", ["lib/cart.lua:9 total"]],
  ["Perl", "no at lib/Cart.pm line 9.", ["lib/Cart.pm:9 undefined"]],
  ["prose", "See src/cart.rs:9, and the docs at https://example.org:80/a.js for `at cart.js:1`.", []],
])("the frames of %s are read, the innermost first", (_, text, expected) => {
  expect(readStackFrames(text).map(({ path, line, name }) => `${path}:${line} ${name}`)).toEqual(expected);
});

test("runs of a standard library's frames become one line, and all else stays", () => {
  const frame = (number: number, name: string, path: string): string =>
    `  ${number}: ${name}\n             at ${path}:9:5\n`;
  const std = (number: number) =>
    frame(number, "core::option::expect", "/rustc/e080/library/core/src/option.rs");
  const own = frame(2, "clap::parse", "/home/me/clap/src/parser.rs");
  const text = `It panics:\n${std(0)}${std(1)}${own}${std(3)}and so on`;
  expect(foldStandardFrames(text)).toBe(
    `It panics:\n  … 2 standard-library frames …\n${own}${std(3)}and so on`,
  );
  expect(foldStandardFrames(text.replaceAll("\n", "\r\n"))).toBe(foldStandardFrames(text));
  const node = "    at node:internal/a:1:2\n    at f (node:internal/b:1:2)\n    at g (/x/lib/a.js:1:2)";
  expect(foldStandardFrames(node)).toBe("  … 2 standard-library frames …\n    at g (/x/lib/a.js:1:2)");
  const plain = "1: one\n2: two\n\nSee /usr/lib/a.c:3.";
  expect(foldStandardFrames(plain)).toBe(plain);
});

test.each([
  ["brackets after points", "a.(".repeat(330)],
  ["points, then brackets", "a.".repeat(300) + "(".repeat(300)],
  ["arguments of a debugger", `#0 a ${"( ) ".repeat(240)}`],
  ["places of C#", ` at a ${"in b ".repeat(190)}`],
])("lines that no form matches are read in linear time: %s", (_, line) => {
  const text = [...Array.from({ length: 60 }, () => line), "a.".repeat(40_000)].join("\n");
  const start = performance.now();
  expect(readStackFrames(text)).toEqual([]);
  expect(foldStandardFrames(text)).toBe(text);
  expect(performance.now() - start).toBeLessThan(8_000);
});

test.each([
  "/usr/local/lib/ruby/gems/3.2.0/gems/rack-3.0/lib/rack/builder.rb",
  "/usr/local/lib/node_modules/marked/lib/marked.rb",
  "/usr/local/lib/python3.11/site-packages/flask/app.rb",
  "/home/me/usr/lib/proj/cart.rb",
  "lib/python3/cart.rb",
])("frames of installed packages and of the project stay: %s", (path) => {
  const text = `${path}:9:in \`one'\n${path}:8:in \`two'`;
  expect(foldStandardFrames(text)).toBe(text);
  expect(foldStandardFrames(text.replaceAll(path, "/usr/local/lib/ruby/3.2.0/json.rb"))).toContain(
    "2 standard-library frames",
  );
});
