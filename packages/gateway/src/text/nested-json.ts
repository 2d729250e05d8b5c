import type { Part } from "@manifold-gateway/core/ir";
import { bodyLimits } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { Tally } from "../http/tally.ts";
import type { DecodedRequest } from "./decode-request.ts";

/** The characters up to which a text cannot exceed a limit by itself. */
const SHORT = 2 * bodyLimits.depth;

/**
 * Refuses a request whose tool calls and results contain, as strings, more JSON than a body may: translation parses
 * these strings, and the limits of the body counted each as a single value.
 */
export function refuseNested({ request, caller }: DecodedRequest): void {
  let values = 0;
  const count = (text: string, path: string): void => {
    if (text.length <= SHORT && values === 0) return;
    const tally = new Tally(bodyLimits, values);
    try {
      tally.step(Buffer.from(text));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const param = (caller.origins.locate(request, path) ?? path).slice(1).replaceAll("/", ".");
      throw new Refusal(error.code, `${param}: ${error.message} JSON in strings counts as well.`, { param });
    }
    values = tally.values;
  };
  const visit = (part: Part, path: string): void => {
    if (part.type === "call" && !part.freeform) count(part.arguments, path);
    if (part.type === "result")
      for (const inner of part.parts)
        if (inner.type === "text" && /^\s*[[{]/.test(inner.text)) count(inner.text, path);
  };
  for (const [i, { parts }] of request.messages.entries())
    for (const [j, part] of parts.entries()) visit(part, `/messages/${i}/parts/${j}`);
}
