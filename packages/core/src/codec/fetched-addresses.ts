import { escapePointer } from "../ir/extra.ts";
import { type ParamTable, textFields } from "./params.ts";

/**
 * The places in a wire's requests whose addresses upstream does not fetch. An address anywhere else counts as one
 * that it may fetch, even in members that the codec does not know.
 */
export interface Unfetched {
  /** Members whose text is only read: by name, or with the name of the member around them (`content/url`). */
  texts: ReadonlySet<string>;
  /** Members that belong to a tool or to the user: nothing below them is looked at. */
  data: ReadonlySet<string>;
}

/** Names and prose on every wire. */
const common = ["model", "role", "type", "id", "name", "title", "description", "text", "content"];

/**
 * Lists where a wire's addresses are not fetched, in addition to the names and prose that every wire has. `params` are
 * the wire's parameters, of which none is fetched.
 */
export const defineUnfetched = (
  texts: readonly string[],
  data: readonly string[],
  params: ParamTable = [],
): Unfetched => ({
  texts: new Set([...common, ...textFields(params), ...texts]),
  data: new Set(data),
});

/** An address, and where it stands as a JSON pointer. */
export interface FoundAddress {
  url: string;
  at: string;
}

/** `scheme://`, and the schemes that are read without it. Spaces and control characters may precede it. */
const ADDRESS = /^[^!-~]*(?:(?:https?|ftps?|wss?|file):|[a-z][a-z0-9+.-]{0,30}:[/\\]{2})/i;
/** URL parsers ignore these characters, even in the middle of a scheme. */
const BREAKS = /[\t\n\r]/g;

const isAddress = (text: string): boolean =>
  ADDRESS.test(text) ||
  (text.length < 65_536 && text.search(BREAKS) >= 0 && ADDRESS.test(text.replace(BREAKS, "")));

/**
 * The addresses in a request that upstream may fetch. `textOf` gives the text of leaves that are objects, if the
 * caller has such leaves; everything else is JSON.
 */
export function addressesIn(
  request: object,
  { texts, data }: Unfetched,
  textOf?: (leaf: object) => string | undefined,
): FoundAddress[] {
  const found: FoundAddress[] = [];
  const way: (string | number)[] = [];
  const read = (text: string, name: string, around: string): void => {
    if (isAddress(text) && !texts.has(`${around}/${name}`))
      found.push({ url: text, at: way.map((step) => `/${escapePointer(String(step))}`).join("") });
  };
  const visit = (value: unknown, name: string, around: string): void => {
    if (typeof value === "string") {
      if (!texts.has(name)) read(value, name, around);
      return;
    }
    if (typeof value !== "object" || value === null || data.has(name)) return;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        way.push(i);
        visit(value[i], name, around);
        way.pop();
      }
      return;
    }
    const text = textOf?.(value);
    if (text !== undefined) {
      visit(text, name, around);
      return;
    }
    for (const member in value) {
      way.push(member);
      visit((value as Record<string, unknown>)[member], member, name);
      way.pop();
    }
  };
  visit(request, "", "");
  return found;
}
