import type { Trace } from "../../codec/caller-codec.ts";
import { fromProtoSchema } from "../../dialect/from-proto-schema.ts";
import { extraOf } from "../../ir/extra.ts";
import type { FunctionTool, Tool, ToolChoice } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  lookup,
  rest,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { opaque, protocol } from "./parts.ts";

const declarationFields = new Set(["name", "description", "parameters", "parametersJsonSchema"]);

/** The tools of all tool objects, in order: their functions one by one, and each server tool by itself. */
export function decodeTools(list: Json | undefined, trace: Trace): Tool[] {
  const tools: Tool[] = [];
  toArray(list).forEach((json, i) => {
    for (const [key, value] of Object.entries(toObject(json))) {
      if (key !== "functionDeclarations") {
        const tool: Tool = { ...opaque({ [key]: value }), type: "opaque" };
        trace(tool, `/tools/${i}/${key}`);
        tools.push(tool);
        continue;
      }
      toArray(value).forEach((declaration, k) => {
        const tool = readDeclaration(toObject(declaration));
        trace(tool, `/tools/${i}/functionDeclarations/${k}`);
        tools.push(tool);
      });
    }
  });
  return tools;
}

function readDeclaration(declaration: JsonObject): FunctionTool {
  const { parameters, parametersJsonSchema } = declaration;
  const description = textOf(declaration.description);
  const schema = parametersJsonSchema ?? (isObject(parameters) ? fromProtoSchema(parameters) : undefined);
  return {
    type: "function",
    name: toText(declaration.name),
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { schema }),
    ...extraOf(protocol, declaration, declarationFields),
  };
}

const modes: Record<string, NonNullable<ToolChoice["mode"]>> = {
  AUTO: "auto",
  ANY: "required",
  NONE: "none",
  VALIDATED: "auto",
};
/** Words that mean no mode was set. */
const silent = new Set(["", "MODE_UNSPECIFIED"]);
const callingFields = new Set(["mode", "allowedFunctionNames"]);
const configFields = new Set(["functionCallingConfig"]);

/** Reads the choice of functions, and the members that say something else. */
export function decodeToolChoice(json: Json | undefined): { choice?: ToolChoice; remaining?: JsonObject } {
  const config = toObject(json);
  const calling = toObject(config.functionCallingConfig);
  const word = toText(calling.mode).toUpperCase();
  const mode = lookup(modes, word);
  // The meaning of an unknown mode's allowed names cannot be known.
  const strange = !mode && !silent.has(word);
  const allowed = strange ? [] : toArray(calling.allowedFunctionNames);
  const names = allowed.filter((name) => typeof name === "string");
  // Free choice with checked arguments: the IR has no word for the check.
  const checked = word === "VALIDATED" && names.length === 0;
  const callingLeft = strange ? calling : { ...rest(calling, callingFields), ...(checked && { mode: word }) };
  const left: JsonObject = {
    ...rest(config, configFields),
    ...(Object.keys(callingLeft).length > 0 && { functionCallingConfig: callingLeft }),
  };
  const choice: ToolChoice = { ...(mode && !checked && { mode }), ...(names.length > 0 && { names }) };
  return {
    ...(Object.keys(choice).length > 0 && { choice }),
    ...(Object.keys(left).length > 0 && { remaining: left }),
  };
}
