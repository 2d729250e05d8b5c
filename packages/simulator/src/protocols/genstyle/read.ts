import type * as z from "zod";
import { firstFinding } from "../../check/finding.ts";
import { decodeAnyBase64 } from "../../check/media.ts";
import { checkRules } from "../../check/rule.ts";
import type { JsonObject, Media, Part, RequestContent, Text } from "../../content/request-content.ts";
import { Refusal } from "../../refusal.ts";
import type { Call } from "../protocol.ts";
import { toRefusal } from "./errors.ts";
import { rules } from "./rules.ts";
import { type Body, countSchema, schema, type WirePart } from "./schema.ts";

const KINDS: [RegExp, Media["kind"]][] = [
  [/^image\//, "image"],
  [/^audio\//, "audio"],
  [/^video\//, "video"],
];

export function mediaOf({
  inlineData,
  fileData,
}: Pick<WirePart, "inlineData" | "fileData">): Media | undefined {
  const mimeType = inlineData?.mimeType ?? fileData?.mimeType ?? "";
  const kind = KINDS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? "document";
  if (inlineData)
    return { type: "media", kind, label: mimeType, size: decodeAnyBase64(inlineData.data)?.length ?? 0 };
  return fileData ? { type: "media", kind, label: fileData.fileUri } : undefined;
}

/** The text a response holds: its only text under the names servers read, else all of it as JSON. */
function responseText(response: JsonObject): { text: string; failed: boolean } {
  const keys = Object.keys(response);
  const only = keys.length === 1 ? response[keys[0]!] : undefined;
  const failed = "error" in response;
  if (typeof only === "string" && ["output", "result", "error", "content"].includes(keys[0]!))
    return { text: only, failed };
  return { text: JSON.stringify(response), failed };
}

function partOf(part: WirePart, id: string): Part | undefined {
  if (part.functionCall) {
    const { name, args = {} } = part.functionCall;
    return { type: "call", id: part.functionCall.id ?? id, name, args: JSON.stringify(args) };
  }
  if (part.functionResponse) {
    const { name, response, parts = [] } = part.functionResponse;
    const { text, failed } = responseText(response);
    const media = parts.flatMap((inner) => mediaOf(inner) ?? []);
    return {
      type: "result",
      id: part.functionResponse.id ?? id,
      name,
      parts: [{ type: "text", text }, ...media],
      failed,
    };
  }
  if (part.text) return { type: part.thought ? "reasoning" : "text", text: part.text };
  return mediaOf(part);
}

function toolsOf({ tools = [] }: Body): RequestContent["tools"] {
  return tools
    .flatMap((tool) => tool.functionDeclarations ?? [])
    .map(({ name, description, parameters, parametersJsonSchema }) => ({
      name,
      description,
      schema: parametersJsonSchema ?? parameters ?? { type: "object", properties: {} },
    }));
}

function choiceOf({ toolConfig }: Body): RequestContent["choice"] {
  const { mode = "AUTO", allowedFunctionNames: names } = toolConfig?.functionCallingConfig ?? {};
  const picked = names && names.length > 0 ? { names } : {};
  if (mode === "NONE") return { mode: "none" };
  return { mode: mode === "ANY" ? "any" : "auto", ...picked };
}

function contentOf(body: Body): RequestContent {
  const config = body.generationConfig ?? {};
  const thinking = config.thinkingConfig;
  const json = config.responseMimeType === "application/json";
  const textsOf = (parts: WirePart[] = []): Text[] =>
    parts.flatMap(({ text }) => (text ? [{ type: "text" as const, text }] : []));
  return {
    system: textsOf(body.systemInstruction?.parts),
    turns: body.contents.map(({ role, parts = [] }, index) => ({
      role: role === "model" ? "assistant" : "user",
      parts: parts.flatMap((part, position) => partOf(part, `${index}.${position}`) ?? []),
    })),
    tools: toolsOf(body),
    choice: choiceOf(body),
    parallel: true,
    format: json
      ? { type: "json", schema: config.responseJsonSchema ?? config.responseSchema }
      : { type: "text" },
    reasoning: thinking !== undefined && thinking.thinkingBudget !== 0,
    ...(config.maxOutputTokens === undefined ? {} : { limit: config.maxOutputTokens }),
    stop: config.stopSequences ?? [],
    alternatives: config.candidateCount ?? 1,
  };
}

export function checked<S extends z.ZodType>(shape: S, input: unknown): z.infer<S> {
  const parsed = shape.safeParse(input);
  if (!parsed.success) throw toRefusal(firstFinding(parsed.error, input));
  return parsed.data;
}

export function read(input: unknown, call: Call): { body: Body; content: RequestContent } {
  // The model stands in the path; a body that names another one is not what its sender meant.
  const body = { ...checked(schema, input), model: call.model };
  checkRules(rules, body, call);
  return { body, content: contentOf(body) };
}

/** A prompt whose tokens are only to be counted. */
export function readCount(input: unknown, call: Call): RequestContent {
  const { contents, generateContentRequest } = checked(countSchema, input);
  if (contents && generateContentRequest)
    throw new Refusal(
      "invalid",
      "* CountTokensRequest: only one of contents and generate_content_request may be set.",
    );
  return read(generateContentRequest ?? { contents: contents ?? [] }, call).content;
}
