import { noTrace, type Trace } from "../../codec/caller-codec.ts";
import { paramFields, readParams } from "../../codec/params.ts";
import { fromProtoSchema } from "../../dialect/from-proto-schema.ts";
import type { Format, TextRequest } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, rest, toObject } from "../../json/json.ts";
import { canonical } from "./casing.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeAsk } from "./decode-reasoning.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";
import { configFields, imageFields, params } from "./params.ts";
import { JSON_TYPE, leftIn, toExtra } from "./parts.ts";
import type { Wire } from "./schema.ts";

/** The path names the model and whether to stream, so these members of a body are ignored. */
const knownFields = new Set([
  ...paramFields(params),
  "model",
  "stream",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
]);
const readConfig = new Set([...configFields, "thinkingConfig", "imageConfig", "speechConfig"]);
const formatFields = new Set(["responseMimeType", "responseSchema", "responseJsonSchema"]);

export function decodeRequest(wire: Wire, trace: Trace = noTrace): TextRequest {
  const record = canonical(wire) as JsonObject;
  const config = toObject(record.generationConfig);
  const tools = decodeTools(record.tools, trace);
  const { choice, remaining: choiceLeft } = decodeToolChoice(record.toolConfig);
  const { ask, remaining: askLeft } = decodeAsk(toObject(config.thinkingConfig));
  const format = decodeFormat(config);
  const generation = {
    ...rest(config, format ? new Set([...readConfig, ...formatFields]) : readConfig),
    ...(askLeft && { thinkingConfig: askLeft }),
    ...leftIn("imageConfig", config.imageConfig, imageFields),
    ...withoutVoice(config.speechConfig),
  };
  const left: JsonObject = {
    ...(Object.keys(generation).length > 0 && { generationConfig: generation }),
    ...(choiceLeft && { toolConfig: choiceLeft }),
  };
  const { extra } = toExtra({ ...rest(record, knownFields), ...left });
  const partial = Object.keys(left);
  return {
    model: "",
    stream: false,
    messages: decodeMessages(record, trace),
    ...(tools.length > 0 && { tools }),
    ...(choice && { toolChoice: choice }),
    ...(ask && { reasoning: ask }),
    ...(format && { format }),
    params: readParams(params, record),
    ...(extra && { extra: partial.length > 0 ? { ...extra, partial } : extra }),
  };
}

const voiceName = new Set(["voiceName"]);
const prebuilt = new Set(["prebuiltVoiceConfig"]);
const voiceConfig = new Set(["voiceConfig"]);

/** The settings of speech without the voice, which is a parameter. */
function withoutVoice(json: Json | undefined): JsonObject {
  const speech = toObject(json);
  const voice = toObject(speech.voiceConfig);
  const left = {
    ...rest(voice, prebuilt),
    ...leftIn("prebuiltVoiceConfig", voice.prebuiltVoiceConfig, voiceName),
  };
  const all = { ...rest(speech, voiceConfig), ...(Object.keys(left).length > 0 && { voiceConfig: left }) };
  return Object.keys(all).length > 0 ? { speechConfig: all } : {};
}

/** The requested shape of the answer. Types that the IR does not model stay in `extra`, with their schema. */
function decodeFormat(config: JsonObject): Format | undefined {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const schema =
    responseJsonSchema ?? (isObject(responseSchema) ? fromProtoSchema(responseSchema) : undefined);
  if (type === "text/plain" && schema === undefined) return { type: "text" };
  if (type !== undefined && type !== JSON_TYPE) return undefined;
  if (schema !== undefined) return { type: "schema", schema };
  return type === JSON_TYPE ? { type: "json" } : undefined;
}
