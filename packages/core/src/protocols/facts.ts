import type { FileForm, WireFacts } from "../codec/wire-facts.ts";
import type { Protocol } from "../ir/part.ts";
import type { JsonObject } from "../json/json.ts";
import { facts as chatstyle } from "./chatstyle/facts.ts";
import { facts as conversestyle } from "./conversestyle/facts.ts";
import { facts as genstyle } from "./genstyle/facts.ts";
import { facts as msgstyle } from "./msgstyle/facts.ts";
import { facts as native } from "./native/facts.ts";
import { facts as responses } from "./responses/facts.ts";

/** The tables of `WireFacts` that are lists of names. */
export type NameTable = "system" | "turns" | "bound" | "mediaTypes" | "pictures" | "toolData" | "essential";

/** The facts of several wires together, for code that reads a body without knowing its wire. */
export interface Wires {
  /** The facts of each wire. */
  readonly facts: Readonly<Record<Protocol, WireFacts>>;
  /** The names that any of the wires has in a table. */
  namesOf(table: NameTable): ReadonlySet<string>;
  /** The members that may hold a file on any of the wires. */
  readonly files: ReadonlyMap<string, FileForm>;
  /**
   * Checks whether a member holds the arguments or the result of a call. `within` is the name of the member around its
   * record.
   */
  isToolValue(record: JsonObject, name: string, within: string): boolean;
  /** Finds the beginning of such a value in a JSON text. In a string its quotes would be escaped. */
  readonly toolValueStart: RegExp;
  /** The protocol whose wrapped seals have this letter. */
  protocolOf(letter: string): Protocol | undefined;
}

/** Puts the facts of several wires together. Throws if a letter is none, or that of two protocols. */
export function joinFacts(facts: Readonly<Record<Protocol, WireFacts>>): Wires {
  const all = Object.values(facts);
  const letters = new Map<string, Protocol>();
  for (const [protocol, { letter }] of Object.entries(facts)) {
    if (!/^[a-z]$/.test(letter) || letters.has(letter))
      throw new Error(
        `facts.letter of '${protocol}' is '${letter}'; it must be one of a to z but ${[...letters.keys()].join(", ")}.`,
      );
    letters.set(letter, protocol as Protocol);
  }
  const join = (table: NameTable): ReadonlySet<string> => new Set(all.flatMap((wire) => wire[table]));
  const names: Readonly<Record<NameTable, ReadonlySet<string>>> = {
    system: join("system"),
    turns: join("turns"),
    bound: join("bound"),
    mediaTypes: join("mediaTypes"),
    pictures: join("pictures"),
    toolData: join("toolData"),
    essential: join("essential"),
  };
  const toolValues = Map.groupBy(
    all.flatMap((wire) => Object.entries(wire.toolValues)),
    ([name]) => name,
  );
  return Object.freeze({
    facts,
    namesOf: (table: NameTable) => names[table],
    files: new Map(all.flatMap((wire) => Object.entries(wire.files))),
    isToolValue: (record: JsonObject, name: string, within: string) =>
      toolValues.get(name)?.some(([, isValue]) => isValue(record, within)) === true,
    toolValueStart: new RegExp(`"(?:${[...toolValues.keys()].join("|")})"\\s*:\\s*[[{]`),
    protocolOf: (letter: string) => letters.get(letter),
  });
}

/**
 * The facts of the library's own wires, apart from the codecs: they import nothing, so that code which the codecs are
 * made of can read them.
 */
export const wires: Wires = /* @__PURE__ */ joinFacts({
  chatstyle,
  responses,
  msgstyle,
  genstyle,
  conversestyle,
  native,
});
