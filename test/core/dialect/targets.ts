import { type AnyCodec, codecs, encodeRequest, type Loss } from "@manifold-gateway/core";
import {
  isObject,
  type Json,
  type JsonObject,
  type Traits,
  toArray,
  toObject,
} from "@manifold-gateway/core/codec";
import { fromProtoSchema } from "../../../packages/core/src/dialect/from-proto-schema.ts";

/** A wire, and the traits of a model on it. */
export interface Target {
  codec: AnyCodec;
  traits: Traits;
}

/** The forms that the most demanding models refuse. */
const demanding: Traits = {
  schemaRefuses: [
    "referenceNeighbours",
    "innerReferences",
    "booleans",
    "schemaName",
    "alternativeNeighbours",
    "undeclaredRequired",
    "untyped",
  ],
  strict: false,
};
const inlined: Traits = { schemaRefuses: ["references"] };

/** Every wire with schemas of tools, and models that refuse more. */
export const targets: Record<string, Target> = {
  chatstyle: { codec: codecs.chatstyle, traits: {} },
  responses: { codec: codecs.responses, traits: {} },
  msgstyle: { codec: codecs.msgstyle, traits: {} },
  genstyle: { codec: codecs.genstyle, traits: {} },
  "genstyle in the smaller dialect": { codec: codecs.genstyle, traits: { jsonSchema: false } },
  "a model of small schemas": { codec: codecs.chatstyle, traits: demanding },
  "a model without references": { codec: codecs.chatstyle, traits: inlined },
  "a messages model without references": { codec: codecs.msgstyle, traits: inlined },
  "a genstyle model without references": { codec: codecs.genstyle, traits: inlined },
};

export interface Written {
  /** The schema as JSON Schema; nothing where the target was given none. */
  schema: Json | undefined;
  strict: Json | undefined;
  losses: Loss[];
}

/** The schema of a tool as a target receives it. */
export function writeTool(schema: Json, { codec, traits }: Target, strict?: boolean): Written {
  const { wire, losses } = encodeRequest(
    {
      model: "m",
      stream: false,
      messages: [{ role: "user", parts: [{ type: "text", text: "go" }] }],
      tools: [{ type: "function", name: "run", schema, ...(strict !== undefined && { strict }) }],
      params: { maxTokens: 100 },
    },
    codec,
    traits,
  );
  const tool = toObject(toArray(wire.tools)[0]);
  const declaration: JsonObject = isObject(tool.function)
    ? tool.function
    : toObject(toArray(tool.functionDeclarations)[0] ?? tool);
  const { parameters, parametersJsonSchema, input_schema, strict: written } = declaration;
  const proto =
    codec.protocol === "genstyle" && isObject(parameters) ? fromProtoSchema(parameters) : parameters;
  return { schema: input_schema ?? parametersJsonSchema ?? proto, strict: written, losses };
}
