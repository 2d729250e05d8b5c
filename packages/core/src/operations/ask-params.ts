import type { Ask, RequestedParam, RequestedPart } from "../capability/ask.ts";
import { bytesOf } from "../capability/requested-media.ts";
import type { MediaKind, Operation } from "../capability/terms.ts";
import type { PartSource } from "./content.ts";

/**
 * The caller's pointers for the parameters that its wire has: `{ numberOfImages: "/n" }`. Absent: all, by their own
 * names.
 */
export type ParamNames = Readonly<Record<string, string>>;

/** The parameters that an ask sets. */
export function paramsOf(
  record: Readonly<Record<string, unknown>>,
  names: ParamNames = {},
): RequestedParam[] {
  return Object.entries(record).flatMap(([name, value]): RequestedParam[] =>
    value === undefined ? [] : [{ name, path: names[name] ?? `/${name}`, value }],
  );
}

/** A part as its check sees it. An archived output goes to providers as an address, like any other. */
export function partOf(kind: MediaKind, { source, at }: { source: PartSource; at: string }): RequestedPart {
  if (source.type === "asset") return { kind, path: at, form: source.kind === "identity" ? "asset" : "url" };
  if (source.type === "url") return { kind, path: at, form: "url" };
  const { mediaType, data } = source;
  return {
    kind,
    path: at,
    form: "base64",
    mediaType,
    bytes: bytesOf(data),
  };
}

/** The wants of a request, to be compared with a model's capabilities. */
export function wantsOf(
  operation: Operation,
  model: string,
  params: RequestedParam[],
  parts: RequestedPart[],
  names?: ParamNames,
): Ask {
  return { operation, model, params, parts, ...(names && { names: new Map(Object.entries(names)) }) };
}
