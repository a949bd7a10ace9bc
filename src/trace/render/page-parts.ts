/**
 * The style and the script of a trace's page. The script writes only text nodes. It draws a call's children when the
 * user opens the call.
 */

export const pageStyle = `
:root { color-scheme: light dark; font: 14px/1.5 ui-monospace, monospace; }
body { margin: 0; }
header { position: sticky; top: 0; padding: 0.5rem 1rem; background: Canvas; border-bottom: 1px solid GrayText; }
h1 { font-size: 1rem; margin: 0; }
p { margin: 0 0 0.4rem; color: GrayText; }
#search { width: 24rem; max-width: 60vw; font: inherit; }
main { padding: 0.5rem 1rem; overflow-wrap: anywhere; }
details, .leaf { margin-left: 1.2rem; }
.leaf { padding-left: 0.9rem; }
summary { cursor: pointer; }
.failed > summary .end, .failed > .end { color: #c0302c; }
.place, .note { color: GrayText; }
.name { font-weight: bold; }
.more { margin-left: 2rem; font: inherit; }
`;

export const pageScript = `
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("calls");
const search = document.getElementById("search");
const failed = document.getElementById("failed");
const count = document.getElementById("count");
const page = 200;
const make = (tag, kind, text) => {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  return element;
};
const time = (t) => t === undefined ? "" : t < 1e3 ? t + " ns" : t < 1e6 ? Math.round(t / 1e3) + " µs" : (t / 1e6).toFixed(1) + " ms";
const argumentsOf = (call) => call.a ? call.a.map(([name, value]) => name + " = " + value).join(", ") : "…";
const fill = (element, call) => {
  const f = data.functions[call.f];
  if (call.n) element.append(make("span", "note", "⇢ " + call.n + ": "));
  element.append(make("span", "name", f.name), "(" + argumentsOf(call) + ") ", make("span", "end", call.e));
  element.append(make("span", "place", "  [" + [f.place, time(call.t), "#" + call.h].filter(Boolean).join(", ") + "]"));
};
const drawList = (parent, calls, from) => {
  for (const call of calls.slice(from, from + page)) parent.append(drawCall(call));
  if (calls.length <= from + page) return;
  const more = make("button", "more", (calls.length - from - page) + " more");
  more.onclick = () => { more.remove(); drawList(parent, calls, from + page); };
  parent.append(more);
};
const drawCall = (call) => {
  const kind = call.x ? " failed" : "";
  if (!call.c) {
    const leaf = make("div", "leaf" + kind);
    fill(leaf, call);
    return leaf;
  }
  const details = make("details", kind.trim());
  const summary = make("summary");
  fill(summary, call);
  details.append(summary);
  details.addEventListener("toggle", () => { if (details.childElementCount === 1) drawList(details, call.c, 0); });
  return details;
};
const textOf = (call) => (data.functions[call.f].name + " " + argumentsOf(call) + " " + call.e + " " + (call.s || "")).toLowerCase();
const collect = (calls, fits, found) => {
  for (const call of calls) {
    if (fits(call)) found.push(call);
    if (call.c) collect(call.c, fits, found);
  }
  return found;
};
const draw = () => {
  main.replaceChildren();
  const words = search.value.toLowerCase().trim();
  const fits = (call) => (!failed.checked || call.x) && (words === "" || textOf(call).includes(words));
  const all = words === "" && !failed.checked;
  let total = 0;
  for (const process of data.processes) {
    const calls = all ? process.calls : collect(process.calls, fits, []);
    total += calls.length;
    const section = make("details");
    section.open = true;
    section.append(make("summary", "", process.title + (process.cut ? ", " + process.cut + " not recorded" : "")));
    let test;
    let group = [];
    const flush = () => {
      if (test && group.length) section.append(make("div", "note", "test " + test));
      drawList(section, group, 0);
      group = [];
    };
    for (const call of calls) {
      if (call.s !== test) { flush(); test = call.s; }
      group.push(call);
    }
    flush();
    main.append(section);
  }
  count.textContent = (all ? "" : total + " calls fit") + (data.hidden ? " (" + data.hidden + " calls have no room here)" : "");
};
document.getElementById("command").textContent = data.command;
document.getElementById("end").textContent = data.end;
document.title = "Trace of " + data.command;
let waiting;
search.oninput = () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); };
failed.onchange = draw;
draw();
`;
