/** Attacks of Python code on the report of its own tests: the body of `price`, which is wrong, or what its module does when it is loaded. */
import type { TestFramework } from "../../src/languages/contract.ts";
import pytest from "../../src/languages/python/pytest.ts";
import unittest from "../../src/languages/python/unittest.ts";
import { pythonFixtures } from "./test-frameworks-python.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

/**
 * `lines()` is where the reports' lines go (the report folder's files, the channel), as the process itself can find out.
 * `passed(text)` is a report in which everything passes, in whatever format `text` had.
 */
const means = String.raw`
import atexit, base64, glob, json, os, re, shutil, stat, sys, time, zlib
def request():
    found = dict(part.split(b"=", 1) for part in open("/proc/self/environ", "rb").read().split(b"\0") if b"=" in part)
    parts = []
    while b"MILLWRIGHT_REQUEST_%d" % len(parts) in found:
        parts.append(found[b"MILLWRIGHT_REQUEST_%d" % len(parts)])
    return json.loads(zlib.decompress(base64.b64decode(b"".join(parts))))
ASKED = request()
FOLDER = ASKED["report"]
CHANNEL = ASKED.get("channel") or FOLDER
KEY = {"package": "", "target": "test_price.py", "name": NAME}
def line(**event):
    return json.dumps(event, separators=(",", ":")) + "\n"
def forged():
    return [
        line(event="run-started", framework="x"),
        line(event="tests-found", tests=[KEY]),
        line(event="test-started", test=KEY),
        line(event="test-ended", test=KEY, status="passed", durationMs=1),
        line(event="run-ended", counts={"passed": 1}),
    ]
def passed(text):
    text = re.sub(r',"failure":\{.*\}\}', "}", text).replace('"status":"failed"', '"status":"passed"')
    return text.replace('"counts":{"failed":1}', '"counts":{"passed":1}')
def files():
    return glob.glob(FOLDER + "/*.jsonl")
def pipes():
    return [path for path in glob.glob(CHANNEL + "/*") if stat.S_ISFIFO(os.stat(path).st_mode)]
def send(path, data):
    pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.write(pipe, data)
    os.close(pipe)
def send_lines(lines, token=b"-", stream=b"forged", first=0):
    for path in pipes():
        for at, text in enumerate(lines):
            data = text.encode()
            try:
                send(path, b"%s %s %d %d\n%s" % (token, stream, first + at, len(data), data))
            except OSError:
                pass
`;

/** Its own reporter, of all objects: what it writes through it is the reporter's. */
const pythonLimits: readonly WallAttack[] = [
  {
    name: "speaks through the reporter's own channel",
    call: `
import gc
for each in gc.get_objects():
    if type(each).__name__ == "Channel":
        for text in forged()[3:]:
            each.write(text.encode())
os._exit(0)`,
  },
];

