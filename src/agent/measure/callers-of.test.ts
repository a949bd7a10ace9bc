import { expect, test } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { callersOf } from "./callers-of.ts";

test("names who leads to a function, through others too, without tests; and nobody where everything does", async () => {
  const many = Array.from({ length: 60 }, (_, index) => `def use_${index}():\n    return shared()\n`);
  const files = {
    "shop.py": `def settle_all():\n    return shared()\n\n\ndef close():\n    return settle_all()\n\n\ndef report():\n    return close()\n\n\ndef other():\n    return 1\n\n\ndef shared():\n    return 2\n\n\n${many.join("\n\n")}`,
    "test_shop.py": "from shop import report\n\n\ndef test_report():\n    assert report() == 2\n",
  };
  const graph = makePlayground(files).open();
  await graph.refresh();
  expect([...callersOf(graph, "settle_all")].sort()).toEqual(["close", "report"]);
  expect(callersOf(graph, "shared").size).toBe(0);
  expect(callersOf(graph, "other").size).toBe(0);
});
