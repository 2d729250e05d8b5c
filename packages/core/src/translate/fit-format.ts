import type { AnyProvider } from "../codec/codec.ts";
import { chain, each, type Machine } from "../codec/machine.ts";
import { noDialect } from "../codec/no-dialect.ts";
import type { Traits } from "../codec/traits.ts";
import { AS_JSON } from "../family/json-instruction.ts";
import type { Event, Format, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { hoist } from "../ir/turns.ts";
import { canForce } from "./fit-choice.ts";
import { mayThink } from "./may-think.ts";
import { answerByTool } from "./schema-as-tool.ts";
import { unwrapAnswer, wrapAnswer } from "./wrap-answer.ts";

/** A request with a format that the model accepts, and the machine that restores its reply. */
export interface FittedFormat {
  request: TextRequest;
  restores: boolean;
  restore(): Machine<Event, Event>;
}

const unchanged = (request: TextRequest): FittedFormat => ({
  request,
  restores: false,
  restore: () => each((event) => [event]),
});

/** What a wire takes of formats, and what writes schemas for it. */
type Target = Pick<AnyProvider, "schemaFormat" | "dialect">;

/**
 * Expresses the format of the answer in the way that the model supports: by the wire's member, by a tool that it has to
 * call, or by an instruction.
 */
export function fitFormat(request: TextRequest, traits: Traits, target: Target, lose: Lose): FittedFormat {
  const { schemaFormat: wire = {}, dialect = noDialect } = target;
  const { format } = request;
  if (!format || format.type === "text") return unchanged(request);
  if (traits.format === "prompt" || hasConflict(request, traits))
    return unchanged(withInstruction(request, format, lose));
  if (format.type === "json") return unchanged(request);
  if (supportsSchemas(traits) && wire.closed && dialect.exceedsConstrained(format.schema))
    return fitFormat(request, { ...traits, format: false }, target, lose);
  const { tools = [], reasoning } = request;
  const thinks = reasoning !== undefined && reasoning.mode !== "off";
  if (traits.format === false && (tools.length > 0 || thinks || !canForce(request, traits)))
    return unchanged(withInstruction(request, format, lose));
  const isObject = traits.format === false || wire.objects === true;
  if (!isObject || dialect.isObjectSchema(format.schema))
    return fitSchema(request, format, traits, wire.prompted, lose);
  const shaped = fitSchema(request, wrapAnswer(format, lose, dialect), traits, wire.prompted, lose);
  return { ...shaped, restores: true, restore: () => chain(shaped.restore(), unwrapAnswer()) };
}

function fitSchema(
  request: TextRequest,
  format: Format & { type: "schema" },
  traits: Traits,
  prompted: "json" | "nothing" | undefined,
  lose: Lose,
): FittedFormat {
  if (traits.format === false) return answerByTool(request, format, lose);
  if (traits.format !== "object" || prompted === undefined) return unchanged({ ...request, format });
  const instructed = withInstruction(request, format, lose);
  return unchanged(prompted === "json" ? { ...instructed, format: { type: "json" } } : instructed);
}

const supportsSchemas = ({ format }: Traits): boolean => format === undefined || format === true;

/** Checks whether the model refuses a format together with the tools or the thinking of the request. */
function hasConflict(request: TextRequest, traits: Traits): boolean {
  const { formatConflicts = [] } = traits;
  const hasFunctions = (request.tools ?? []).some(({ type }) => type === "function");
  return (
    (hasFunctions && formatConflicts.includes("tools")) ||
    (formatConflicts.includes("thinking") && mayThink(request, traits))
  );
}

/** The request with an instruction in place of its format. */
function withInstruction({ format: _, ...request }: TextRequest, format: Format, lose: Lose): TextRequest {
  lose("/format", "approximated", "requested in the prompt");
  const text =
    format.type === "schema"
      ? `Answer with JSON of this JSON Schema, and nothing before or after it:\n${JSON.stringify(format.schema)}`
      : AS_JSON;
  const { system, rest } = hoist(request.messages);
  return {
    ...request,
    messages: [...system, { role: "system", parts: [{ type: "text", text }] }, ...rest],
  };
}
