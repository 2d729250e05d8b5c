const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:\n]|[^\s"{}[\],:]+/g;

/** The line of each member of a JSON text, by its path with dots; a list counts as one value. */
export function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  /** The names that lead to the place that is read; the last one is of the object that is open. */
  const names: string[] = [];
  /** Of each object or list that is open, whether it is an object. */
  const open: boolean[] = [];
  let line = 1;
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "\n") line += 1;
    else if (token === "{" || token === "[") {
      open.push(token === "{");
      names.push("");
    } else if (token === "}" || token === "]") {
      open.pop();
      names.pop();
    } else if (token === ":") {
      names[names.length - 1] = JSON.parse(last) as string;
      if (open.every(Boolean)) lines.set(names.join("."), line);
    } else last = token;
  }
  return lines;
}
