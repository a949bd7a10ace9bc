import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeCareless } from "./careless.ts";

async function judge(
  path: string,
  before: string,
  after: string,
  statement = "it is wrong",
): Promise<string> {
  const base = { list: async () => [], read: async () => undefined };
  const found = await judgeCareless([compareTexts(path, before, after)], base, statement);
  return found.map(({ text }) => text).join("\n");
}

const python = (body: string): string => `def f(a, b):\n${body}\n`;
const script = (body: string): string => `export function f(a, b) {\n${body}\n}\n`;

const list = python('    return subprocess.run(["ls", a], cwd=b)');
const link = python('    return "<a>" + escape(a) + "</a>"');
const listing = python('    return run("ls " + shlex.quote(a), shell=True)');
const yaml = python("    return yaml.safe_load(a)");
const digest = python("    return hmac.compare_digest(a, b)");
const decoded = python('    return a.read_text(encoding="utf-8").splitlines()');
const inFolder = python(
  "    path = os.path.realpath(os.path.join(a, b))\n    if not path.startswith(a):\n        raise ValueError(b)\n    return open(path).read()",
);
const key = script('  if (b === "__proto__") throw new Error(b);\n  a[b] = 1;');

test.each([
  ["a.py", list, python('    return subprocess.run(f"ls {a}", shell=True, cwd=b)'), "value to a shell"],
  ["a.py", list, python('    return os.system("ls " + a)'), "value to a shell"],
  ["a.js", script('  execFile("ls", [a]);'), script('  exec("ls " + a);'), "value to a shell"],
  ["a.rb", 'def f(a)\n  system("ls", a)\nend\n', "def f(a)\n  `ls #{a}`\nend\n", "value to a shell"],
  [
    "a.go",
    'package a\n\nfunc F(a string) {\n\texec.Command("ls", a)\n}\n',
    'package a\n\nfunc F(a string) {\n\texec.Command("sh", "-c", "ls "+a)\n}\n',
    "value to a shell",
  ],
  [
    "a.py",
    link,
    python('    return "<a>" + a + "</a>"'),
    "no longer escapes a value: `f` no longer calls `escape`",
  ],
  [
    "a.js",
    script('  return "<a>" + escapeHtml(a) + "</a>";'),
    script('  return "<a>" + a + "</a>";'),
    "no longer calls `escapeHtml`",
  ],
  ["a.py", link, python('    return mark_safe("<a>" + a + "</a>")'), "marks a value as safe HTML"],
  [
    "a.go",
    "package a\n\nfunc F(a string) any {\n\treturn a\n}\n",
    "package a\n\nfunc F(a string) any {\n\treturn template.HTML(a)\n}\n",
    "safe HTML",
  ],
  [
    "a.go",
    'package a\n\nimport "html/template"\n',
    'package a\n\nimport "text/template"\n',
    "without escaping",
  ],
  ["a.js", script("  a.textContent = b;"), script("  a.innerHTML = b;"), "into a page as HTML"],
  ["a.py", yaml, python("    return yaml.load(a, Loader=yaml.Loader)"), "objects of any type"],
  ["a.py", digest, python("    return a == b"), "compares secrets"],
  ["a.js", script("  return timingSafeEqual(a, b);"), script("  return a === b;"), "compares secrets"],
  [
    "a.js",
    script("  return jwt.verify(a, b);"),
    script("  return jwt.decode(a);"),
    "without a check of its signature",
  ],
  [
    "a.py",
    python("    return jwt.decode(a, b)"),
    python('    return jwt.decode(a, b, options={"verify_signature": False})'),
    "check of its signature",
  ],
  [
    "a.py",
    python('    return "<a>" + html.escape(a)'),
    python('    return "<a>" + a'),
    "no longer calls `escape`",
  ],
  [
    "a.py",
    python("    return show(html.escape(a))"),
    python("    return show(a)"),
    "no longer calls `escape`",
  ],
  [
    "a.py",
    python('    return f"<b>{escape(a)}</b>"'),
    python('    template = "<b>{} {}</b>"\n    return template.format(b, a)'),
    "no longer calls `escape`",
  ],
  ["a.py", link, python('    tag = "<a>"\n    return tag + a + "</a>"'), "no longer calls `escape`"],
  ["a.py", link, 'def f(a, params):\n    return "<a>" + a + params.get("end")\n', "no longer calls `escape`"],
  [
    "a.py",
    link,
    python('    params = {"a": a}\n    return "<a>%(a)s</a>" % params'),
    "no longer calls `escape`",
  ],
  [
    "a.py",
    link,
    `${python("    return render(a)")}\n\ndef render(a):\n    return "<a>" + a + "</a>"\n`,
    "no longer calls `escape`",
  ],
  [
    "a.py",
    python('    if a is None:\n        return "Hello"\n    return "Hello <b>" + escape(a) + "</b>"'),
    python('    return "Hello <b>" + (a or "you") + "</b>"'),
    "no longer calls `escape`",
  ],
  [
    "a.js",
    script('  if (!a || a.length > 9) return "";\n  return "<b>" + escapeHtml(a) + "</b>";'),
    script('  return "<b>" + (a || "you") + "</b>";'),
    "no longer calls `escapeHtml`",
  ],
  [
    "a.py",
    python("    if re.search(re.escape(a), b):\n        return 1"),
    python("    if re.search(a, b):\n        return 1"),
    "no longer calls `escape`",
  ],
  ["a.py", link, python('    return "<p>Where is %s?</p>" % a'), "no longer calls `escape`"],
  [
    "a.py",
    link,
    python('    b.execute("SELECT 1")\n    return "<p>Where is %s? Select it.</p>" % a'),
    "no longer calls `escape`",
  ],
  [
    "a.py",
    link,
    python('    b.execute("SELECT 1")\n    return "<p>SELECT x FROM %s</p>" % a'),
    "no longer calls `escape`",
  ],
  ["a.py", python("    validate(a)\n    return a.x == b"), python("    return a.x == b"), "no longer checks"],
  ["a.py", python("    a = escape(a)\n    return a"), python("    return a"), "no longer calls `escape`"],
  ["a.py", python("    return escape(a.strip())"), python("    return a"), "no longer calls `escape`"],
  ["a.py", python("    return escape(self.a)"), python("    return self.a"), "no longer calls `escape`"],
  [
    "a.py",
    python("    return re.search(re.escape(a), b)"),
    python("    return re.search(a, b)"),
    "no longer calls",
  ],
  ["a.py", listing, python('    return run("ls " + a, shell=True)'), "no longer calls `quote`"],
  ["a.py", python("    validate(a)\n    return a.x"), python("    return a.x"), "no longer checks a value"],
  ["a.rb", "def f(a)\n  tag + h(a)\nend\n", "def f(a)\n  tag + a\nend\n", "no longer calls `h`"],
  [
    "a.js",
    script("  const { x } = a;\n  b.textContent = x;"),
    script("  b.innerHTML = a.x;"),
    "into a page as HTML",
  ],
  [
    "a.py",
    python('    subprocess.run(["ls", a])'),
    python('    os.system(\n        "ls "\n        + a\n    )'),
    "value to a shell",
  ],
  [
    "a.go",
    "package a\n\nfunc F(p string) {\n\tos.WriteFile(p, nil, 0600)\n}\n",
    "package a\n\nfunc F(p string) {\n\tos.WriteFile(p, nil, 0666)\n}\n",
    "lets every user write",
  ],
  ["a.py", inFolder, python("    return open(os.path.join(a, b)).read()"), "stays in its folder"],
  ["a.js", key, script("  a[b] = 1;"), "no longer refuses `__proto__`"],
  [
    "a.py",
    decoded,
    python('    return a.read_bytes().decode("ascii", "replace").splitlines()'),
    "characters that ASCII lacks",
  ],
  ["a.py", python("    os.chmod(a, 0o600)"), python("    os.chmod(a, 0o777)"), "lets every user write"],
  ["a.py", python('    a.extractall(b, filter="data")'), python("    a.extractall(b)"), "without the filter"],
  [
    "a.rs",
    "fn f(a: &[u8], b: usize) -> u8 {\n    a[b]\n}\n",
    "fn f(a: &[u8], b: usize) -> u8 {\n    unsafe { *a.get_unchecked(b) }\n}\n",
    "leaves out a check",
  ],
])("%s loses a protection: %j", async (path, before, after, says) => {
  expect(await judge(path, before, after)).toContain(says);
});

