import type { AnyProvider } from "../codec/codec.ts";
import { chain, each, type Machine } from "../codec/machine.ts";
import { noDialect } from "../codec/no-dialect.ts";
import type { Traits } from "../codec/traits.ts";
import { AS_JSON } from "../family/json-instruction.ts";
import type { Event, Format, Protocol, TextRequest } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import { hoist } from "../ir/turns.ts";
import { canForce } from "./fit-choice.ts";
import { mayThink } from "./may-think.ts";
import { answerByTool } from "./schema-as-tool.ts";
import { unwrapAnswer, wrapAnswer } from "./wrap-answer.ts";

/** A request whose answer has a shape that the model takes, and the machine that restores its reply. */
export interface Shaped {
  request: TextRequest;
  restores: boolean;
  restore(): Machine<Event, Event>;
}

const unchanged = (request: TextRequest): Shaped => ({
  request,
  restores: false,
  restore: () => each((event) => [event]),
});

/** The protocol of a provider, and what writes schemas for it. */
type Target = Pick<AnyProvider, "protocol" | "dialect">;

/**
 * The request with the shape of its answer as the model takes it: by the wire's own member, by a tool that has to be
 * called, or by an instruction.
 */
export function fitFormat(request: TextRequest, traits: Traits, target: Target, lose: Lose): Shaped {
  const { protocol: to, dialect = noDialect } = target;
  const { format } = request;
  if (!format || format.type === "text") return unchanged(request);
  if (traits.format === "prompt" || isRefused(request, traits))
    return unchanged(instructed(request, format, lose));
  if (format.type === "json") return unchanged(request);
  if (isBySchema(traits) && closes(to) && dialect.holdsMaps(format.schema))
    return fitFormat(request, { ...traits, format: false }, target, lose);
  const { tools = [], reasoning } = request;
  const thinks = reasoning !== undefined && reasoning.mode !== "off";
  if (traits.format === false && (tools.length > 0 || thinks || !canForce(request, traits)))
    return unchanged(instructed(request, format, lose));
  if (dialect.isObjectSchema(format.schema) || !wantsObject(traits, to))
    return written(request, format, traits, to, lose);
  const shaped = written(request, wrapAnswer(format, lose, dialect), traits, to, lose);
  return { ...shaped, restores: true, restore: () => chain(shaped.restore(), unwrapAnswer()) };
}

function written(
  request: TextRequest,
  format: Format & { type: "schema" },
  traits: Traits,
  to: Protocol,
  lose: Lose,
): Shaped {
  if (traits.format === false) return answerByTool(request, format, lose);
  if (traits.format !== "object" || (to !== "chatstyle" && to !== "msgstyle"))
    return unchanged({ ...request, format });
  const prompted = instructed(request, format, lose);
  return unchanged(to === "chatstyle" ? { ...prompted, format: { type: "json" } } : prompted);
}

const isBySchema = ({ format }: Traits): boolean => format === undefined || format === true;

/** Checks whether a wire decodes schemas with closed objects only. */
const closes = (to: Protocol): boolean => to === "msgstyle" || to === "conversestyle";

/** Checks whether an answer of a schema has to be an object. */
const wantsObject = (traits: Traits, to: Protocol): boolean =>
  to === "chatstyle" || to === "responses" || traits.format === false;

/** Checks whether the model refuses a shape of the answer beside what else the request has. */
function isRefused(request: TextRequest, traits: Traits): boolean {
  const { formatConflicts = [] } = traits;
  const hasFunctions = (request.tools ?? []).some(({ type }) => type === "function");
  return (
    (hasFunctions && formatConflicts.includes("tools")) ||
    (formatConflicts.includes("thinking") && mayThink(request, traits))
  );
}

/** The request with an instruction in place of the shape of its answer. */
function instructed({ format: _, ...request }: TextRequest, format: Format, lose: Lose): TextRequest {
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
