/** Navigation in JSON text without parsing it. Offsets count UTF-16 units; the text must be valid JSON. */

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** The offset of the next character that is not white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** The offset after the string that opens at `from`. `indexOf` makes a large inline image one jump. */
export function stringEnd(text: string, from: number): number {
  let at = from;
  while (true) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** The offset after the value that begins at `from`. */
export function valueEnd(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (isOpening(code)) {
      depth += 1;
      at += 1;
    } else if (isClosing(code)) {
      depth -= 1;
      at += 1;
    } else if (depth > 0) {
      at += 1;
      continue;
    } else at = wordEnd(text, at);
    if (depth === 0) return at;
  }
  return at;
}

/** Counts the objects and lists around the innermost value. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (isOpening(code)) deepest = Math.max(deepest, ++depth);
    else if (isClosing(code)) depth -= 1;
  }
  return deepest;
}

/** Checks whether text is nested deeper than `levels`, or has more objects, lists and members than `values`. */
export function exceeds(text: string, levels: number, values: number): boolean {
  let depth = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (isOpening(code)) {
      if (++depth > levels || ++count > values) return true;
    } else if (isClosing(code)) depth -= 1;
    else if (code === COLON && ++count > values) return true;
  }
  return false;
}

/**
 * Counts the names of members in the text of an object: at its top, and in the objects that are its members. A parser
 * keeps only one of repeated names.
 */
export function countNames(text: string): { top: number; below: number } {
  const counts = [0, 0, 0];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (depth < 3 && text.charCodeAt(skipSpace(text, end)) === COLON) counts[depth]! += 1;
      at = end - 1;
    } else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) depth -= 1;
  }
  return { top: counts[1] as number, below: counts[2] as number };
}

/** The offset after the number, `true`, `false` or `null` that begins at `from`. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 44 || isClosing(code)) return at;
    at += 1;
  }
  return at;
}

const isOpening = (code: number): boolean => code === 123 || code === 91;
const isClosing = (code: number): boolean => code === 125 || code === 93;
