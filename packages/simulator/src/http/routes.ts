import type { RequestContent } from "../content/request-content.ts";
import { inputTokens } from "../content/tokens.ts";
import { conversationStateOf } from "../model/conversation-state.ts";
import { fileBatches } from "../protocols/batches/files.ts";
import { messageBatches } from "../protocols/batches/messages.ts";
import { complete } from "../protocols/chatstyle/complete.ts";
import { embed } from "../protocols/chatstyle/embed.ts";
import { editImages, generateImages } from "../protocols/chatstyle/images.ts";
import { chatstyle } from "../protocols/chatstyle/index.ts";
import { moderate } from "../protocols/chatstyle/moderate.ts";
import { speak } from "../protocols/chatstyle/speech.ts";
import { transcribe, translate } from "../protocols/chatstyle/transcribe.ts";
import { conversestyle } from "../protocols/conversestyle/index.ts";
import { files } from "../protocols/files/index.ts";
import { batchEmbed as batchEmbedContents, embed as embedContent } from "../protocols/genstyle/embed.ts";
import { generateImage, streamImage, wantsImage } from "../protocols/genstyle/image.ts";
import { genstyle } from "../protocols/genstyle/index.ts";
import { predictEmbeddings } from "../protocols/genstyle/predict.ts";
import { readCount as countContents } from "../protocols/genstyle/read.ts";
import { downloadFilm, readFilm, startFilm } from "../protocols/genstyle/video.ts";
import { mediastyle } from "../protocols/mediastyle/index.ts";
import { msgstyle } from "../protocols/msgstyle/index.ts";
import { readCount as countMessages } from "../protocols/msgstyle/read.ts";
import type { Call, Protocol } from "../protocols/protocol.ts";
import { reranking } from "../protocols/rerank/index.ts";
import { responses } from "../protocols/responses/index.ts";
import { read as readResponse } from "../protocols/responses/read.ts";
import type { Route } from "../protocols/route.ts";
import { routerstyle } from "../protocols/routerstyle/index.ts";
import { speechstyle } from "../protocols/speechstyle/index.ts";

const counted =
  (read: (body: unknown, call: Call) => RequestContent, write: (tokens: number) => unknown): Route["plain"] =>
  (body, call) => {
    const content = read(body, call);
    const tokens = inputTokens(content);
    return { text: conversationStateOf(content).text, input: 0, write: () => write(tokens) };
  };

const model = "(?<model>.+)";
const contents = (verb: string): RegExp => new RegExp(`^/models/${model}:${verb}$`);

/** A row of a protocol that generates text. */
const textRoute = (protocol: Protocol, path: RegExp, rest: Partial<Route> = {}): Route => ({
  method: "POST",
  path,
  protocol,
  text: protocol,
  operation: "generate",
  ...rest,
});