const helper = `def g(a):\n    return escape(a)\n\n\n`;

test.each([
  [
    "two calls that become one in a new helper",
    "a.py",
    python('    return "<a>" + escape(a) + "<b>" + escape(b)'),
    `def g(a):\n    return part("b", a)\n\n\ndef part(n, a):\n    return n + escape(a)\n\n\n${python("    return g(a) + g(b)")}`,
  ],
  [
    "an old helper that does the same",
    "a.py",
    `${helper}${link}`,
    `${helper}${python('    return "<a>" + g(a) + "</a>"')}`,
  ],
  [
    "a value that a called function escapes again",
    "a.py",
    `${helper}${python('    a = escape(a)\n    return "<a>" + g(a) + "</a>"')}`,
    `${helper}${python('    return "<a>" + g(a) + "</a>"')}`,
  ],
  [
    "a value that callers escape",
    "a.py",
    `${link}\n\ndef g(a):\n    return f(escape(a), 1)\n`,
    `${python('    return "<a>" + a + "</a>"')}\n\ndef g(a):\n    return f(escape(a), 1)\n`,
  ],
  ["a template", "a.py", link, python('    return env.get_template("a.html").render(a=a)')],
  [
    "a template that gets its values from a variable",
    "a.py",
    link,
    python('    context = {\n        "a": a,\n    }\n    return render(b, "a.html", context)'),
  ],
  [
    "the result of a test",
    "a.py",
    python("    if a.startswith(b):\n        return escape(a)"),
    python("    if a.startswith(b):\n        return 1"),
  ],
  [
    "a query's builder",
    "a.js",
    script('  return "?q=" + encodeURIComponent(a);'),
    script("  return new URLSearchParams({ q: a });"),
  ],
  [
    "parameters of a request",
    "a.py",
    python('    return get(b + "?q=" + quote(a))'),
    python('    return get(b, params={"q": a})'),
  ],
  ["no shell any more", "a.py", listing, python('    return run(["ls", a])')],
  [
    "no pattern any more",
    "a.py",
    python("    return re.search(re.escape(a), b) is not None"),
    python("    return a in b"),
  ],
  [
    "parameters of a query",
    "a.py",
    python('    return b.execute("SELECT 1 FROM a WHERE b = \'" + escape_string(a) + "\'")'),
    python('    return b.execute("SELECT 1 FROM a WHERE b = %s", (a,))'),
  ],
  [
    "another member",
    "a.py",
    python("    return escape(self.a) + self.b"),
    python("    return self.b + self.c"),
  ],
  [
    "a condition",
    "a.py",
    python("    if a:\n        return escape(a)"),
    python("    if a:\n        return 1"),
  ],
  ["a constant page", "a.js", script("  a.textContent = b;"), script('  a.innerHTML = "";')],
  [
    "a shorthand",
    "a.js",
    script("  a.innerHTML = b;\n  g({ b });"),
    script("  a.innerHTML = b + b;\n  g(a, b);"),
  ],
  ["a quote of a stock", "a.py", python("    return get_quote(a) + a"), python("    return a + a + b")],
  ["a handler of a key", "a.js", script("  onEscape(a);\n  return a;"), script("  return a + a;")],
  ["an element", "a.js", script("  return h(a);"), script("  return a;")],
  [
    "a promise",
    "a.js",
    script("  const file = Promise.resolve(a);\n  return a.startsWith(b);"),
    script("  return file(a, b);"),
  ],
  [
    "normal forms of letters",
    "a.py",
    python('    path = unicodedata.normalize("NFC", a)\n    return path.startswith(b)'),
    python("    return b in a"),
  ],
  ["a function that refuses the path", "a.py", inFolder, python("    return open(safe_join(a, b)).read()")],
  [
    "a helper that refuses the path",
    "a.py",
    inFolder,
    `${inFolder.replace("f(a, b)", "place(a, b)").replace("open(path).read()", "path")}\n\n${python("    return open(place(a, b)).read()")}`,
  ],
  [
    "a mode that is only the default",
    "a.go",
    "package a\n\nfunc F(p string) {\n\tos.WriteFile(p, nil, 0644)\n}\n",
    "package a\n\nfunc F(p string) {\n\tos.OpenFile(p, os.O_CREATE, 0666)\n}\n",
  ],
  [
    "a constant command in several lines",
    "a.py",
    python('    subprocess.run(["clear"])'),
    python('    os.system(\n        "clear"\n    )'),
  ],
  ["a list of other arguments", "a.py", list, python('    return subprocess.run(["ls", "-a", a], cwd=b)')],
  ["a constant text", "a.py", list, python('    return subprocess.run("ls -a", shell=True, cwd=b)')],
  ["a call of the same kind", "a.py", link, python('    return "<a>" + quoteattr(a) + "</a>"')],
  [
    "another argument of the call",
    "a.py",
    link,
    python('    return "<a>" + escape(a, quote=False) + "</a>"'),
  ],
  ["one of two calls", "a.py", python("    return escape(escape(a))"), python("    return escape(a)")],
  [
    "a call that moves to a helper",
    "a.py",
    link,
    `def g(a):\n    return escape(a)\n\n\n${python('    return "<a>" + g(a) + "</a>"')}`,
  ],
  ["own escaping", "a.py", link, python('    return "<a>" + a.replace("<", "&lt;") + "</a>"')],
  ["a value that is no longer used", "a.py", link, python('    return "<a></a>"')],
  ["another safe loader", "a.py", yaml, python("    return yaml.load(a, Loader=yaml.CSafeLoader)")],
  [
    "a comparison next to the digest's",
    "a.py",
    digest,
    python("    return a == 1 or hmac.compare_digest(a, b)"),
  ],
  ["an encoding that keeps all characters", "a.py", decoded, decoded.replace("utf-8", "utf-8-sig")],
  [
    "another check of the folder",
    "a.py",
    inFolder,
    inFolder.replace("not path.startswith(a)", "not Path(path).is_relative_to(a)"),
  ],
])("%s is fine", async (_, path, before, after) => {
  expect(await judge(path, before, after, "an input may be unused")).toBe("");
});

