import type { Ask, AskedParam, AskedPart } from "../capability/ask.ts";
import type { MediaKind, Operation } from "../capability/schema.ts";
import type { PartSource } from "./content.ts";

/** The caller's pointers for parameters whose wire calls them otherwise: `{ numberOfImages: "/n" }`. */
export type ParamNames = Readonly<Record<string, string>>;

/** The parameters that an ask sets. An object is a parameter for each of its members. */
export function paramsOf(
  record: Readonly<Record<string, unknown>>,
  names: ParamNames = {},
  prefix = "",
): AskedParam[] {
  return Object.entries(record).flatMap(([key, value]): AskedParam[] => {
    const name = prefix + key;
    if (value === undefined) return [];
    if (typeof value === "object" && value !== null)
      return paramsOf(value as Record<string, unknown>, names, `${name}.`);
    return [{ name, path: names[name] ?? `/${name.replaceAll(".", "/")}`, value }];
  });
}

/** A part as its check sees it. An archived output goes to providers as an address, like any other. */
export function partOf(kind: MediaKind, { source, at }: { source: PartSource; at: string }): AskedPart {
  if (source.type === "asset") return { kind, path: at, form: source.kind === "identity" ? "asset" : "url" };
  if (source.type === "url") return { kind, path: at, form: "url" };
  const { mediaType, data } = source;
  return {
    kind,
    path: at,
    form: "base64",
    mediaType,
    bytes: Math.floor((data.replace(/=+$/, "").length * 3) / 4),
  };
}

/** What an ask wants of its model, to be compared with its capabilities. */
export function wantsOf(
  operation: Operation,
  model: string,
  params: AskedParam[],
  parts: AskedPart[],
  names: ParamNames = {},
): Ask {
  return { operation, model, params, parts, names: new Map(Object.entries(names)) };
}
