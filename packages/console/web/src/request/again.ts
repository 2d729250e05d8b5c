import { toCurl } from "../api/curl.ts";
import { isWireName, WIRES } from "../codecs/wires.ts";
import type { SurfaceName } from "../play/surfaces.ts";
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
  // No playground has these.
  if (modality === "ranking" || modality === "moderation") return undefined;
  if (surface === "msgstyle") return "messages";
  if (surface === "genstyle" && "contents" in request) return "generate";
  if (surface === "chatstyle" && "messages" in request) return "chat";
  // Both have an input; a vector has no output tokens. Text that is read aloud has no pane of this surface.
  if (surface === "chatstyle" && "input" in request && modality !== "audio")
    return usage?.completionTokens === 0 ? "embeddings" : "responses";
  if (surface !== "native") return undefined;
  if ("messages" in request) return "native";
  if (modality === "image" || modality === "video") return modality;
  if (modality !== "audio") return undefined;
  if ("voiceType" in request) return "reading";
  return "textPrompt" in request ? "reference" : undefined;
}

/** Where a kept request can be opened to be sent again, if anywhere. */
export function playgroundOf(one: StoredRequest & Pick<Detail, "id">): string | undefined {
  const surface = one.request && surfaceOfKept(one);
  if (surface === undefined) return undefined;
  return `/console/${isWireName(surface) ? "play" : "media"}?request=${encodeURIComponent(one.id)}`;
}

/** A request of text as a command. */
export function curlOf(one: StoredRequest, origin: string): string | undefined {
  const surface = surfaceOfKept(one);
  if (surface === undefined || !isWireName(surface) || !one.request) return undefined;
  const url = origin + WIRES[surface].path(one.model);
  const credential = { header: "x-api-key", variable: "MANIFOLD_KEY" };
  return toCurl({ method: "POST", url, credential, body: one.request });
}
