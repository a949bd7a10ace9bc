/**
 * Renders a trace as one self-contained HTML file. The page can fold calls, search, and show failures. It contains
 * values as data, never as markup.
 */

import type { Trace } from "../trace-file.ts";
import { makePageData } from "./page-data.ts";
import { pageScript, pageStyle } from "./page-parts.ts";

export function renderPage(trace: Trace): string {
  // The data never contains a raw `<`, so nothing in it can end the element.
  const data = JSON.stringify(makePageData(trace)).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Trace</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1 id="command"></h1>
<p id="end"></p>
<input id="search" type="search" placeholder="function, value or result" aria-label="Search">
<label><input id="failed" type="checkbox"> failures only</label>
<span id="count" role="status"></span>
</header>
<main id="calls"></main>
<script type="application/json" id="data">${data}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}
