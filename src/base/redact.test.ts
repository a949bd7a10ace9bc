import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, secretsOf } from "./redact.ts";

const key = 'p4ss"word/with=odd signs';
const redactor = createRedactor([key]);

describe("a secret that is known", () => {
  it.each([
    ["as it is", `the key ${key} was sent`],
    ["in JSON", JSON.stringify({ key })],
    ["in an address", `https://host/?key=${encodeURIComponent(key)}`],
    ["in base64", `Authorization: Basic ${Buffer.from(key).toString("base64")}`],
  ])("is taken out %s", (_, text) => {
    const clean = redactor.text(text);
    expect(clean).toContain("[redacted]");
    expect(clean).not.toContain("p4ss");
    expect(clean).not.toContain(Buffer.from(key).toString("base64").slice(0, 20));
  });

  it.each(["base64", "base64url"] as const)("is taken out in %s, wherever it begins in the text", (form) => {
    for (const before of ["", "x", "xy", "xyz", "TOKEN="]) {
      const text = Buffer.from(`${before}${key}\n`).toString(form);
      const clean = redactor.text(text);
      expect(clean).toContain("[redacted]");
      expect(clean.length).toBeLessThan(16 + "[redacted]".length);
    }
  });

  it("is taken out in hexadecimal digits", () => {
    const hex = Buffer.from(`a ${key}`).toString("hex");
    expect(redactor.text(hex)).toBe("6120[redacted]");
    expect(redactor.text(hex.toUpperCase())).toBe("6120[redacted]");
  });

  it("is taken out of data, keys of objects included", () => {
    expect(redactor.data({ a: [key], [key]: 1, n: null })).toEqual({
      a: ["[redacted]"],
      "[redacted]": 1,
      n: null,
    });
  });

  it("leaves nothing of itself wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.stringMatching(/^[\w/+=-]{8,40}$/),
        (before, after, secret) => {
          const clean = createRedactor([secret]).text(`${before}${secret}${after}`);
          expect(clean.includes(secret) && !"[redacted]".includes(secret)).toBe(false);
        },
      ),
    );
  });

  it("is what a variable with such a name holds", () => {
    const environment = {
      OPENAI_API_KEY: "one-secret ",
      GITHUB_TOKEN: "two",
      DB_PASSWORD: "three",
      MONKEY: "four",
      PATH: "/bin",
      PWD: "/home",
      OLDPWD: "/home",
      COMPASS: "north",
      PGPASSWORD: "five",
      MYSQL_PWD: "six",
      GITHUB_PAT: "seven",
      DB_PASS: "eight",
      npm_config__authToken: "nine",
      API_KEYS: "ten",
      GPG_PASSPHRASE: "eleven",
    };
    expect(secretsOf(environment)).toEqual([
      "one-secret",
      "two",
      "three",
      "five",
      "six",
      "seven",
      "eight",
      "nine",
      "ten",
      "eleven",
    ]);
  });

  it("is no short word, which would tear holes into texts", () => {
    expect(createRedactor(["test"]).text("a test of tests")).toBe("a test of tests");
  });
});

describe("a secret that is not known", () => {
  it.each([
    `sk-ant-api03-${"aB3_".repeat(8)}`,
    `sk-proj-${"aB3_".repeat(8)}`,
    `AIza${"aB3-".repeat(9)}`,
    `ghp_${"aB3d".repeat(9)}`,
    "AKIAIOSFODNN7EXAMPLE",
    `hf_${"aB3d".repeat(8)}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${"aB3d".repeat(8)}`,
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
  ])("is told by its form: %s", (secret) => {
    expect(redactor.text(`before ${secret} after`)).toBe("before [redacted] after");
  });

  it.each([
    ["Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [redacted]"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [redacted]"}'],
    ["x-api-key: abcdefgh1234", "x-api-key: [redacted]"],
    ["git clone https://me:hunter22@host/r.git", "git clone https://me:[redacted]@host/r.git"],
    ["https://me:pass1@a.example.org.host/", "https://me:[redacted]@a.example.org.host/"],
  ])("is told by where it stands: %s", (text, clean) => {
    expect(redactor.text(text)).toBe(clean);
    expect(redactor.text(clean)).toBe(clean);
  });

  it.each([
    "const risk-averse = task-12345; // sk-short",
    "see https://host:8080/path?a=b@c and user@host",
    "the authorization of users; bearer of news",
    "def authorization(token): return token",
    "Authorization: none",
    "http://user:pass@host/ and http://me:p%23s@proxy.example.com:80, redis://:hunter22@127.0.0.1, ws://a:b@localhost:1",
  ])("is not seen in plain text: %s", (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it.each(["authorization:  ", "bearer  ", "http://:", "sk-", "eyJ", "-----BEGIN A", " "])(
    "is looked for in hostile texts too, in time that grows with their length: %j",
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(redactor.text(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});

it("the user's keys alone are taken out of what must stay what it is, and no word that is one by chance", () => {
  const own = createRedactor(["a-key-of-mine-77", "postgres"]);
  const patch = "+  connect('postgres', 'a-key-of-mine-77', 'sk-of-a-fixture-0123456789abcdef')";
  expect(own.known(patch)).toBe("+  connect('postgres', '[redacted]', 'sk-of-a-fixture-0123456789abcdef')");
  expect(own.text(patch)).toBe("+  connect('[redacted]', '[redacted]', '[redacted]')");
});
