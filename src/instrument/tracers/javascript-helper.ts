/** The one function added to each instrumented file: it finds the runtime in the realm that loads the file. */
import type { SyntaxNode } from "../../syntax/node.ts";
import { endOf } from "../javascript-statements.ts";
import type { Insertion } from "../text-insertions.ts";

/**
 * Places the helper at the end of the file, so that code that must come first stays first. JavaScript hoists the
 * helper: instrumented functions can use it before the file's first line has run, as in an import cycle. It uses old
 * syntax, and nothing that a bundler takes for an import. Without Millwright's runtime, it records nothing. If a realm
 * has only a copy of `process`, the helper finds the original through a function of this copy.
 */
export function placeHelper(root: SyntaxNode, name: string, typescript: boolean): Insertion {
  const last = root.children.findLast((child) => child.kind !== "comment");
  const text = `;${helperText(name, typescript)}`;
  return { at: last ? endOf(last) : root.end, text, side: "close", order: -1 };
}

function helperText(name: string, typescript: boolean): string {
  const any = (one: string): string => (typescript ? `${one}:any` : `/** @type {any} */${one}`);
  const optional = (one: string): string => (typescript ? `,${one}?:any` : `,/** @type {any=} */${one}`);
  const realm = typescript
    ? `typeof globalThis=="object"?globalThis as any:{}`
    : `typeof globalThis=="object"?globalThis:global`;
  return [
    `var ${any(`${name}f`)};function ${name}(${any("i")}${optional("a")}${optional("b")}){if(!${name}f){`,
    `var ${any("g")}=${realm},${any("p")}=g.process,${any("s")}=p&&p.__millwrightTrace,${any("e")}=p&&p.env||{};`,
    `if(!s&&e.MILLWRIGHT_TRACE_DIR)try{`,
    `var ${any("h")}=p.cwd.constructor("return process")(),${any("t")}=e.MILLWRIGHT_TRACE_RUNTIME;`,
    `s=h.__millwrightTrace||(h.mainModule?h.mainModule.require(t):h.getBuiltinModule("module").createRequire(t)(t))`,
    `}catch(_){}`,
    `var ${any("I")}=function(${any("v")}){return v},n={r:I,w:I,y:I,l:I,k:I,t:I,o:I};`,
    `${name}f=s?s(g):function(){return n}}return ${name}f(i,a,b)}`,
  ].join("");
}
