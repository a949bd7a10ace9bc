import { expect, test } from "vitest";
import { judgeChange } from "../../../../tests/judge-change.ts";

const statement =
  "`words` lists a word as often as it is in the text; each word must come once, in the order in which they appear first";
const cases = {
  "a.go": {
    before: "package a\n\nfunc words(text string) []string {\n\treturn strings.Fields(text)\n}\n",
    old: "\treturn strings.Fields(text)\n",
    wrong:
      "\tseen := map[string]bool{}\n\tfor _, word := range strings.Fields(text) {\n\t\tseen[word] = true\n\t}\n\tvar out []string\n\tfor word := range seen {\n\t\tout = append(out, word)\n\t}\n\treturn out\n",
    right:
      "\tseen := map[string]bool{}\n\tvar out []string\n\tfor _, word := range strings.Fields(text) {\n\t\tif !seen[word] {\n\t\t\tseen[word] = true\n\t\t\tout = append(out, word)\n\t\t}\n\t}\n\treturn out\n",
  },
  "a.rs": {
    before:
      "pub fn words(text: &str) -> Vec<String> {\n    text.split_whitespace().map(str::to_string).collect()\n}\n",
    old: "    text.split_whitespace().map(str::to_string).collect()\n",
    wrong:
      "    let found: std::collections::HashSet<&str> = text.split_whitespace().collect();\n    found.into_iter().map(str::to_string).collect()\n",
    right:
      "    let mut seen = std::collections::HashSet::new();\n    text.split_whitespace().filter(|word| seen.insert(*word)).map(str::to_string).collect()\n",
  },
  "a.py": {
    before: "def words(text):\n    return text.split()\n",
    old: "    return text.split()\n",
    wrong: "    return list(set(text.split()))\n",
    right: "    return list(dict.fromkeys(text.split()))\n",
  },
  "A.java": {
    before:
      "class A {\n    List<String> words(String text) {\n        return List.of(text.split(WORDS));\n    }\n}\n",
    old: "return List.of(text.split(WORDS));",
    wrong: "return new ArrayList<>(new HashSet<>(List.of(text.split(WORDS))));",
    right: "return new ArrayList<>(new LinkedHashSet<>(List.of(text.split(WORDS))));",
  },
};

test.each(Object.entries(cases))("a demanded order that a container loses: %s", async (path, each) => {
  const { before, old, wrong, right } = each;
  const judge = async (to: string, said = statement) =>
    (await judgeChange(path, before, before.replace(old, to), said)).map(({ text }) => text);
  expect(await judge(wrong)).toEqual([expect.stringContaining("in a random order")]);
  expect(await judge(right)).toEqual([]);
  expect(await judge(wrong, "`words` must list each word once")).toEqual([]);
});

test("a container that only answers, and one that is sorted", async () => {
  const { before, old } = cases["a.py"];
  const judge = (to: string) => judgeChange("a.py", before, before.replace(old, to), statement);
  expect(
    await judge("    known = set(stop)\n    return [word for word in text.split() if word not in known]\n"),
  ).toEqual([]);
  expect(
    await judge("    known = set(stop)\n    return [word for word in words if word not in known]\n"),
  ).toEqual([]);
  expect(await judge("    return sorted(set(text.split()), key=text.index)\n")).toEqual([]);
});
