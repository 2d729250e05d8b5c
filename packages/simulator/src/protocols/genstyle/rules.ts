import { againstProto } from "../../check/dialect.ts";
import { decodeAnyBase64 } from "../../check/media.ts";
import type { Rule } from "../../check/rule.ts";
import { isVariant } from "../../variants.ts";
import type { Call } from "../protocol.ts";
import { conversationRules, thinksByBudget } from "./conversation.ts";
import type { Body, Content, WirePart } from "./schema.ts";

const DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const satisfies (keyof WirePart)[];

function badPart(contents: Content[], at: string): string | undefined {
  for (const [index, { parts = [] }] of contents.entries()) {
    const where = at.endsWith("s") ? `${at}[${index}]` : at;
    if (parts.length === 0)
      return `* GenerateContentRequest.${where}.parts: contents.parts must not be empty.`;
    for (const [position, part] of parts.entries()) {
      const data = DATA.filter((key) => part[key] !== undefined);
      const field = `GenerateContentRequest.${where}.parts[${position}]`;
      if (data.length > 1)
        return `Invalid value at '${where}.parts[${position}]' (oneof), oneof field 'data' is already set. Cannot set '${data[1]}'`;
      if (data.length === 0 || (part.text === "" && part.thoughtSignature === undefined))
        return `* ${field}.data: required oneof field 'data' must have one initialized field`;
      if (part.inlineData && !decodeAnyBase64(part.inlineData.data))
        return `Invalid value at '${where}.parts[${position}].inline_data.data' (TYPE_BYTES), Base64 decoding failed`;
      if (part.inlineData?.mimeType === "")
        return `* ${field}.inline_data.mime_type: mime_type must not be empty.`;
    }
  }
  return undefined;
}

const declarations = ({ tools = [] }: Body) =>
  tools.flatMap(({ functionDeclarations = [] }, at) =>
    functionDeclarations.map((declaration, index) => ({
      declaration,
      where: `GenerateContentRequest.tools[${at}].function_declarations[${index}]`,
    })),
  );

function badSchema(body: Body): string | undefined {
  for (const { declaration, where } of declarations(body)) {
    if (declaration.parameters && declaration.parametersJsonSchema)
      return `* ${where}: parameters and parameters_json_schema cannot both be set.`;
    const against = againstProto(declaration.parameters, `${where}.parameters`);
    if (against) return `* ${against}`;
  }
  const config = body.generationConfig;
  const against = againstProto(
    config?.responseSchema,
    "GenerateContentRequest.generation_config.response_schema",
  );
  return against && `* ${against}`;
}

/** The refusal of a name that older servers do not know, with its path. */
function newerName(body: Body): string | undefined {
  const unknown = (name: string, at: string) =>
    `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`;
  for (const [index, { parts = [] }] of body.contents.entries())
    for (const [position, part] of parts.entries())
      for (const key of ["functionCall", "functionResponse"] as const)
        if (part[key]?.id !== undefined) return unknown("id", `contents[${index}].parts[${position}].${key}`);
  const named = declarations(body).find(({ declaration }) => declaration.parametersJsonSchema);
  if (named) return unknown("parametersJsonSchema", named.where.replace("GenerateContentRequest.", ""));
  const { generationConfig: config } = body;
  if (config?.responseJsonSchema) return unknown("responseJsonSchema", "generation_config");
  if (config?.thinkingConfig?.thinkingLevel)
    return unknown("thinkingLevel", "generation_config.thinking_config");
  return undefined;
}

export const rules: Rule<Body, Call>[] = [
  { broken: ({ contents }) => badPart(contents, "contents"), message: "" },
  {
    broken: ({ systemInstruction: system }) => system && badPart([system], "system_instruction"),
    message: "",
  },
  {
    broken: ({ contents }) =>
      contents.some(({ role }) => role !== undefined && !["user", "model", "function"].includes(role)),
    message: "Please use a valid role: user, model.",
  },
  { broken: badSchema, message: "" },
  { broken: (body) => isVariant(body.model ?? "", "-old") && newerName(body), message: "" },
  {
    broken: (body) => {
      const names = declarations(body).map(({ declaration }) => declaration.name);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      return twice !== undefined && `Duplicate function declaration found: ${twice}`;
    },
    message: "",
  },
  {
    broken: ({ generationConfig }) => {
      const thinking = generationConfig?.thinkingConfig;
      return thinking?.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined;
    },
    message: "You can only set only one of thinking budget and thinking level.",
  },
  {
    broken: ({ model = "", generationConfig }) =>
      thinksByBudget(model) && generationConfig?.thinkingConfig?.thinkingLevel !== undefined,
    message: "Thinking level is not supported for this model.",
  },
  {
    broken: ({ model = "", generationConfig }) =>
      model.includes("gemini-2.5-pro") && generationConfig?.thinkingConfig?.thinkingBudget === 0,
    message: "Budget 0 is invalid. This model only works in thinking mode.",
  },
  {
    broken: ({ toolConfig }) => {
      const { mode = "AUTO", allowedFunctionNames = [] } = toolConfig?.functionCallingConfig ?? {};
      return allowedFunctionNames.length > 0 && mode !== "ANY" && mode !== "VALIDATED";
    },
    message: "Function calling config is set with allowed_function_names while mode is not ANY or VALIDATED.",
  },
  {
    broken: (body) => {
      const names = declarations(body).map(({ declaration }) => declaration.name);
      const absent = body.toolConfig?.functionCallingConfig?.allowedFunctionNames?.find(
        (n) => !names.includes(n),
      );
      return (
        absent !== undefined &&
        `allowed_function_names contains '${absent}', which is not a declared function.`
      );
    },
    message: "",
  },
  {
    broken: ({ generationConfig: config }) =>
      (config?.responseSchema !== undefined || config?.responseJsonSchema !== undefined) &&
      config.responseMimeType !== "application/json" &&
      config.responseMimeType !== "text/x.enum",
    message:
      "* GenerateContentRequest.generation_config.response_schema: only allowed when response_mime_type is 'application/json' or 'text/x.enum'.",
  },
  {
    broken: ({ generationConfig: config }) =>
      config?.responseSchema !== undefined && config.responseJsonSchema !== undefined,
    message:
      "* GenerateContentRequest.generation_config: response_schema and response_json_schema cannot both be set.",
  },
  {
    broken: ({ cachedContent }) => cachedContent !== undefined,
    message: "CachedContent not found (or permission denied)",
  },
  ...conversationRules,
];
