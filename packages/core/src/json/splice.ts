import type { Json } from "./json.ts";
import { skipSpace, stringEnd, valueEnd } from "./scan.ts";

/** Members to set at the top level of a JSON object; `undefined` takes the member out. */
export type Edits = Record<string, Json | undefined>;

/** A member in the text: offsets of its name, of its value and of what follows it. */
interface Member {
  name: string;
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
  const open = text.indexOf("{") + 1;
  const members = membersOf(text, open);
  const missing = new Set(Object.keys(edits).filter((name) => edits[name] !== undefined));
  let out = text.slice(0, members[0]?.start ?? open);
  let behind = open;
  let empty = true;
  for (const member of members) {
    const edited = Object.hasOwn(edits, member.name);
    const value = edited ? edits[member.name] : undefined;
    if (!edited || value !== undefined) {
      // A member includes the comma before it, so that removing one leaves no stray comma.
      if (!empty) out += text.slice(behind, member.start);
      out += edited
        ? text.slice(member.start, member.value) + JSON.stringify(value)
        : text.slice(member.start, member.end);
      empty = false;
    }
    missing.delete(member.name);
    behind = member.end;
  }
  for (const name of missing) {
    out += `${empty ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(edits[name])}`;
    empty = false;
  }
  return out + text.slice(behind);
}

/** The JSON text of a top-level member, as it stands: of the last where there are several, as parsers read it. */
export function memberText(text: string, name: string): string | undefined {
  const member = membersOf(text, text.indexOf("{") + 1).findLast((one) => one.name === name);
  return member && text.slice(member.value, member.end);
}

function membersOf(text: string, from: number): Member[] {
  const members: Member[] = [];
  let start = skipSpace(text, from);
  while (text[start] === '"') {
    const nameEnd = stringEnd(text, start);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = valueEnd(text, value);
    members.push({ name: nameAt(text, start, nameEnd), start, value, end });
    const comma = skipSpace(text, end);
    if (text[comma] !== ",") break;
    start = skipSpace(text, comma + 1);
  }
  return members;
}

/** The name of a member, which is written between two offsets. Hardly any has an escape. */
function nameAt(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : name;
}

/**
 * Replaces the string at a path of members by `written`, which is JSON text. A text without a string there is returned
 * unchanged. Nothing is parsed, so the text may be anything.
 */
export function replaceString(text: string, path: readonly string[], written: string): string {
  let at = skipSpace(text, 0);
  for (const name of path) {
    const value = text[at] === "{" ? valueAt(text, at + 1, JSON.stringify(name)) : undefined;
    if (value === undefined) return text;
    at = value;
  }
  return text[at] === '"' ? text.slice(0, at) + written + text.slice(stringEnd(text, at)) : text;
}

/** The offset of the value of the member with this written name. */
function valueAt(text: string, from: number, written: string): number | undefined {
  let start = skipSpace(text, from);
  while (text[start] === '"') {
    const nameEnd = stringEnd(text, start);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (text.slice(start, nameEnd) === written) return value;
    const comma = skipSpace(text, valueEnd(text, value));
    if (text[comma] !== ",") return undefined;
    start = skipSpace(text, comma + 1);
  }
  return undefined;
}
