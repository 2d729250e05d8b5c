import { toCurl } from "../api/curl.ts";
import { isWireName } from "../codecs/wires.ts";
import { EXPLAINED, type SurfaceName } from "../play/surfaces.ts";
import type { Detail } from "./detail.ts";

type StoredRequest = Pick<Detail, "surface" | "model" | "request"> &
  Partial<Pick<Detail, "modality" | "usage">>;

/** The surface whose body a kept request is; undefined where its form does not say. */
export function surfaceOfKept({
  surface,
  modality,
  request = {},
  usage,
}: StoredRequest): SurfaceName | undefined {
  if (modality === "ranking") return "rerank";
  if (modality === "moderation") return "moderation";
  if (surface === "msgstyle") return "messages";
  if (surface === "genstyle" && "contents" in request) return "generate";
  if (surface === "chatstyle" && "messages" in request) return "chat";
  if (surface === "chatstyle" && modality === "audio")
    return "input" in request ? "speak" : "file" in request ? "transcription" : undefined;
  // Both have an input; a vector has no output tokens.
  if (surface === "chatstyle" && "input" in request)
    return usage?.completionTokens === 0 ? "embeddings" : "responses";
  if (surface !== "native") return undefined;
  if ("messages" in request) return "native";
  if (modality === "image" || modality === "video") return modality;
  if (modality !== "audio") return undefined;
  if ("voiceType" in request) return "reading";
  if ("textPrompt" in request) return "reference";
  return "content" in request || "file" in request ? "transcription" : undefined;
}

/** Where a kept request can be opened to be sent again, if anywhere. */
export function playgroundOf(one: StoredRequest & Pick<Detail, "id">): string | undefined {
  const surface = one.request && surfaceOfKept(one);
  if (surface === undefined) return undefined;
  return `/console/${isWireName(surface) ? "play" : "media"}?request=${encodeURIComponent(one.id)}`;
}

/** Bodies that are sent as JSON, of text or of an operation that one call answers. */
const AS_JSON: ReadonlySet<SurfaceName> = new Set(["embeddings", "speak", "rerank", "moderation"]);

/** A request as a command. */
export function curlOf(one: StoredRequest, origin: string): string | undefined {
  const surface = surfaceOfKept(one);
  if (surface === undefined || !one.request) return undefined;
  if (!isWireName(surface) && !AS_JSON.has(surface)) return undefined;
  const url = origin + EXPLAINED[surface].path(one.model);
  const credential = { header: "x-api-key", variable: "MANIFOLD_KEY" };
  return toCurl({ method: "POST", url, credential, body: one.request });
}
