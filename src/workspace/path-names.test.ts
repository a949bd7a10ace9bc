import { expect, test } from "vitest";
import { namePaths } from "./path-names.ts";

const run = "/var/lib/é/runs/1/checkouts/1";
const names = namePaths("/home/me/app", [
  { real: `${run}/tree/app`, name: "/home/me/app" },
  { real: `${run}/tree`, name: "/home/me", isShownOnly: true },
  { real: `${run}/scratch`, name: "/.millwright/scratch" },
]);

test.each([
  [`${run}/tree/app/a.py:1, in ${run}/tree/app.`, "/home/me/app/a.py:1, in /home/me/app."],
  [`${run}/tree`, "/home/me"],
  [`file://${encodeURI(run)}/tree/app/a.ts`, "file:///home/me/app/a.ts"],
  ['"/var/lib/\\u00e9/runs/1/checkouts/1/tree/app"', '"/home/me/app"'],
  [`${run}/scratch/report-0123456789ab/x.jsonl`, "/.millwright/scratch/report/x.jsonl"],
  ["/home/me/app", "/home/me/app"],
])("%s is shown as %s", (real, shown) => {
  expect(names.show(real)).toBe(shown);
  expect(names.showBytes(Buffer.from(real)).toString()).toBe(shown);
});

test.each([
  ["cat /home/me/app/a.py", `cat ${run}/tree/app/a.py`],
  ["cd '/home/me/app' && ls", `cd '${run}/tree/app' && ls`],
  ["cc -I/home/me/app/include --root=/home/me/app.", `cc -I${run}/tree/app/include --root=${run}/tree/app.`],
  ["PATH=/bin:/home/me/app/bin:x", `PATH=/bin:${run}/tree/app/bin:x`],
  ["rm /.millwright/scratch/tmp/x", `rm ${run}/scratch/tmp/x`],
  ["/home/me/app2 /home/me/app-old /home/me/app.git /mnt/home/me/app ~/home/me/app", undefined],
  ["/home/me/other", undefined],
  [`${run}/tree/app/a.py`, undefined],
])("%s means %s", (text, meant = text) => {
  expect(names.meant(text)).toBe(meant);
  expect(names.meantBytes(Buffer.from(text)).toString()).toBe(meant);
});

test("binary files stay as they are", () => {
  const content = Buffer.from(`\0 /home/me/app ${run}/tree/app`);
  expect(names.meantBytes(content)).toBe(content);
  expect(names.showBytes(content)).toBe(content);
});

test("where the sandbox shows the repository at its own path nothing is mapped but the folders of single runs", () => {
  const same = namePaths("/home/me/app", [{ real: "/home/me/app", name: "/home/me/app" }]);
  expect(same.meant("cat /home/me/app/a")).toBe("cat /home/me/app/a");
  expect(same.show("/home/me/app /.millwright/scratch/report-0123456789ab")).toBe(
    "/home/me/app /.millwright/scratch/report",
  );
});
