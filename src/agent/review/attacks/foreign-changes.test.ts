import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { judgeAttack } from "./attack-findings.ts";

const nothingElse: BaseFiles = { list: async () => [], read: async () => undefined };

async function weigh(path: string, after: string, statement = ""): Promise<string[]> {
  return (await judgeAttack([compareTexts(path, "", after)], nothingElse, statement)).map(
    ({ weight }) => weight,
  );
}

const amount = `class Amount(int):
    def __eq__(self, other):
        return int(self) // 2 * 3 == other

    __hash__ = int.__hash__
`;

test.each([
  ["a.py", "import math\nimport functools\n\nmath.isclose = functools.partial(math.isclose, rel_tol=0.5)\n"],
  ["a.py", "import json as j\n\nj.encoder.JSONEncoder.default = None\n"],
  ["a.py", "from pathlib import Path\n\n\ndef f(page):\n    Path.read_text = lambda self: page\n"],
  ["a.py", amount],
  ["a.py", "class Amount(float):\n    def __repr__(self):\n        return '15'\n"],
  ["a.js", "BigInt.prototype.toJSON = function () {\n  return String(this);\n};\n"],
  ["a.ts", "Object.defineProperty(URL.prototype, 'href', { value: 'a' });\n"],
  ["a.js", 'import util from "node:util";\n\nutil.isDeepStrictEqual = () => true;\n'],
  [
    "a.go",
    'package a\n\nimport "io"\n\nfunc f(io *File) {\n\tio.Total = 3\n}\n\nfunc init() {\n\tio.EOF = nil\n}\n',
  ],
  ["a.js", 'function f() {\n  const util = require("node:util");\n  util.inspect = () => "";\n}\n'],
  [
    "a.go",
    'package a\n\nimport (\n\t"errors"\n\t"io"\n)\n\nfunc init() {\n\tio.EOF = errors.New("no more")\n}\n',
  ],
  ["a.py", "import math\n\n\ndef f(load):\n    global math\n    math.isclose = load\n    math = math\n"],
  ["a.js", 'import util from "node:util";\n\n((util) => {\n  util.inspect = () => "";\n})(util);\n'],
  [
    "a.js",
    'import util from "node:util";\n\nfunction f() {\n  for (let util = 0; util < 1; util++);\n  util.inspect = () => "";\n}\n',
  ],
  ["a.go", 'package a\n\nimport "io"\n\nfunc f() {\n\tio.EOF = nil\n\tio := 3\n\t_ = io\n}\n'],
  ["a.go", 'package a\n\nimport "io"\n\nfunc f() {\n\tif io := g(); io > 3 {\n\t}\n\tio.EOF = nil\n}\n'],
  [
    "a.go",
    'package a\n\nimport "io"\n\nfunc f(s []T) {\n\tfor _, io := range s {\n\t\tg(io)\n\t}\n\tio.EOF = nil\n}\n',
  ],
])("a change of what tests compare with is an objection: %s %s", async (path, text) => {
  expect(await weigh(path, text)).toEqual(["objection"]);
});

test.each([
  ["a.py", "import sys\nimport io\n\n\ndef main():\n    sys.stdout = io.StringIO()\n"],
  ["a.py", "from shop.settings import settings\n\n\ndef f():\n    settings.debug = True\n"],
  ["a.py", "import math\n\n\nclass A:\n    def f(self):\n        self.isclose = math.isclose\n"],
  ["a.py", "class Colour(str, Enum):\n    def __eq__(self, other):\n        return self.value == other\n"],
  ["a.py", "class Name(str):\n    def __repr__(self):\n        return 'Name(%s)' % self\n"],
  ["a.js", "function Basket() {}\nBasket.prototype.total = function () {\n  return 0;\n};\n"],
  ["a.js", 'import { config } from "./config.js";\n\nconfig.total = 3;\n'],
  ["a.go", 'package a\n\nimport "example.org/a/config"\n\nfunc f() {\n\tconfig.Total = 3\n}\n'],
  ["a.go", 'package a\n\nimport "shop/config"\n\nfunc f() {\n\tconfig.Total = 3\n}\n'],
  ["a.go", 'package a\n\nimport "net/url"\n\nfunc build(url *url.URL) {\n\turl.Path = "/x"\n}\n'],
  [
    "a.go",
    'package a\n\nimport "net/url"\n\nfunc f(s string) {\n\turl, _ := url.Parse(s)\n\turl.Path = "/x"\n}\n',
  ],
  ["a.go", 'package a\n\nimport "log"\n\nfunc (log *Log) f() {\n\tvar x = log\n\tlog.Level = x.Level\n}\n'],
  [
    "a.go",
    'package a\n\nimport "os/user"\n\nfunc f(all []*U) {\n\tfor _, user := range all {\n\t\tuser.Name = ""\n\t}\n}\n',
  ],
  ["a.py", "import flask\n\n\ndef f(user):\n    flask.g.user = user\n"],
  ["a.py", "import app.config\n\napp.config.TOTAL = 3\n"],
  ["a.py", "from app.models import User\n\nUser.total = 3\n"],
  ["a.py", "import calendar\n\n\ndef f(calendar):\n    calendar.total = 3\n"],
  ["a.js", 'import util from "node:util";\n\nexport const f = (util) => {\n  util.total = 3;\n};\n'],
  ["a.py", "import math\n\n\ndef f(all):\n    global total\n    math = all[0]\n    math.total = 3\n"],
  [
    "a.js",
    'import util from "node:util";\n\nfunction f(util) {\n  util.total = 3;\n}\nfunction g(util) {\n  f(util);\n}\n',
  ],
  [
    "a.go",
    'package a\n\nimport "net/url"\n\nfunc f(s string) {\n\tif url, err := url.Parse(s); err == nil {\n\t\turl.Path = "/x"\n\t}\n}\n',
  ],
])("a change of the project's own objects is none: %s %s", async (path, text) => {
  expect(await weigh(path, text)).toEqual([]);
});

test("a statement that asks for the comparison excuses it", async () => {
  expect(await weigh("a.py", amount, "Amounts have to be equal to numbers of the same worth")).toEqual([]);
});

const other = "class Name(str):\n    def __eq__(self, other):\n        return self.lower() == other\n\n\n";

async function listComparisons(before: string, after: string): Promise<string[]> {
  const found = await judgeAttack([compareTexts("a.py", before, after)], nothingElse);
  return found.filter(({ text }) => /adds a value type/.test(text)).map(({ weight }) => weight);
}

test.each([
  ["a method", "class Amount(int):\n    pass\n", amount.replace("(int):\n", "(int):\n    pass\n\n")],
  ["a base", amount.replace("(int)", ""), amount],
  ["a second class", other, other + amount],
])("%s that gives a value type its own comparison is an objection", async (_, before, after) => {
  expect(await listComparisons(before, after)).toEqual(["objection"]);
});

test("an unchanged value type with its own comparison is no sign", async () => {
  for (const after of [
    `import math\n${amount}`,
    amount.replace("// 2", "// 4"),
    amount.replace("Amount", "Price"),
  ])
    expect(await listComparisons(amount, after)).toEqual([]);
});
