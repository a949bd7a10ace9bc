import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const base = (rest = "") => `export class Reader {
  constructor(sign) {
    this.sign = sign;${rest}
  }
  parse(line) {
    return line.split(this.sign);
  }
  trim(line) {
    return line.trim();
  }
  later(line) {
    return function () {
      return this.sign + line;
    };
  }
  read(lines) {
    return [];
  }
}
`;
const judge = async (to: string, rest?: string): Promise<string[]> =>
  (await judgeChange("a.js", base(rest), base(rest).replace("return [];", to))).map(({ text }) => text);

test.each<[to: string, rest?: string]>([
  ["return lines.map(this.parse);"],
  ["return lines.map(this.parse);", "\n    this.trim = this.trim.bind(this);"],
  ["const { parse } = this;\n    return lines.map(parse);"],
  ["setTimeout(this.parse, 10);\n    return [];"],
])("a method without its object loses `this`: %s", async (to, rest) => {
  expect(await judge(to, rest)).toEqual([
    expect.stringContaining("takes the method `parse` without its object"),
  ]);
});

test.each<[to: string, rest?: string]>([
  ["return lines.map((line) => this.parse(line));"],
  ["return lines.map(this.parse, this);"],
  ["return lines.map(this.parse.bind(this));"],
  ["return lines.map(this.trim);"],
  ["const { sign } = this;\n    return lines.map((line) => line + sign);"],
  ["return lines.map(this.later);"],
  ["const context = this;\n    return lines.map(this.parse, context);"],
  ["return this.map(this.parse);"],
  ["const { parse } = this;\n    return parse.call(this, lines);"],
  ["const { parse } = this;\n    return parse.apply(this, lines);"],
  ["return lines.map(this.parse);", "\n    this.parse = this.parse.bind(this);"],
  ["return lines.map(this.parse);", "\n    this.parse = bind(this.parse, this);"],
  ["return lines.map(this.parse);", '\n    bindMethods(this, ["parse"]);'],
  [
    "return lines.map(this.parse);",
    '\n    for (const name of ["parse"]) this[name] = this[name].bind(this);',
  ],
])("a method keeps `this`, or needs none: %s", async (to, rest) => {
  expect(await judge(to, rest)).toEqual([]);
});
