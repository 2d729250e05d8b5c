import { randomUUID } from "node:crypto";
import { isObject, type Json } from "@manifold/core";

/** From what length on a string is cut out, in characters. */
const LONG = 16 * 1024;
/** Begins what stands for a string while it is out; nobody can have sent it. */
const STAND_IN = `${randomUUID()}:`;

/**
 * The value of a JSON text; throws what `JSON.parse` throws. Strings as long as media are cut out before and put
 * back after: a parser would look at each of their characters, and copy them. What is in them is not looked at, so
 * a control character, which JSON does not allow, is let through there.
 */
export function parseText(text: string): Json {
  if (text.length < LONG) return JSON.parse(text) as Json;
  const { short, strings } = cutOut(text);
  if (strings.length === 0) return JSON.parse(text) as Json;
  try {
    return putBack(JSON.parse(short) as Json, strings);
  } catch {
    // For the error that tells where.
    return JSON.parse(text) as Json;
  }
}

function cutOut(text: string): { short: string; strings: string[] } {
  const strings: string[] = [];
  let short = "";
  let behind = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = closing(text, start);
    if (end < 0) break;
    if (end - start > LONG) {
      const inside = text.slice(start + 1, end);
      // With an escape it is no plain text; before a colon it is a name.
      if (!inside.includes("\\") && !isName(text, end + 1)) {
        short += `${text.slice(behind, start)}"${STAND_IN}${strings.length}"`;
        strings.push(inside);
        behind = end + 1;
      }
    }
    start = text.indexOf('"', end + 1);
  }
  return { short: short + text.slice(behind), strings };
}

function isName(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return text[at] === ":";
}

/** Where the string ends that begins at `start`; -1 where it does not. */
function closing(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

function putBack(node: Json, strings: readonly string[]): Json {
  if (typeof node === "string")
    return node.startsWith(STAND_IN) ? (strings[Number(node.slice(STAND_IN.length))] as string) : node;
  if (Array.isArray(node)) return node.map((item) => putBack(item, strings));
  if (!isObject(node)) return node;
  for (const name of Object.keys(node)) node[name] = putBack(node[name] as Json, strings);
  return node;
}
