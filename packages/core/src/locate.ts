import type { Trace } from "./codec.ts";
import type { TextRequest } from "./ir/index.ts";
import type { ParamName } from "./ir/request.ts";
import type { ParamTable } from "./params.ts";

/** Remembers where nodes of a decoded request stood on the caller's wire, beside the IR instead of inside it. */
export interface Origins {
  trace: Trace;
  /** The caller's own pointer for a path of the canonical request: the nearest place that is known. */
  locate(request: TextRequest, path: string): string;
}

/** Origins of one decoded request. `params` is the caller's table, which knows its spelling of a parameter. */
export function traceOrigins(params: ParamTable): Origins {
  const pointers = new WeakMap<object, string>();
  return {
    trace: (node, pointer) => void pointers.set(node, pointer),
    locate(request, path) {
      const keys = path.split("/").slice(1);
      if (keys[0] === "params") {
        const row = params.find((candidate) => candidate.name === (keys[1] as ParamName));
        return row ? `/${row.wire.replaceAll(".", "/")}` : path;
      }
      let node: unknown = request;
      let pointer = "";
      let rest = keys;
      for (const [depth, key] of keys.entries()) {
        node = typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;
        const known = typeof node === "object" && node !== null ? pointers.get(node) : undefined;
        if (known !== undefined) {
          pointer = known;
          rest = keys.slice(depth + 1);
        }
      }
      return [pointer, ...rest.filter((key) => key !== "extra")].join("/");
    },
  };
}
