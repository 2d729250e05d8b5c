import type { FileForm, WireFacts } from "../codec/wire-facts.ts";
import type { Protocol } from "../ir/part.ts";
import type { JsonObject } from "../json/json.ts";
import { facts as chatstyle } from "./chatstyle/facts.ts";
import { facts as genstyle } from "./genstyle/facts.ts";
import { facts as msgstyle } from "./msgstyle/facts.ts";
import { facts as native } from "./native/facts.ts";
import { facts as responses } from "./responses/facts.ts";

const builtIn: Readonly<Record<Protocol, WireFacts>> = { chatstyle, responses, msgstyle, genstyle, native };

/**
 * The facts of every wire, apart from the codecs: they import nothing, so that code which the codecs are made of can
 * read them. This table and those below grow where a program registers a protocol of its own.
 */
export const wireFacts: Readonly<Record<Protocol, WireFacts>> = { ...builtIn };

const names = {
  system: new Set<string>(),
  turns: new Set<string>(),
  bound: new Set<string>(),
  mediaTypes: new Set<string>(),
  pictures: new Set<string>(),
  toolData: new Set<string>(),
  essential: new Set<string>(),
};
const files = new Map<string, FileForm>();
const values = new Map<string, ((record: JsonObject, within: string) => boolean)[]>();
const letters = new Map<string, Protocol>();

/** The names that any wire has in one of its tables, for code that meets a body without knowing its wire. */
export const namesOfAny = (table: keyof typeof names): ReadonlySet<string> => names[table];

/** The members that may hold a file on any wire. */
export const filesOfAny: ReadonlyMap<string, FileForm> = files;

/** Finds the beginning of a tool's value in the JSON text of any wire. In a string its quotes would be escaped. */
export let toolValueStart: RegExp;

/**
 * Checks whether a member holds what a tool is given or has answered. `within` is the name of the member around its
 * record.
 */
export const isToolValue = (record: JsonObject, name: string, within: string): boolean =>
  values.get(name)?.some((isValue) => isValue(record, within)) === true;

/** The protocol that a letter stands for in a wrapped seal. */
export const protocolOfLetter = (letter: string): Protocol | undefined => letters.get(letter);

/** Adds the facts of one wire to the tables. */
export function addFacts(protocol: Protocol, facts: WireFacts): void {
  (wireFacts as Record<Protocol, WireFacts>)[protocol] = facts;
  letters.set(facts.letter, protocol);
  for (const table of Object.keys(names) as (keyof typeof names)[])
    for (const name of facts[table]) names[table].add(name);
  for (const [name, form] of Object.entries(facts.files)) files.set(name, form);
  for (const [name, isValue] of Object.entries(facts.toolValues))
    values.set(name, [...(values.get(name) ?? []), isValue]);
  toolValueStart = new RegExp(`"(?:${[...values.keys()].join("|")})"\\s*:\\s*[[{]`);
}

for (const [protocol, facts] of Object.entries(builtIn)) addFacts(protocol as Protocol, facts);
