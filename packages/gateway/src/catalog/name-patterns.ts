/** Checks whether a text matches a pattern, in which `*` matches any text. */
export function matches(pattern: string, text: string): boolean {
  const [head = "", ...pieces] = pattern.split("*");
  const tail = pieces.pop();
  if (tail === undefined) return pattern === text;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/** The number of literal characters in a pattern. Of several matching patterns, the one with the most wins. */
export const exactness = (pattern: string): number => pattern.replaceAll("*", "").length;

export const isPattern = (text: string): boolean => text.includes("*");