test("a statement may ask for it", async () => {
  const after = python('    return "<a>" + a + "</a>"');
  expect(await judge("a.py", link, after, "titles are double-escaped")).toBe("");
  expect(await judge("a.py", link, after, "titles show `&#x27;`")).not.toBe("");
});

test("a page that another library composes is only a doubt", async () => {
  const base = { list: async () => [], read: async () => undefined };
  const weigh = async (after: string): Promise<string[]> =>
    (await judgeCareless([compareTexts("a.py", link, after)], base, "it is wrong")).map(
      ({ weight }) => weight,
    );
  expect(await weigh(python('    return page.get("b.html", name=a)'))).toEqual(["doubt"]);
  expect(await weigh(python("    return E.b(a)"))).toEqual(["doubt"]);
  expect(await weigh(`BOX = "<a>%s</a>"\n\n\n${python("    return box(BOX, a)")}`)).toEqual(["objection"]);
  expect(await weigh(python("    return BOX % a"))).toEqual(["objection"]);
  expect(await weigh(python('    return f"{b}{a}"'))).toEqual(["objection"]);
  const made = python("    return box(a)");
  expect(await weigh(`${made}\n\ndef box(a):\n    return "<a>" + a\n`)).toEqual(["objection"]);
});

test("a loss reads the modules that the file names first, and not all files of a folder", async () => {
  const read: string[] = [];
  const base = {
    list: async () => [...Array.from({ length: 1_500 }, (_, index) => `m${index}.py`), "links.py"],
    read: async (path: string) => {
      read.push(path);
      return path === "links.py" ? "def g(a):\n    return escape(a)\n" : "def other(a):\n    return a\n";
    },
  };
  const after = `from .links import g\n\n\n${python("    return g(a)")}`;
  expect(await judgeCareless([compareTexts("a.py", link, after)], base, "it is wrong")).toEqual([]);
  expect(read.slice(0, 1)).toEqual(["links.py"]);
  expect(read.length).toBeLessThanOrEqual(1_000);
});