const ROUTES: Route[] = [
  textRoute(chatstyle, /^\/chat\/completions$/),
  textRoute(responses, /^\/responses$/),
  textRoute(msgstyle, /^\/messages$/),
  textRoute(conversestyle, new RegExp(`^/model/${model}/converse$`), { streams: false }),
  textRoute(conversestyle, new RegExp(`^/model/${model}/converse-stream$`), { streams: true }),
  textRoute(genstyle, contents("generateContent"), {
    streams: false,
    when: wantsImage,
    media: generateImage,
  }),
  textRoute(genstyle, contents("streamGenerateContent"), {
    streams: true,
    when: wantsImage,
    media: streamImage,
  }),
  {
    method: "POST",
    path: /^\/messages\/count_tokens$/,
    protocol: msgstyle,
    operation: "count",
    plain: counted(countMessages, (tokens) => ({ input_tokens: tokens })),
  },
  {
    method: "POST",
    path: /^\/responses\/input_tokens$/,
    protocol: responses,
    operation: "count",
    plain: counted(
      (body, call) => readResponse(body, call).content,
      (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
    ),
  },
  {
    method: "POST",
    path: contents("countTokens"),
    protocol: genstyle,
    operation: "count",
    plain: counted(countContents, (tokens) => ({ totalTokens: tokens })),
  },
  { method: "POST", path: /^\/completions$/, protocol: chatstyle, operation: "embed", plain: complete },
  {
    method: "POST",
    path: /^\/fim\/completions$/,
    protocol: chatstyle,
    operation: "embed",
    plain: complete,
  },
  { method: "POST", path: /^\/embeddings$/, protocol: chatstyle, operation: "embed", plain: embed },
  { method: "POST", path: /^\/moderations$/, protocol: chatstyle, operation: "moderate", plain: moderate },
  ...reranking,
  {
    method: "POST",
    path: contents("embedContent"),
    protocol: genstyle,
    operation: "embed",
    plain: embedContent,
  },
  {
    method: "POST",
    path: contents("batchEmbedContents"),
    protocol: genstyle,
    operation: "embed",
    plain: batchEmbedContents,
  },
  {
    method: "POST",
    path: /^\/images\/generations$/,
    protocol: chatstyle,
    operation: "image",
    media: generateImages,
  },
  { method: "POST", path: /^\/images\/edits$/, protocol: chatstyle, operation: "image", media: editImages },
  { method: "POST", path: /^\/audio\/speech$/, protocol: chatstyle, operation: "speech", media: speak },
  {
    method: "POST",
    path: /^\/audio\/transcriptions$/,
    protocol: chatstyle,
    operation: "transcription",
    media: transcribe,
  },
  {
    method: "POST",
    path: /^\/audio\/translations$/,
    protocol: chatstyle,
    operation: "transcription",
    media: translate,
  },
  {
    method: "POST",
    path: contents("predictLongRunning"),
    protocol: genstyle,
    operation: "video",
    media: startFilm,
  },
  {
    method: "POST",
    path: contents("predict"),
    protocol: genstyle,
    operation: "embed",
    plain: predictEmbeddings,
  },
  {
    method: "POST",
    path: contents("fetchPredictOperation"),
    protocol: genstyle,
    operation: "task",
    media: readFilm,
  },
  {
    method: "GET",
    path: new RegExp(`^/models/${model}/operations/(?<id>[^/]+)$`),
    protocol: genstyle,
    operation: "task",
    media: readFilm,
  },
  {
    method: "GET",
    path: /^\/files\/(?<file>[^/:]+):download$/,
    protocol: genstyle,
    operation: "file",
    media: downloadFilm,
  },
  ...speechstyle,
  ...mediastyle,
  ...routerstyle,
  ...fileBatches,
  ...messageBatches,
  ...files,
];

/** The protocol of a listing: three share one path, and differ in the place of the key and in the prefix. */
function listedProtocol(prefix: string, headers: Record<string, string>, query: URLSearchParams): Protocol {
  if (prefix === "v1beta" || headers["x-goog-api-key"] || query.has("key")) return genstyle;
  return headers["x-api-key"] || headers["anthropic-version"] || headers["msgstyle-version"]
    ? msgstyle
    : chatstyle;
}

/** Decodes a path, in which models may have escaped slashes. An invalid escape matches no route. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return "";
  }
}

/** The route of a request and what its path names. */
export function findRoute(
  method: string,
  url: URL,
  headers: Record<string, string>,
): { route: Route; params: Record<string, string> } | undefined {
  const [, prefix = "", path = ""] = decoded(url.pathname).match(/^(?:\/(v1|v1beta))?(\/.*)$/) ?? [];
  if (method === "GET" && path === "/models") {
    const protocol = listedProtocol(prefix, headers, url.searchParams);
    const route: Route = { method, path: /models/, protocol, text: protocol, operation: "list" };
    return { route, params: {} };
  }
  const action = url.searchParams.get("Action");
  for (const route of ROUTES) {
    if (route.method !== method || (route.action !== undefined && route.action !== action)) continue;
    const match = path.match(route.path);
    if (match) return { route, params: { ...match.groups } };
  }
  return undefined;
}
