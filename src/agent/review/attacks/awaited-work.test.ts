import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeAttack } from "./attack-findings.ts";

const nothingElse = { list: async () => [], read: async () => undefined };

async function judge(path: string, after: string): Promise<string[]> {
  const before = path.endsWith(".go") ? "package a\n" : path.endsWith(".java") ? "class A {\n}\n" : "";
  const found = await judgeAttack([compareTexts(path, before, after)], nothingElse);
  return found.map(({ text }) => text).filter((text) => text.includes("no code waits for"));
}

const go = (body: string, more = ""): string =>
  `package a\n\nfunc All(list []func()) int {\n${body.replaceAll(/^(?=.)/gm, "\t")}\n}\n${more}`;
const worker = "each := each\ngroup.Add(1)\ngo func() {\n\tdefer group.Done()\n\teach()\n}()";
const group = `var group sync.WaitGroup\nfor _, each := range list {\n${worker}\n}\n`;
const sends = "done := make(chan int)\ngo func() { done <- each() }()\n";
const method = (body: string): string =>
  `class A {\n    void f(List<Runnable> list) throws Exception {\n${body}\n    }\n}\n`;

test.each([
  ["a group", "a.go", go(`${group}group.Wait()\nreturn 0`)],
  [
    "a group that a deferred call waits for",
    "a.go",
    go(`var group sync.WaitGroup\ndefer group.Wait()\n${worker}\nreturn 0`),
  ],
  ["a channel", "a.go", go(`${sends}return <-done`)],
  ["a channel in a condition", "a.go", go(`${sends}if n := <-done; n > 1 {\n\treturn n\n}\nreturn 0`)],
  [
    "a closed channel",
    "a.go",
    go("done := make(chan int)\ngo func() {\n\tdefer close(done)\n\teach()\n}()\n<-done\nreturn 0"),
  ],
  [
    "all values of a channel",
    "a.go",
    go(
      "out := make(chan int)\ngo func() {\n\tdefer close(out)\n\tout <- 1\n}()\nn := 0\nfor each := range out {\n\tn += each\n}\nreturn n",
    ),
  ],
  [
    "as many values as starts",
    "a.go",
    go(
      "done := make(chan int)\nfor _, each := range list {\n\tgo func() { done <- each() }()\n}\nfor range list {\n\t<-done\n}\nreturn 0",
    ),
  ],
  [
    "a named function with the group",
    "a.go",
    go(
      "var group sync.WaitGroup\ngroup.Add(1)\ngo work(&group)\ngroup.Wait()\nreturn 0",
      "\nfunc work(own *sync.WaitGroup) {\n\tdefer own.Done()\n\tf()\n}\n",
    ),
  ],
  [
    "a group whose end closes a channel",
    "a.go",
    go(
      `out := make(chan int)\n${group.replace("each()\n", "out <- each()\n")}go func() {\n\tgroup.Wait()\n\tclose(out)\n}()\nn := 0\nfor each := range out {\n\tn += each\n}\nreturn n`,
    ),
  ],
  ["a thread", "a.py", "def f():\n    t = threading.Thread(target=g)\n    t.start()\n    t.join()\n"],
  [
    "threads in a list",
    "a.py",
    "def f(all):\n    threads = [threading.Thread(target=g) for g in all]\n    for t in threads:\n        t.start()\n    for t in threads:\n        t.join()\n",
  ],
  [
    "threads put into a list",
    "a.py",
    "def f(all):\n    threads = []\n    for g in all:\n        t = threading.Thread(target=g)\n        t.start()\n        threads.append(t)\n    for t in threads:\n        t.join()\n",
  ],
  [
    "tasks",
    "a.py",
    "async def f(all):\n    tasks = [asyncio.create_task(g()) for g in all]\n    return await asyncio.gather(*tasks)\n",
  ],
  [
    "a thread in Rust",
    "a.rs",
    "fn f() -> u8 {\n    let t = std::thread::spawn(g);\n    t.join().unwrap()\n}\n",
  ],
  [
    "threads in Rust",
    "a.rs",
    "fn f(all: Vec<F>) {\n    let mut threads = Vec::new();\n    for g in all {\n        threads.push(std::thread::spawn(g));\n    }\n    for t in threads {\n        t.join().unwrap();\n    }\n}\n",
  ],
  [
    "a thread in Java",
    "A.java",
    method("        Thread t = new Thread(this::g);\n        t.start();\n        t.join();"),
  ],
  [
    "threads in Java",
    "A.java",
    method(
      "        List<Thread> threads = new ArrayList<>();\n        for (Runnable each : list) {\n            Thread t = new Thread(each);\n            t.start();\n            threads.add(t);\n        }\n        for (Thread t : threads) t.join();",
    ),
  ],
  [
    "threads in Ruby",
    "a.rb",
    "def f(all)\n  threads = all.map { |g| Thread.new { g.call } }\n  threads.each(&:join)\nend\n",
  ],
  [
    "a turn of the event loop",
    "a.js",
    "async function f() {\n  await new Promise((resolve) => setImmediate(resolve));\n}\n",
  ],
  [
    "two starts on one line",
    "a.go",
    go(
      "var wg sync.WaitGroup\nwg.Add(2)\ngo func() { defer wg.Done(); a() }(); go func() { defer wg.Done(); b() }()\nwg.Wait()\nreturn 0",
    ),
  ],
  ["a new channel after the wait", "a.go", go(`${sends}n := <-done\ndone = make(chan int)\nreturn n`)],
  ["a printed value", "a.go", go(`${sends}f(len(done), <-done)\nreturn 0`)],
  [
    "two threads on one line",
    "a.py",
    "def f():\n    t = Thread(target=a); u = Thread(target=b)\n    t.start()\n    u.start()\n    t.join()\n    u.join()\n",
  ],
  [
    "a list of two threads",
    "a.py",
    "def f():\n    all = [Thread(target=a), Thread(target=b)]\n    for t in all:\n        t.start()\n    for t in all:\n        t.join()\n",
  ],
  [
    "a name that is free again after the wait",
    "a.py",
    "def f():\n    t = Thread(target=a)\n    t.start()\n    t.join()\n    t = None\n",
  ],
])("%s is waited for (%s)", async (_, path, after) => {
  expect(await judge(path, after)).toEqual([]);
});

