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
  read(lines) {
    return [];
  }
}
`;
const judge = async (to: string, rest?: string): Promise<string[]> =>
  (await judgeChange("a.js", base(rest), base(rest).replace("return [];", to))).map(({ text }) => text);

test.each(["return lines.map(this.parse);", "const { parse } = this;\n    return lines.map(parse);"])(
  "a method without its object loses `this`: %s",
  async (to) => {
    expect(await judge(to)).toEqual([expect.stringContaining("takes the method `parse` without its object")]);
  },
);

test.each<[to: string, rest?: string]>([
  ["return lines.map((line) => this.parse(line));"],
  ["return lines.map(this.parse, this);"],
  ["return lines.map(this.parse.bind(this));"],
  ["return lines.map(this.trim);"],
  ["const { sign } = this;\n    return lines.map((line) => line + sign);"],
  ["return lines.map(this.parse);", "\n    this.parse = this.parse.bind(this);"],
])("a method keeps `this`, or needs none: %s", async (to, rest) => {
  expect(await judge(to, rest)).toEqual([]);
});
