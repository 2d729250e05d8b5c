import type { Trace } from "../codec/caller-codec.ts";
import type { ParamTable } from "../codec/params.ts";
import type { ParamName, TextRequest } from "../ir/index.ts";

/** Remembers where nodes of a decoded request stood on the caller's wire, beside the IR instead of inside it. */
export interface Origins {
  /** Records the place of a node. */
  trace: Trace;
  /** The caller's own pointer of a node. */
  get(node: object): string | undefined;
  /** The caller's own pointer for a path of the canonical request: the nearest place that is known. */
  locate(request: object, path: string): string;
}

/** Origins of one decoded request. `params` is the caller's table, which knows its spelling of a parameter. */
export function traceOrigins(params: ParamTable = []): Origins {
  const pointers = new WeakMap<object, string>();
  return {
    trace: (node, pointer) => void pointers.set(node, pointer),
    get: (node) => pointers.get(node),
    locate(request, path) {
      const [, area, name] = path.split("/");
      if (area === "params") {
        const row = params.find((candidate) => candidate.name === (name as ParamName));
        return row ? `/${row.wire.replaceAll(".", "/")}` : path;
      }
      // The members that the IR keeps in `extra` stood directly on the node.
      const { place, below } = nearest(request, path, (node) => pointers.get(node));
      return (place ?? "") + below.replace(/(^|\/)extra\//, "$1");
    },
  };
}

/** Records which node of a request another node took the place of. */
export type Moved = (node: object, original: object) => void;
/** Follows nothing. */
export const noMove: Moved = () => {};

/** Follows nodes through the rewriting of a request, so that what is found afterwards names the place it came from. */
export function followMoves(request: TextRequest): {
  moved: Moved;
  /** Translates a path in the rewritten request into one in the original request. */
  back(rewritten: TextRequest, path: string): string;
} {
  const originals = new Map<object, object>();
  let places: Map<object, string> | undefined;
  return {
    moved: (node, original) => void originals.set(node, originals.get(original) ?? original),
    back(rewritten, path) {
      places ??= placesOf(request);
      const known = places;
      const { place, below } = nearest(rewritten, path, (node) => known.get(originals.get(node) ?? node));
      return place === undefined ? path : place + below;
    },
  };
}

function placesOf(request: TextRequest): Map<object, string> {
  const places = new Map<object, string>();
  const visit = (nodes: readonly object[], under: string): void => {
    for (const [i, node] of nodes.entries()) {
      places.set(node, `${under}/${i}`);
      if ("parts" in node) visit(node.parts as object[], `${under}/${i}/parts`);
    }
  };
  visit(request.messages, "/messages");
  return places;
}

/** The deepest node on the way to `path` whose place is known, and the rest of the way. */
function nearest(
  root: object,
  path: string,
  placeOf: (node: object) => string | undefined,
): { place?: string; below: string } {
  const keys = path.split("/").slice(1);
  let found: { place?: string; below: string } = { below: path };
  let node: unknown = root;
  for (const [depth, key] of keys.entries()) {
    node = (node as Record<string, unknown>)[key];
    if (typeof node !== "object" || node === null) break;
    const place = placeOf(node);
    if (place !== undefined)
      found = {
        place,
        below: keys
          .slice(depth + 1)
          .map((rest) => `/${rest}`)
          .join(""),
      };
  }
  return found;
}
