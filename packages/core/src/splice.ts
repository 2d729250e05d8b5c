import type { Json } from "./json.ts";

/** Members to set at the top level of a JSON object; `undefined` takes the member out. */
export type Edits = Record<string, Json | undefined>;

interface Member {
  name: string;
  /** Offsets of the member, of its value and of what follows it. */
  start: number;
  value: number;
  end: number;
}

/**
 * `text` with top-level members replaced, added or taken out; every byte outside the edits is as it was.
 * Cheaper than parsing and writing again, and faithful: number spelling, key order and white space survive.
 * Every occurrence of a repeated name is edited. `text` must be the JSON text of an object.
 */
export function splice(text: string, edits: Edits): string {
  const open = text.indexOf("{");
  const members = membersOf(text, open + 1);
  const missing = new Set(Object.keys(edits).filter((name) => edits[name] !== undefined));
  let out = "";
  let from = 0;
  let kept = 0;
  for (const member of members) {
    if (!Object.hasOwn(edits, member.name)) {
      kept += 1;
      continue;
    }
    const value = edits[member.name];
    missing.delete(member.name);
    if (value !== undefined) {
      out += text.slice(from, member.value) + JSON.stringify(value);
      from = member.end;
      kept += 1;
      continue;
    }
    const comma = text.indexOf(",", member.end);
    const last = member === members[members.length - 1];
    if (!last) {
      // Up to the next member, so that the comma between them goes too.
      out += text.slice(from, member.start);
      from = comma + 1;
    } else {
      const before = out + text.slice(from, member.start);
      out = kept > 0 ? before.slice(0, before.lastIndexOf(",")) : before;
      from = member.end;
    }
  }
  if (missing.size === 0) return out + text.slice(from);
  const close = text.lastIndexOf("}");
  let added = "";
  for (const name of missing) added += `,${JSON.stringify(name)}:${JSON.stringify(edits[name])}`;
  return out + text.slice(from, close) + (kept > 0 ? added : added.slice(1)) + text.slice(close);
}

function membersOf(text: string, from: number): Member[] {
  const members: Member[] = [];
  let at = from;
  while (true) {
    const start = text.indexOf('"', at);
    if (start < 0) return members;
    const nameEnd = stringEnd(text, start);
    const raw = text.slice(start, nameEnd);
    const name = raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
    const value = skipSpace(text, text.indexOf(":", nameEnd) + 1);
    const end = valueEnd(text, value);
    members.push({ name, start, value, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) return members;
  }
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** After the closing quote of the string that opens at `from`. `indexOf` makes a large inline image one jump. */
function stringEnd(text: string, from: number): number {
  let at = from;
  while (true) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return stringEnd(text, from);
  let at = from;
  if (first !== 123 && first !== 91) {
    while (at < text.length && !isDelimiter(text.charCodeAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return at;
}

const isDelimiter = (code: number): boolean => code === COMMA || code === 125 || code === 93 || code <= 32;
