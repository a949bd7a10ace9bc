import { describe, expect, it } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { buildFileForm } from "../forms/file-form.ts";
import { decodeForm, encodeForm } from "../forms/form-codec.ts";
import { findPlaces } from "./find.ts";
import { keepSearcher, openSearcher } from "./open-searcher.ts";

it("keeps forms as bytes that are read back alike; other bytes are no form", () => {
  for (const text of ["", "x = 1", "größe = '中文' # \u{1f600}", "\0\ufffd\ud800", "a ".repeat(300)]) {
    const form = buildFileForm("a.py", text, []);
    expect(decodeForm(encodeForm(form))).toEqual(form);
  }
  for (const bytes of [
    new Uint8Array(),
    new Uint8Array(11),
    encodeForm(buildFileForm("a.py", "x = 1", [])).slice(1),
  ])
    expect(decodeForm(bytes)).toBeUndefined();
});

describe("the forms beside an index", () => {
  const first = { "a.py": "def red():\n    return 1\n", "b.py": "def blue():\n    return 2\n" };

  it("are written with it, and follow its changes", async () => {
    const playground = makePlayground(first);
    const graph = playground.open();
    await graph.refresh();
    expect(graph.store.prepare("SELECT count(*) AS n FROM forms").get()?.n).toBe(2);
    playground.write({ "b.py": "def violet():\n    return 33\n" });
    await graph.refresh();
    const searcher = openSearcher({ graph, repository: playground.repository });
    const [best] = findPlaces(searcher, "violet is wrong").pieces;
    expect(searcher.index.piece(best?.piece ?? -1).name).toBe("violet");
    expect(searcher.index.files.length).toBe(2);
  });

  it("have their definitions also where a content comes back", async () => {
    const playground = makePlayground(first);
    const graph = playground.open();
    await graph.refresh();
    const kept = () => graph.store.prepare("SELECT path, form FROM files JOIN forms ON file = id").all();
    const before = kept();
    playground.write({ "b.py": "" });
    await graph.refresh();
    expect(kept()).not.toEqual(before);
    playground.write(first);
    await graph.refresh();
    expect(kept()).toEqual(before);
  });

  it("are read again only after a change, by one who asks often", async () => {
    const playground = makePlayground(first);
    const graph = playground.open();
    await graph.refresh();
    const searcher = keepSearcher({ graph, repository: playground.repository });
    const before = searcher();
    expect(searcher()).toBe(before);
    playground.write({ "a.py": "def orange():\n    return 44\n" });
    await graph.update("a.py");
    expect(searcher()).not.toBe(before);
    expect(searcher().index.files[findPlaces(searcher(), "orange").files[0]?.file ?? -1]?.path).toBe("a.py");
    const other = playground.open();
    playground.write({ "c.py": "def green():\n    return 3\n" });
    await other.refresh();
    expect(searcher().index.files.length).toBe(3);
  });
});
