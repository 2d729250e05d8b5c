import { escapePointer } from "../ir/extra.ts";
import { toSource } from "../ir/media-source.ts";
import { isObject, type Json, type JsonObject, lookup, textOf } from "../json/json.ts";
import type { Ask, RequestedParam, RequestedPart } from "./ask.ts";
import { isKnown, knownParams } from "./fields.ts";
import { bytesOf } from "./requested-media.ts";
import type { Form, MediaKind, Operation } from "./terms.ts";

/** The content parts of the native interface: what they bring, and how. */
export const partTypes: Record<string, { kind: MediaKind; form: Form }> = {
  imageUrl: { kind: "image", form: "url" },
  imageBase64: { kind: "image", form: "base64" },
  videoUrl: { kind: "video", form: "url" },
  videoBase64: { kind: "video", form: "base64" },
  audioUrl: { kind: "audio", form: "url" },
  audioBase64: { kind: "audio", form: "base64" },
  kycImageAssetId: { kind: "image", form: "asset" },
  kycVideoAssetId: { kind: "video", form: "asset" },
  kycAudioAssetId: { kind: "audio", form: "asset" },
};

/** The role that a part has where its caller sets none. */
export const assumedRoles: { [Of in Operation]?: { [Kind in MediaKind]?: string } } = {
  video: { image: "referenceImage" },
};

/** Members of a body that are no parameters. */
const others = new Set(["model", "content", "stream"]);

/** The spelling of a body that is not the native one. */
export interface BodySpelling {
  /** Pointers of parameters by name: `{ numberOfImages: "/n" }`. Members that no pointer names go by their own name. */
  names?: Readonly<Record<string, string>>;
  /** Further members that are no parameters: `prompt`, `provider`. */
  others?: readonly string[];
}

/**
 * Reads the wants of an image, video, speech or embedding request from its body. `parts` are read from `content`;
 * the caller adds what it has measured since (bytes, seconds, pixels).
 */
export function askOfBody(
  operation: Exclude<Operation, "text">,
  model: string,
  body: JsonObject,
  spelling: BodySpelling = {},
): Ask {
  const names = new Map(knownParams[operation].map((name) => [name, `/${name}`]));
  for (const [name, pointer] of Object.entries(spelling.names ?? {})) names.set(name, pointer);
  const spelled = new Map([...names].map(([name, pointer]) => [pointer, name]));
  const params = Object.entries(body).flatMap(([field, value]): RequestedParam[] => {
    if (value === null || value === undefined) return [];
    if (others.has(field) || spelling.others?.includes(field)) return [];
    const path = `/${escapePointer(field)}`;
    const name = spelled.get(path) ?? field;
    return [{ name, path, value, ...(!isKnown(operation, name) && { extra: true }) }];
  });
  return {
    operation,
    model,
    params,
    parts: partsOfContent(operation, body.content),
    content: "/content",
    names,
  };
}

/** The media among native content parts. Parts of a type that is not known are left to the body's schema. */
export function partsOfContent(operation: Operation, content: Json | undefined): RequestedPart[] {
  return (Array.isArray(content) ? content : []).flatMap((json, i): RequestedPart[] => {
    const type = isObject(json) ? lookup(partTypes, textOf(json.type) ?? "") : undefined;
    if (!type || !isObject(json)) return [];
    const data = textOf(json.data) ?? "";
    const source = data.startsWith("data:") ? toSource(data) : undefined;
    const mediaType = source?.mediaType ?? textOf(json.mediaType);
    const assumed = assumedRoles[operation]?.[type.kind];
    const role = textOf(json.role) ?? assumed;
    return [
      {
        ...type,
        path: `/content/${i}`,
        ...(role !== undefined && { role }),
        ...(role !== undefined && json.role === undefined && { roleAssumed: true as const }),
        ...(mediaType !== undefined && { mediaType }),
        ...(type.form === "base64" && {
          bytes: bytesOf(source?.type === "base64" ? source.data : data),
        }),
      },
    ];
  });
}