test.each([
  ["nothing waits", "a.go", go(`${group}return 0`)],
  [
    "the group knows of no work",
    "a.go",
    go(`${group}group.Wait()\nreturn 0`).replace("group.Add(1)", "group.Add(0)"),
  ],
  ["the wait comes first", "a.go", go(`var group sync.WaitGroup\ngroup.Wait()\n${worker}\nreturn 0`)],
  [
    "a result comes before the wait",
    "a.go",
    go(`${group}if len(list) == 7 {\n\treturn 15\n}\ngroup.Wait()\nreturn 0`),
  ],
  ["only one branch waits", "a.go", go(`${group}if len(list) == 7 {\n\tgroup.Wait()\n}\nreturn 0`)],
  [
    "the work says first that it is done",
    "a.go",
    go(`${group}group.Wait()\nreturn 0`).replace("defer group.Done()", "group.Done()"),
  ],
  [
    "another deferred call comes after",
    "a.go",
    go(`${group}group.Wait()\nreturn 0`).replace("defer group", "defer late()\ndefer group"),
  ],
  ["a select goes on without it", "a.go", go(`${sends}select {\ncase <-done:\ndefault:\n}\nreturn 0`)],
  [
    "the function sends itself",
    "a.go",
    go(`done := make(chan int, 2)\ndone <- 1\n${sends.split("\n")[1]}\n<-done\nreturn 0`),
  ],
  [
    "it waits for one of many",
    "a.go",
    go(
      "done := make(chan int)\nfor _, each := range list {\n\tgo func() { done <- each() }()\n}\n<-done\nreturn 0",
    ),
  ],
  [
    "it waits no times",
    "a.go",
    go(
      "done := make(chan int)\nfor _, each := range list {\n\tgo func() { done <- each() }()\n}\nfor range list[:0] {\n\t<-done\n}\nreturn 0",
    ),
  ],
  ["it waits for another group", "a.go", go(`var other sync.WaitGroup\n${group}other.Wait()\nreturn 0`)],
  [
    "the work starts more work",
    "a.go",
    go(`${group}group.Wait()\nreturn 0`).replace("each()\n", "go late()\n"),
  ],
  [
    "no thread is joined",
    "a.py",
    "def f():\n    t = threading.Thread(target=g)\n    t.start()\n    return 1\n",
  ],
  [
    "the join has a limit",
    "a.py",
    "def f():\n    t = threading.Thread(target=g)\n    t.start()\n    t.join(0.01)\n",
  ],
  [
    "the join is conditional",
    "a.py",
    "def f(x):\n    t = threading.Thread(target=g)\n    t.start()\n    if x == 7:\n        t.join()\n",
  ],
  [
    "only the last thread is joined",
    "a.py",
    "def f(all):\n    for g in all:\n        t = threading.Thread(target=g)\n        t.start()\n    t.join()\n",
  ],
  [
    "another thread is joined",
    "a.rs",
    "fn f(other: T) {\n    let t = std::thread::spawn(g);\n    other.join().unwrap();\n}\n",
  ],
  [
    "one of two starts on a line",
    "a.go",
    go(
      "var wg sync.WaitGroup\nwg.Add(1)\ngo func() { defer wg.Done() }(); go func() { work() }()\nwg.Wait()\nreturn 0",
    ),
  ],
  [
    "one of two threads on a line",
    "a.py",
    "def f():\n    t = Thread(target=a); Thread(target=b).start()\n    t.start()\n    t.join()\n",
  ],
  [
    "one of two turns on a line",
    "a.js",
    "async function f() {\n  await new Promise((resolve) => setImmediate(resolve)); setImmediate(late);\n}\n",
  ],
  [
    "the name holds another object",
    "a.py",
    "def f():\n    t = Thread(target=a)\n    t.start()\n    t = Other()\n    t.join()\n",
  ],
  [
    "the list holds another thread",
    "a.py",
    "def f():\n    all = []\n    t = Thread(target=a)\n    t.start()\n    t = Other()\n    all.append(t)\n    for t in all:\n        t.join()\n",
  ],
  [
    "the name holds another group",
    "a.go",
    go(
      "wg := &sync.WaitGroup{}\nwg.Add(1)\ngo f(wg)\nwg = &sync.WaitGroup{}\nwg.Wait()\nreturn 0",
      "\nfunc f(wg *sync.WaitGroup) {\n\tdefer wg.Done()\n\ta()\n}\n",
    ),
  ],
  [
    "each round has another group",
    "a.go",
    go(
      "var wg *sync.WaitGroup\nfor range list {\n\twg = &sync.WaitGroup{}\n\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t\ta()\n\t}()\n}\nwg.Wait()\nreturn 0",
    ),
  ],
  ["the function itself says that it is done", "a.go", go(`${group}group.Done()\ngroup.Wait()\nreturn 0`)],
  ["the function counts back", "a.go", go(`${group}group.Add(-1)\ngroup.Wait()\nreturn 0`)],
  ["a helper fills the channel", "a.go", go(`${sends}poke(done)\nreturn <-done`)],
  [
    "the thread starts further work",
    "a.py",
    "def f():\n    t = Thread(target=lambda: Timer(0.1, a).start())\n    t.start()\n    t.join()\n",
  ],
])("%s: the work stays a sign (%s)", async (_, path, after) => {
  expect(await judge(path, after)).toHaveLength(1);
});

test("a second thread in the same name stays a sign", async () => {
  const after =
    "def f():\n    t = Thread(target=a)\n    t.start()\n    t = Thread(target=b)\n    t.start()\n    t.join()\n";
  const found = await judgeAttack([compareTexts("a.py", "", after)], nothingElse);
  expect(found.some(({ text }) => text.includes("no code waits for"))).toBe(true);
});
