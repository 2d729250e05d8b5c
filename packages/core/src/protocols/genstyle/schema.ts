import { paramShape } from "../../codec/param-schemas.ts";
import type { JsonObject } from "../../json/json.ts";
import {
  any,
  array,
  boolean,
  type Infer,
  number,
  object,
  optional,
  record,
  string,
} from "../../schema/node.ts";
import { validator } from "../../schema/validator.ts";
import { canonical } from "./casing.ts";
import { params } from "./params.ts";

const text = optional(string());
const json = optional(any());
const data = optional(record("must be an object"));

const part = object({
  text,
  thought: optional(boolean()),
  thoughtSignature: text,
  inlineData: optional(object({ mimeType: text, data: string() })),
  fileData: optional(object({ mimeType: text, fileUri: string() })),
  functionCall: optional(object({ id: text, name: text, args: data })),
  functionResponse: optional(
    object({ id: text, name: text, response: data, parts: optional(array(record("must be an object"))) }),
  ),
});

const content = object({ role: text, parts: optional(array(part)) });

const tool = object({
  functionDeclarations: optional(
    array(object({ name: string(), description: text, parameters: data, parametersJsonSchema: json })),
  ),
});

const toolConfig = object({
  functionCallingConfig: optional(object({ mode: text, allowedFunctionNames: optional(array(string())) })),
});

const VOICE = "generationConfig.speechConfig.voiceConfig.prebuiltVoiceConfig";
const voice = object({ prebuiltVoiceConfig: optional(object(paramShape(params, VOICE))) });

const generationConfig = object({
  ...paramShape(params, "generationConfig"),
  responseMimeType: text,
  responseSchema: data,
  responseJsonSchema: json,
  speechConfig: optional(object({ voiceConfig: optional(voice) })),
  imageConfig: optional(object(paramShape(params, "generationConfig.imageConfig"))),
  thinkingConfig: optional(
    object({ includeThoughts: optional(boolean()), thinkingBudget: optional(number()), thinkingLevel: text }),
  ),
});

const request = object({
  contents: array(content, { min: 1, message: "At least one content is needed" }),
  systemInstruction: optional(content),
  tools: optional(array(tool)),
  toolConfig: optional(toolConfig),
  generationConfig: optional(generationConfig),
  ...paramShape(params),
});
export type Wire = Infer<typeof request>;

/**
 * A request for content, loose: unknown members pass. Both casings are taken, and a string or a single object
 * where a list of contents, parts or tools stands; the value that comes out is written in one way.
 */
export const schema = validator(request, { prepare: canonical });

/** A part of a reply. One of text, media, call or server-run work; the others say more about it. */
export interface ReplyPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  inlineData?: { mimeType?: string; data?: string };
  fileData?: { mimeType?: string; fileUri?: string };
  functionCall?: { id?: string; name?: string; args?: JsonObject };
}

export interface ReplyCandidate {
  index: number;
  content: { role: "model"; parts: ReplyPart[] };
  finishReason?: FinishWord;
  finishMessage?: string;
  groundingMetadata?: GroundingMetadata;
  logprobsResult?: LogprobsResult;
}

/** The sources of the answer's text. Offsets count the bytes of its UTF-8. */
export interface GroundingMetadata {
  groundingChunks: GroundingChunk[];
  groundingSupports: {
    segment: { startIndex: number; endIndex: number; text: string };
    groundingChunkIndices: number[];
  }[];
}
export interface GroundingChunk {
  web?: { uri: string; title?: string };
  retrievedContext?: { uri?: string; title?: string; text?: string };
}

export interface LogprobsResult {
  chosenCandidates: { token: string; logProbability: number }[];
  topCandidates: { candidates: { token: string; logProbability: number }[] }[];
}

export interface UsageMetadata {
  promptTokenCount: number;
  candidatesTokenCount: number;
  totalTokenCount: number;
  thoughtsTokenCount?: number;
  cachedContentTokenCount?: number;
  promptTokensDetails?: ModalityCount[];
  candidatesTokensDetails?: ModalityCount[];
}
export interface ModalityCount {
  modality: "TEXT" | "IMAGE" | "AUDIO";
  tokenCount: number;
}

export type FinishWord =
  | "STOP"
  | "MAX_TOKENS"
  | "SAFETY"
  | "RECITATION"
  | "LANGUAGE"
  | "OTHER"
  | "BLOCKLIST"
  | "PROHIBITED_CONTENT"
  | "SPII"
  | "MALFORMED_FUNCTION_CALL"
  | "UNEXPECTED_TOOL_CALL"
  | "TOO_MANY_TOOL_CALLS"
  | "MALFORMED_RESPONSE"
  | "MISSING_THOUGHT_SIGNATURE"
  | "IMAGE_SAFETY"
  | "IMAGE_PROHIBITED_CONTENT"
  | "IMAGE_RECITATION"
  | "IMAGE_OTHER"
  | "NO_IMAGE"
  | "CONTINUATION";

/** A stream's chunk and a unary body: parts are increments in the one and all there is in the other. */
export interface Response {
  candidates?: ReplyCandidate[];
  usageMetadata?: UsageMetadata;
  modelVersion?: string;
  responseId?: string;
}
export interface ErrorBody {
  error: { code: number; message: string; status: string; details?: JsonObject[] };
}
export type Chunk = Response | ErrorBody;
export type Body = Response | ErrorBody;
