import type { WireFacts } from "../facts.ts";
import type { Protocol } from "../ir/part.ts";
import type { JsonObject } from "../json.ts";
import { facts as chatstyle } from "./chatstyle/facts.ts";
import { facts as genstyle } from "./genstyle/facts.ts";
import { facts as msgstyle } from "./msgstyle/facts.ts";
import { facts as native } from "./native/facts.ts";
import { facts as responses } from "./responses/facts.ts";

/**
 * The facts of every wire, apart from the codecs: they import nothing, so that code which the codecs are made of can
 * read them.
 */
export const wireFacts: Readonly<Record<Protocol, WireFacts>> = {
  chatstyle,
  responses,
  msgstyle,
  genstyle,
  native,
};

const all = Object.values(wireFacts);

/** The names that any wire has in one of its tables, for code that meets a body without knowing its wire. */
export const namesOfAny = (
  table: "system" | "turns" | "bound" | "mediaTypes" | "pictures" | "toolData" | "essential",
): ReadonlySet<string> => new Set(all.flatMap((facts) => facts[table]));

/** The members that may hold a file on any wire. */
export const filesOfAny = new Map(all.flatMap(({ files }) => Object.entries(files)));

const values = new Map<string, ((record: JsonObject, within: string) => boolean)[]>();
for (const { toolValues } of all)
  for (const [name, isValue] of Object.entries(toolValues))
    values.set(name, [...(values.get(name) ?? []), isValue]);

/** The names of members that may hold a tool's value on some wire. */
export const toolValueNames: readonly string[] = [...values.keys()];

/** Whether a member holds what a tool is given or has answered. `within` is the name of the member around its record. */
export const isToolValue = (record: JsonObject, name: string, within: string): boolean =>
  values.get(name)?.some((isValue) => isValue(record, within)) === true;
