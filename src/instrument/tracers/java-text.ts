/** Inserts calls of `runtime/java-trace` into the functions of a Java file, on unchanged lines. */
import { hashText } from "../../base/hash.ts";
import { type SyntaxNode, walk } from "../../syntax/node.ts";
import { type Insertion, insertAll } from "../text-insertions.ts";
import type { TracedFunction } from "../tracer.ts";
import type { JavaFile, JavaFunction } from "./java-functions.ts";

export interface ChosenFunction {
  readonly id: number;
  readonly of: JavaFunction;
  readonly level: TracedFunction["level"];
}

/** Inserts calls of the runtime; undefined if there is nothing to insert. */
export function insertJavaCalls(file: JavaFile, functions: readonly ChosenFunction[]): string | undefined {
  const chosen = functions.filter(({ level, of }) => level !== "none" && of.body !== undefined);
  if (chosen.length === 0) return undefined;
  const helper = `mw_${hashText(file.path).slice(0, 8)}`;
  const last = file.tree.root.children.findLast((child) => !child.kind.endsWith("comment"));
  const at = last?.end ?? file.tree.text.length;
  return insertAll(file.tree.text, [
    ...chosen.flatMap((each) => insertionsOf(each, helper)),
    { at, text: helperClass(helper), side: "open", order: 2 },
  ]);
}

/**
 * Returns the names of the parameters whose values are recorded when the call begins. Empty if the level records no
 * values.
 */
export function recordedNames({ of, level }: Pick<ChosenFunction, "of" | "level">): readonly string[] {
  return level === "values" ? of.parameters : [];
}

function insertionsOf({ id, of, level }: ChosenFunction, helper: string): Insertion[] {
  const { body } = of;
  if (body === undefined) return [];
  const names = recordedNames({ of, level });
  const told = names.length === 0 ? "" : `if(mw_t!=null)${helper}.go(mw_t,new Object[]{${names.join(",")}});`;
  const made = of.makes && level !== "calls" ? ",this" : "";
  const begin = `Object mw_t=${helper}.in(${id});${told}try{`;
  const end = `}catch(Throwable mw_e){throw ${helper}.<RuntimeException>out(${id},mw_t,mw_e);}finally{${helper}.end(mw_t${made});}`;
  // A call of another constructor must come first.
  const other = body.children.find(({ kind }) => kind === "explicit_constructor_invocation");
  const at = other?.end ?? body.start + 1;
  if (at === body.end - 1) return [{ at, text: begin + end, side: "open", order: 0 }];
  return [
    { at, text: begin, side: "open", order: 0 },
    ...(level === "calls" || of.returned === undefined ? [] : returnsOf(body, of.returned, helper)),
    { at: body.end - 1, text: end, side: "close", order: 0 },
  ];
}

/** Code outside the function itself: `return` there leaves something else. */
const apart =
  /^(?:lambda_expression|class_body|enum_body|interface_body|annotation_type_body|record_declaration)$/;

/**
 * Assigns each returned value to a variable of the declared type, because Java types an initialiser like a returned
 * value. The keyword `return` becomes a comment.
 */
function returnsOf(body: SyntaxNode, type: string, helper: string): Insertion[] {
  const found: Insertion[] = [];
  for (const node of walk(body, ({ kind }) => !apart.test(kind))) {
    const word = node.kind === "return_statement" ? node.children[0] : undefined;
    if (word === undefined || !node.children.some(({ named, kind }) => named && !/comment$/.test(kind)))
      continue;
    const shown = `if(mw_t!=null)${helper}.ret(mw_t,mw_r);return mw_r;}`;
    found.push({ at: node.start, text: `{final ${type} mw_r=/*`, side: "open", order: 1 });
    found.push({ at: word.end, text: "*/", side: "close", order: 1 });
    found.push({ at: node.end, text: shown, side: "close", order: 1 });
  }
  return found;
}

/**
 * Returns the class inserted into a file. The class knows our runtime only as a list (`Recorder.java` documents the
 * calls). It loads the runtime separately from all class paths, modules and JVM options. All such classes find the same
 * runtime through a thread group. The class uses only features older than Java 8.
 */
function helperClass(name: string): string {
  const safely = (text: string): string => `try{${text}}catch(Throwable e){}`;
  const list = "((java.util.List<Object>)t)";
  return [
    `@SuppressWarnings({"unchecked","rawtypes","cast"}) final class ${name}{`,
    "private static final java.util.List<Object> all=find();",
    "static Object in(int f){try{return all==null?null:all.get(f);}catch(Throwable e){return null;}}",
    `static void go(Object t,Object[] a){${safely(`${list}.add(0,a);`)}}`,
    `static void ret(Object t,Object v){${safely(`${list}.add(1,v);`)}}`,
    "static<E extends Throwable>RuntimeException out(int f,Object t,Throwable x)throws E{",
    `${safely(`if(t!=null)${list}.add(2,x);else if(all!=null)all.add(f,x);`)}throw(E)x;}`,
    `static void end(Object t){if(t!=null)${safely(`${list}.add(3,null);`)}}`,
    `static void end(Object t,Object v){if(t!=null)${safely(`${list}.add(4,v);`)}}`,
    "private static java.util.List<Object> find(){java.util.List<Object> l=load();",
    `if(l!=null)${safely("l.set(0,java.lang.invoke.MethodHandles.lookup());")}return l;}`,
    'private static java.util.List<Object> load(){try{String p=System.getenv("MILLWRIGHT_TRACE_JAVA");',
    'if(p==null||System.getenv("MILLWRIGHT_TRACE_DIR")==null)return null;',
    "ThreadGroup g=Thread.currentThread().getThreadGroup();while(g.getParent()!=null)g=g.getParent();",
    "synchronized(java.net.URLClassLoader.class){ThreadGroup[]s=new ThreadGroup[g.activeGroupCount()+9];",
    'int n=g.enumerate(s,false);for(int i=0;i<n;i++)if("millwright-trace".equals(s[i].getName()))',
    "return(java.util.List<Object>)((java.util.concurrent.Callable<?>)s[i]).call();",
    'java.net.URL[]u={new java.io.File(p,"classes").toURI().toURL()};',
    'return(java.util.List<Object>)new java.net.URLClassLoader(u,null).loadClass("millwright.Recorder")',
    '.getMethod("start",ThreadGroup.class).invoke(null,g);}}catch(Throwable e){return null;}}}',
  ].join("");
}
