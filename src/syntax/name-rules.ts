/** A language's rules for resolving names. */

export interface NameRules {
  /** Names of the enclosing object or type, as receivers. */
  readonly self?: ReadonlySet<string>;
  readonly parent?: ReadonlySet<string>;
  /** True if an unqualified name may be a member of the enclosing type. */
  readonly bareMembers?: boolean;
  /** True if importers also see the contents of a file's namespaces. */
  readonly openModules?: boolean;
  /** True if other files can import a file's imports from it. */
  readonly importsAreExports?: boolean;
  /** True if code can call a function of another file without an import, because the linker finds it. */
  readonly linked?: boolean;
  /**
   * The possible places of an unqualified name that is not in scope. In languages with strict imports, such a name is
   * built in.
   */
  readonly elsewhere?: "anything" | "macros" | "nothing" | "in-scripts";
  /**
   * True if members of a foreign type need the type's name before them. In Rust's `impl Round for i64`, an unqualified
   * `Err` is not `i64::Err`.
   */
  readonly membersNeedType?: boolean;
  /** True if a file is a table with the members of its returned value, as in Lua. */
  readonly returnsTable?: boolean;
  /** True if headers declare names that other files define. */
  readonly hasHeaders?: boolean;
}
