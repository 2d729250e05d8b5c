import type { Part } from "@manifold-gateway/core/ir";
import { type DecodedRequest, fieldOf, Rejection } from "@manifold-gateway/core/plan";
import { bodyLimits } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { Tally } from "../http/tally.ts";

/** The characters up to which a text cannot exceed a limit by itself. */
const SHORT = 2 * bodyLimits.depth;

/**
 * The rejection of a request whose tool calls and results contain, as strings, more JSON than a body may: translation
 * parses these strings, and the limits of the body counted each as a single value.
 */
export function rejectNested({ request, caller }: DecodedRequest): Rejection | undefined {
  let values = 0;
  const count = (text: string, path: string): Rejection | undefined => {
    if (text.length <= SHORT && values === 0) return undefined;
    const tally = new Tally(bodyLimits, values);
    try {
      tally.step(Buffer.from(text));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const param = fieldOf(caller.origins.locate(request, path) ?? path);
      const code = error.code === "body_too_large" ? "body_too_large" : "body_too_complex";
      return new Rejection(code, [`${param}: ${error.message} JSON in strings counts as well.`], { param });
    }
    values = tally.values;
    return undefined;
  };
  for (const [i, { parts }] of request.messages.entries())
    for (const [j, part] of parts.entries())
      for (const text of nestedIn(part)) {
        const rejection = count(text, `/messages/${i}/parts/${j}`);
        if (rejection) return rejection;
      }
  return undefined;
}

/** The texts of a part that translation parses. */
function nestedIn(part: Part): string[] {
  if (part.type === "call") return part.freeform ? [] : [part.arguments];
  if (part.type !== "result") return [];
  return part.parts.flatMap((inner) =>
    inner.type === "text" && /^\s*[[{]/.test(inner.text) ? [inner.text] : [],
  );
}
