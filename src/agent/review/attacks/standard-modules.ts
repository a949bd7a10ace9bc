/** Lists the modules of a language's own library by the first part of their path. Pure. */

export const goLibrary: ReadonlySet<string> = new Set(
  "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak".split(
    " ",
  ),
);
