import type { Format, TextRequest } from "./index.ts";
import type { Lose } from "./loss.ts";

/** Parameters that a server may accept on one of its protocols and silently ignore. */
export const ignorable = ["responseFormat", "toolChoice", "toolNames", "parallelToolCalls"] as const;
/** One of `ignorable`. */
export type Ignorable = (typeof ignorable)[number];

const places: Record<Ignorable, string> = {
  responseFormat: "/format",
  toolChoice: "/toolChoice",
  toolNames: "/toolChoice/names",
  parallelToolCalls: "/toolChoice/parallel",
};

const isShaped = (format: Format | undefined): boolean => format !== undefined && format.type !== "text";

/** The ignorable parameters that a request sets; the usual values count as not set. */
export function ignorableAsks({ format, toolChoice }: TextRequest): Ignorable[] {
  const asks: Record<Ignorable, boolean> = {
    responseFormat: isShaped(format),
    toolChoice: toolChoice?.mode === "required" || toolChoice?.mode === "none",
    toolNames: toolChoice?.names !== undefined,
    parallelToolCalls: toolChoice?.parallel === false,
  };
  return ignorable.filter((ask) => asks[ask]);
}

/** Counts the requested features that a server ignores. They are read only if it ignores any. */
export const countIgnored = (
  ignores: readonly Ignorable[] = [],
  features: { asks(): readonly Ignorable[] },
): number => (ignores.length === 0 ? 0 : features.asks().filter((ask) => ignores.includes(ask)).length);

/** Reports the parameters that the server will ignore. If it ignores the choice of tools, the others are not sent. */
export function dropIgnored(request: TextRequest, ignores: readonly Ignorable[], lose: Lose): TextRequest {
  let result = request;
  for (const ask of ignorableAsks(request)) {
    if (!ignores.includes(ask)) continue;
    if (ask !== "toolNames") {
      lose(places[ask], "unsupported", "the server ignores it");
      continue;
    }
    lose(places[ask], "approximated", "only these tools are sent");
    const { names = [], ...toolChoice } = request.toolChoice ?? {};
    const tools = request.tools?.filter((tool) => tool.type !== "function" || names.includes(tool.name));
    result = { ...result, toolChoice, ...(tools && { tools }) };
  }
  return result;
}
