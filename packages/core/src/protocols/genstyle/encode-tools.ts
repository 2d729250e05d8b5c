import { rulesFor } from "../../dialect/rules.ts";
import { extraFor } from "../../ir/extra.ts";
import type { FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type Json, type JsonObject, rest, toArray, toObject } from "../../json/json.ts";
import { repeatedTools } from "../repeated-tools.ts";
import { type Context, protocol } from "./parts.ts";

/** Functions that follow each other share one object; each server tool has its own. */
export function encodeTools(tools: readonly Tool[], context: Context): JsonObject[] {
  const out: JsonObject[] = [];
  const { lose } = context;
  let declarations: JsonObject[] | undefined;
  const repeated = repeatedTools(tools, lose);
  tools.forEach((tool, i) => {
    if (repeated.has(tool)) return;
    const path = `/tools/${i}`;
    if (tool.type === "function") {
      const declaration = writeDeclaration(tool, path, context);
      if (!declarations) {
        declarations = [];
        out.push({ functionDeclarations: declarations });
      }
      declarations.push(declaration);
    } else if (tool.protocol === protocol && isObject(tool.value)) {
      out.push(tool.value);
      declarations = undefined;
    } else lose(path, "unsupported", "a server tool of another protocol");
  });
  return out;
}

function writeDeclaration(tool: FunctionTool, path: string, context: Context): JsonObject {
  const { lose } = context;
  for (const key of ["strict", "cache", "freeform"] as const)
    if (tool[key] !== undefined) lose(`${path}/${key}`, "unsupported");
  const { name, description, schema } = tool;
  return {
    ...extraFor(protocol, tool.extra, lose, path),
    name,
    ...(description !== undefined && { description }),
    ...writeSchema(schema, `${path}/schema`, context),
  };
}

function writeSchema(schema: Json | undefined, path: string, { lose, traits, dialect }: Context): JsonObject {
  if (schema === undefined) return {};
  if (!isObject(schema)) {
    lose(path, "unsupported", "a schema is an object");
    return {};
  }
  if (traits.jsonSchema !== false)
    return {
      parametersJsonSchema: dialect.normalizeSchema(
        schema,
        rulesFor(protocol, traits.schemaRefuses),
        lose,
        path,
      ),
    };
  // An object without properties is refused here: the function takes nothing.
  if (isNoObject(schema)) return {};
  const parameters = dialect.toProtoSchema(schema, lose, path, true);
  if (parameters.properties) return { parameters };
  lose(path, "approximated", "a function without parameters has no schema");
  return {};
}

/** Checks for the schema of no arguments. */
const isNoObject = (schema: JsonObject): boolean =>
  Object.keys(
    rest(schema, new Set(["type", "properties", "required", "additionalProperties", "$schema"])) ?? {},
  ).length === 0 &&
  (schema.type === undefined || schema.type === "object") &&
  Object.keys(toObject(schema.properties)).length === 0 &&
  toArray(schema.required).length === 0 &&
  !isObject(schema.additionalProperties);

export function encodeToolChoice(
  choice: ToolChoice,
  tools: readonly JsonObject[],
  lose: Lose,
): JsonObject | undefined {
  const { mode, names, parallel } = choice;
  if (parallel !== undefined) lose("/toolChoice/parallel", "unsupported");
  if (!tools.some((tool) => tool.functionDeclarations !== undefined)) {
    lose("/toolChoice", "unsupported", "there are no functions to choose from");
    return undefined;
  }
  const some = names !== undefined && names.length > 0;
  if (mode === "none") {
    if (some) lose("/toolChoice/names", "unsupported");
    return { functionCallingConfig: { mode: "NONE" } };
  }
  if (mode === undefined && !some) return undefined;
  if (mode === undefined) lose("/toolChoice/mode", "approximated");
  const word = mode === "required" ? "ANY" : some ? "VALIDATED" : "AUTO";
  return { functionCallingConfig: { mode: word, ...(some && { allowedFunctionNames: names }) } };
}