test("a statement about patterns wants them as they are", async () => {
  const statement = "`f` must accept patterns such as `a.*`";
  const search = python("    return re.search(re.escape(a), b)");
  expect(await judge("a.py", search, search.replace("re.escape(a)", "a"), statement)).toBe("");
  const matcher = script("  return new RegExp(escapeRegExp(a)).test(b);");
  expect(await judge("a.js", matcher, matcher.replace("escapeRegExp(a)", "a"), statement)).toBe("");
  expect(await judge("a.js", matcher, matcher.replace("escapeRegExp(a)", "a"))).not.toBe("");
  expect(await judge("a.py", link, python('    return "<a>" + a'), "`f` accepts patterns")).not.toBe("");
});

test("another file of the patch or the base may protect the value", async () => {
  const own = `def g(a):\n    return "<a>" + escape(a) + "</a>"\n`;
  const after = `from .links import g\n\n\n${python("    return g(a)")}`;
  const tell = async (files: readonly ReturnType<typeof compareTexts>[], text?: string): Promise<number> => {
    const base = { list: async () => ["links.py"], read: async () => text };
    return (await judgeCareless(files, base, "it is wrong")).length;
  };
  const patch = compareTexts("a.py", link, after);
  expect(await tell([patch, compareTexts("links.py", undefined, own)])).toBe(0);
  expect(await tell([patch], own)).toBe(0);
  expect(await tell([patch], own.replace("escape(a)", "a"))).toBe(1);
  const raw = compareTexts("a.py", link, python('    return "<a>" + a + "</a>"'));
  const more = compareTexts("b.py", python("    return f(a)"), python("    return f(escape(a))"));
  expect(await tell([raw, more])).toBe(0);
  expect(await tell([raw])).toBe(1);
});
