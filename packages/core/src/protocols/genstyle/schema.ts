import * as z from "zod";
import { paramShape } from "../../codec/param-schemas.ts";
import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { canonical } from "./casing.ts";
import { params } from "./params.ts";

/** The user's own JSON: looked at, never copied. */
const data = z.custom<JsonObject>(isObject, "must be an object");

const blob = z.looseObject({ mimeType: z.string().optional(), data: z.string() });
const file = z.looseObject({ mimeType: z.string().optional(), fileUri: z.string() });

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  inlineData: blob.optional(),
  fileData: file.optional(),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string().optional(), args: data.optional() })
    .optional(),
  functionResponse: z
    .looseObject({
      id: z.string().optional(),
      name: z.string().optional(),
      response: data.optional(),
      parts: z.array(data).optional(),
    })
    .optional(),
});

const content = z.looseObject({ role: z.string().optional(), parts: z.array(part).optional() });

const tool = z.looseObject({
  functionDeclarations: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional(),
        parameters: data.optional(),
        parametersJsonSchema: z.custom<Json>().optional(),
      }),
    )
    .optional(),
});

const toolConfig = z.looseObject({
  functionCallingConfig: z
    .looseObject({ mode: z.string().optional(), allowedFunctionNames: z.array(z.string()).optional() })
    .optional(),
});

const generationConfig = z.looseObject({
  ...paramShape(params, "generationConfig"),
  responseMimeType: z.string().optional(),
  responseSchema: data.optional(),
  responseJsonSchema: z.custom<Json>().optional(),
  thinkingConfig: z
    .looseObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.number().optional(),
      thinkingLevel: z.string().optional(),
    })
    .optional(),
});

/**
 * A request for content, loose: unknown members pass. Both casings are taken, and a string or a single object
 * where a list of contents, parts or tools stands; the value that comes out is written in one way.
 */
export const schema = z.preprocess(
  canonical,
  z.looseObject({
    contents: z.array(content).min(1, "At least one content is needed"),
    systemInstruction: content.optional(),
    tools: z.array(tool).optional(),
    toolConfig: toolConfig.optional(),
    generationConfig: generationConfig.optional(),
    ...paramShape(params),
  }),
);
export type Wire = z.infer<typeof schema>;

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