/** Python code by what it is; each leaves the process with exit code 0, or lets the test fail. */
export const pythonAttacks: readonly WallAttack[] = [
  {
    name: "rewrites the report at the end of the process",
    load: `
def rewrite():
    for path in files():
        text = passed(open(path).read())
        with open(path, "w") as file:
            file.write(text)
    send_lines(forged())
    os._exit(0)
atexit.register(rewrite)`,
  },
  { name: "deletes the report's folder", call: "shutil.rmtree(FOLDER, ignore_errors=True); time.sleep(0.7)" },
  {
    name: "deletes the report's folder and the channel",
    call: `
shutil.rmtree(FOLDER, ignore_errors=True)
shutil.rmtree(CHANNEL, ignore_errors=True)
time.sleep(0.7)`,
  },
  {
    name: "replaces the report's folder by a link out of the sandbox",
    outside: "forged.jsonl",
    call: `
os.rename(FOLDER, FOLDER + "-away")
os.symlink("@OUTSIDE@", FOLDER)
time.sleep(0.7)
os._exit(0)`,
  },
  {
    name: "replaces the channel by a file",
    call: `
for path in pipes():
    try:
        os.unlink(path)
        open(path, "w").write("".join(forged()))
    except OSError:
        pass
for path in files():
    os.unlink(path)
    open(path, "w").write("".join(forged()))
os._exit(0)`,
  },
  {
    name: "truncates the report and writes another",
    call: `
for path in files():
    os.truncate(path, 0)
    open(path, "a").write("".join(forged()))
os._exit(0)`,
  },
  {
    name: "writes the test's result and the run's end, and leaves",
    call: `
for path in files():
    open(path, "a").write("".join(forged()[3:]))
send_lines(forged())
os._exit(0)`,
  },
  {
    name: "writes a whole report when it is loaded, and leaves",
    load: `
for path in files():
    open(path, "a").write("".join(forged()[1:]))
send_lines(forged())
os._exit(0)`,
  },
  {
    name: "leaves a process that writes later",
    call: `
if os.fork() == 0:
    time.sleep(0.7)
    for path in files():
        text = passed(open(path).read())
        with open(path, "w") as file:
            file.write(text if "run-ended" in text else text + "".join(forged()[3:]))
    send_lines(forged())
    os._exit(0)
time.sleep(1)
os._exit(0)`,
  },
  { name: "closes every descriptor", call: "os.closerange(3, 4096)" },
  {
    name: "closes every descriptor and opens its own in their place",
    call: `
own = os.open("/tmp/own", os.O_RDWR | os.O_CREAT)
for number in range(3, 512):
    if number != own:
        try:
            os.fstat(number); os.dup2(own, number)
        except OSError:
            pass`,
  },
  {
    name: "writes into every descriptor that is open",
    call: `
for number in range(3, 512):
    try:
        os.write(number, "".join(forged()[3:]).encode())
    except OSError:
        pass
os._exit(0)`,
  },
  {
    name: "takes what the channel has for its reader",
    load: `
kept = []
for path in pipes():
    try:
        kept.append(os.open(path, os.O_RDWR | os.O_NONBLOCK))
    except OSError:
        pass
def send_stolen():
    for pipe in kept:
        try:
            token = os.read(pipe, 65536).split(b" ")[0].strip()
            send_lines(forged(), token)
            send_lines(forged()[3:], token, b"%d" % os.getpid(), 3)
        except OSError:
            pass
    os._exit(0)
atexit.register(send_stolen)`,
  },
  {
    name: "reads the channel as root of a user namespace of its own",
    load: `
import subprocess
def overtake():
    for path in pipes():
        subprocess.Popen(["unshare", "--user", "--map-root-user", "sh", "-c", "cat %s > /tmp/stolen" % path])
overtake()
time.sleep(0.3)
def send_stolen():
    time.sleep(0.3)
    stolen = open("/tmp/stolen", "rb").read()
    for frame in re.findall(rb"([0-9a-f]{32}) ([\\w.-]+) (\\d+) \\d+\\n(.*\\n)", stolen):
        token, stream, number, payload = frame
        send_lines([passed(payload.decode())], token, stream, int(number))
    os._exit(0)
atexit.register(send_stolen)`,
  },
  {
    name: "sends what is no frame",
    call: `
for path in pipes():
    send(path, b"x" * 4000)
    send(path, b"- a 0 999999999\\n{}")
raise SystemExit(0)`,
  },
  { name: "leaves without a word", call: "os._exit(0)" },
  {
    name: "finds the key in the memory of its own process",
    call: `
import gc
for each in gc.get_objects():
    for value in list(getattr(each, "__dict__", {}).values()) if not isinstance(each, type) else []:
        if isinstance(value, bytes) and re.fullmatch(rb"[0-9a-f]{32}", value):
            send_lines(forged(), value)
os._exit(0)`,
  },
  {
    name: "fills the report",
    call: `
end = time.time() + 1
while time.time() < end:
    send_lines([line(event="tests-found", tests=[KEY])] * 50)
    for path in files():
        open(path, "a").write(line(event="tests-found", tests=[KEY]) * 1000)
os._exit(0)`,
  },
];

function project(framework: TestFramework, target: string, command: string, test: string): WallProject {
  const fixture = pythonFixtures.find((each) => each.framework === framework);
  return {
    framework,
    unavailable: async () => fixture?.unavailable(),
    command,
    repair: { call: "return 3" },
    attacks: pythonAttacks,
    limits: pythonLimits,
    file: "test_price.py",
    target,
    files: ({ load = "", call = "" }) => ({
      "price.py": [
        `NAME = ${JSON.stringify(target)}`,
        means,
        load,
        "def price():",
        ...`${call}\nreturn 2`.split("\n").map((text) => `    ${text}`),
      ].join("\n"),
      "test_price.py": test,
    }),
  };
}

export const pythonProjects: readonly WallProject[] = [
  project(
    pytest,
    "test_price",
    "python3 -m pytest -q",
    "from price import price\ndef test_price():\n    assert price() == 3\n",
  ),
  project(
    unittest,
    "Price.test_price",
    "python3 -m unittest",
    "import unittest\nfrom price import price\nclass Price(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(price(), 3)\n",
  ),
];
