import { expect, test } from "vitest";
import { checkTarget, findTarget } from "./target.ts";

const texts: Readonly<Record<string, string>> = {
  "shop/cart.py":
    "class Cart:\n    @property\n    def total(self):\n        return 1\n\n    @total.setter\n    def total(self, value):\n        pass\n\ndef total():\n    return 2\n",
  "stock.go": "package stock\n\ntype Shelf struct{}\n\nfunc (s *Shelf) Take() int {\n\treturn 1\n}\n",
};
const read = async (path: string): Promise<string | undefined> => texts[path];

test("a target is found by as many of its names as are given", async () => {
  const spans = async (target: string) => {
    const found = await findTarget(target, read);
    return found.ok ? found.value.spans.map(({ startLine, endLine }) => [startLine, endLine]) : found.message;
  };
  expect(await spans("shop/cart.py:Cart.total")).toEqual([
    [2, 4],
    [6, 8],
  ]);
  expect(await spans("./shop/cart.py::Cart::total")).toHaveLength(2);
  expect(await spans("stock.go:Shelf.Take")).toEqual([[5, 7]]);
  expect(await spans("stock.go:Put")).toBe("stock.go has no Put: its functions include Shelf.Take");
  expect(await spans("shop/none.py:total")).toBe("There is no file shop/none.py");
  expect(await spans("total")).toContain("FILE:SYMBOL");
});

test("what a kind needs is asked for: a target, a statement", async () => {
  const statement = "";
  await checkTarget({ kind: "repair", statement }, read);
  await checkTarget({ kind: "test-generation", target: "stock.go:Take", statement }, read);
  await expect(checkTarget({ kind: "code-generation", statement }, read)).rejects.toThrow(
    "No target is given",
  );
  await expect(checkTarget({ kind: "feature", statement }, read)).rejects.toThrow("needs a statement");
});
