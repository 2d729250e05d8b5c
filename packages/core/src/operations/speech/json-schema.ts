import * as z from "zod";
import { toJsonSchema } from "../../capability/json-schema.ts";
import type { Capabilities } from "../../capability/schema.ts";
import { type Json, type JsonObject, lookup } from "../../json/json.ts";
import { REFERENCE_MODEL } from "./counts.ts";
import { speechBodies } from "./schema.ts";
import type { Voice } from "./voices/voice.ts";

/**
 * JSON Schema (2020-12) of the body that makes a model speak: that of its product's route, with the voices of the
 * model, narrowed by its capabilities. Fields that the route strips are not listed.
 */
export function speechJsonSchema(
  model: string,
  capabilities: Capabilities | undefined,
  voices: readonly Voice[],
): JsonObject {
  const product = model === REFERENCE_MODEL ? "generation-with-reference" : "text-to-speech";
  const body = z.toJSONSchema(speechBodies[product], { io: "input", unrepresentable: "any" });
  const { properties: fields = {}, required = [], ...rest } = body as unknown as BodySchema;
  const { properties: bounds, allOf } = toJsonSchema(capabilities, "speech") as unknown as BodySchema;
  const properties = Object.entries({ ...fields, ...ofVoices(fields, model, voices) }).map(
    ([name, schema]) => {
      const by = lookup(bounds ?? {}, name);
      // A closed list of parameters need not name what every body has.
      const isFree = by === undefined || (by === false && required.includes(name));
      return [name, isFree ? schema : narrow(schema, by)];
    },
  );
  return { ...rest, properties: Object.fromEntries(properties), required, ...(allOf && { allOf }) };
}

interface BodySchema {
  [key: string]: Json;
  properties: Record<string, JsonObject | false> & JsonObject;
  required: string[];
  allOf: JsonObject[];
}

/** What follows from the voices: their names, and whether any of them takes directions. */
function ofVoices(fields: JsonObject, model: string, voices: readonly Voice[]): Record<string, JsonObject> {
  const spoken = voices.filter(({ resourceId }) => resourceId === model);
  if (!Object.hasOwn(fields, "voiceType") || spoken.length === 0) return {};
  const isSilent = spoken.every(({ capabilities }) => !capabilities.contextTexts);
  return {
    voiceType: { type: "string", enum: spoken.map(({ voiceType }) => voiceType) },
    ...(isSilent && { contextTexts: { ...(fields.contextTexts as JsonObject), maxItems: 0 } }),
  };
}

const NUMBERS: readonly unknown[] = ["number", "integer"];

/** A schema that accepts what both accept, as one flat schema where their types are alike: forms read those. */
function narrow(schema: JsonObject | false, by: JsonObject | false): JsonObject | false {
  if (schema === false || by === false) return false;
  const isAlike = schema.type === by.type || (NUMBERS.includes(schema.type) && NUMBERS.includes(by.type));
  if (!isAlike || by.not !== undefined) return { allOf: [schema, by] };
  const both = (key: string, pick: (...bounds: number[]) => number): JsonObject => {
    const bounds = [schema[key], by[key]].filter((bound) => typeof bound === "number");
    return bounds.length === 0 ? {} : { [key]: pick(...bounds) };
  };
  const lists = [schema.enum, by.enum].filter((list) => Array.isArray(list));
  const [first, second = first] = lists;
  return {
    ...schema,
    ...by,
    type: schema.type === "integer" ? "integer" : (by.type as Json),
    ...both("minimum", Math.max),
    ...both("maximum", Math.min),
    ...(first && { enum: first.filter((value) => second?.includes(value)) }),
  };
}
