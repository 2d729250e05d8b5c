import { samples } from "@manifold-gateway/simulator";
import { askOf, callers } from "../../../support/wires/index.ts";
import type { Payer } from "./config.ts";
import type { Draw } from "./draw.ts";
import { SECONDS } from "./models.ts";

/** One request as it is sent. */
export interface Asked {
  path: string;
  body: object;
  headers?: Record<string, string>;
  payer?: Payer;
  /** Its caller leaves: after so many ms, or at the first piece of the answer. */
  leaves?: number | "early";
  /** Something in it may keep the provider's figures from the gateway. */
  isSpoiled?: boolean;
  /** The answers to requests of this mark are one answer. */
  shared?: string;
  /** What it begins is cancelled. */
  cancels?: (id: string) => string;
}

const TEXTS = ["chat", "responses", "messages", "generate", "converse"];
/** Faults by what can become of them: those in the middle of an answer keep figures back. */
const EARLY = [
  "status=503",
  "status=500,times=1",
  "status=429,times=1",
  "status=400",
  "reset",
  "html",
  "delay=5000",
];
const UNARY = ["cut=40", "malformed", "empty", "no-usage", "gzip", "stall=5000"];
const STREAMED = ["cut=500", "error-after=2", "no-done", "no-usage", "malformed", "stall=5000", "gzip"];
const words = (draw: Draw, most: number): string => "some words ".repeat(1 + draw.below(most));

/** A directive of a fault in some of the requests. Those of a time limit are rare, since each takes it. */
function faultOf(draw: Draw, middle: readonly string[]): Pick<Asked, "isSpoiled"> & { fault: string } {
  if (!draw.is(0.35)) return { fault: "" };
  const fault = draw.one([...EARLY, ...middle]);
  if (/=5000$/.test(fault) && !draw.is(0.1)) return { fault: "" };
  return { fault: `[[fault:${fault}]] `, isSpoiled: middle.includes(fault) };
}

const tagged = (mark: string, headers: Record<string, string> = {}): Record<string, string> => ({
  "x-tags": `mark=${mark}`,
  ...headers,
});

/** A text on any surface, with any protocol behind it. */
function text(mark: string, draw: Draw, model = draw.one(TEXTS), more: object = {}): Asked {
  const stream = draw.is(0.5);
  const { fault, isSpoiled } = faultOf(draw, stream ? STREAMED : UNARY);
  const leaves = !fault && draw.is(0.12);
  const pace = leaves ? (stream ? "[[fault:slow=8]] " : "[[fault:delay=150]] ") : fault;
  const [path, body] = askOf(draw.one([...callers, "native" as const]), model, stream);
  const said = JSON.stringify({ ...body, ...more }).replace(/hello/i, `${mark} ${pace}${words(draw, 40)}`);
  return {
    ...{ path, body: JSON.parse(said), headers: tagged(mark) },
    ...(leaves && { leaves: stream ? ("early" as const) : 60 }),
    ...(isSpoiled && { isSpoiled }),
  };
}

const guarded = (mark: string, draw: Draw): Asked => {
  const word = draw.one([
    "nothing",
    "maskme",
    "refuseme",
    "silentme",
    "replymask",
    "replyrefuse",
    "replysilent",
  ]);
  const stream = draw.is(0.5);
  const [path, body] = askOf(draw.one(callers), draw.one(TEXTS), stream);
  const said = JSON.stringify(body).replace(/hello/i, `${mark} ${word}. ${words(draw, 20)}`);
  return { path, body: JSON.parse(said), headers: tagged(mark), payer: "guarded" };
};

const cached = (mark: string, draw: Draw): Asked => {
  const shared = `same-${draw.below(6)}-`;
  const stream = draw.is(0.5);
  const [path, body] = askOf(draw.one(callers.slice(0, 2)), "messages", stream);
  const said = JSON.stringify(body).replace(/hello/i, shared);
  const headers = tagged(mark, { "x-cache": "max-age=3600, any" });
  return { path, body: JSON.parse(said), headers, shared, payer: draw.one(["payer", "guarded"] as const) };
};

const plain = (mark: string, draw: Draw): { text: string; more: Partial<Asked> } => {
  const { fault, isSpoiled } = faultOf(draw, UNARY);
  const leaves = !fault && draw.is(0.1);
  return {
    text: `${mark} ${leaves ? "[[fault:delay=150]] " : fault}${words(draw, 10)}`,
    more: { headers: tagged(mark), ...(isSpoiled && { isSpoiled }), ...(leaves && { leaves: 60 }) },
  };
};

function embedding(mark: string, draw: Draw): Asked {
  const { text, more } = plain(mark, draw);
  const model = draw.one(["embed-chat", "embed-chat", "embed-generate", "embed-router", "embed-liar"]);
  if (draw.is(0.2))
    return {
      path: `/api/genstyle/v1beta/models/${model}:embedContent`,
      body: { content: { parts: [{ text }] } },
      ...more,
    };
  return { path: "/api/chatstyle/v1/embeddings", body: { model, input: text }, ...more };
}

function ranking(mark: string, draw: Draw): Asked {
  const { text: query, more } = plain(mark, draw);
  const model = draw.one(["rank", "rank-search", "rank-before", "rank-score", "rank-top", "rank-liar"]);
  const documents = Array.from(
    { length: 1 + draw.below(120) },
    (_, at) => `document ${at} ${words(draw, 8)}`,
  );
  return {
    path: `/api/chatstyle/${draw.one(["v1", "v2"])}/rerank`,
    body: { model, query, documents, ...(draw.is(0.5) && { top_n: 3 }) },
    ...more,
  };
}

function moderation(mark: string, draw: Draw): Asked {
  const { text, more } = plain(mark, draw);
  const image = `data:image/png;base64,${samples.png(8, 8).toString("base64")}`;
  const parts = [
    { type: "text", text },
    { type: "image_url", image_url: { url: image } },
  ];
  const model = draw.one(["moderates", "free"]);
  const input = model === "moderates" && draw.is(0.3) ? parts : draw.one([text, [text, "another text"]]);
  return { path: "/api/chatstyle/v1/moderations", body: { model, input }, ...more };
}

const RECORDINGS = (["wav", "mp3", "flac", "opus", "aac"] as const).map((kind) => ({
  kind,
  bytes: samples[kind](SECONDS),
}));

async function transcription(mark: string, draw: Draw): Promise<Asked> {
  const model = draw.one(["seconds", "tokens", "speakers", "generate"]);
  const translates = model === "seconds" && draw.is(0.3);
  const stream = !translates && model !== "seconds" && draw.is(0.5);
  const { fault, isSpoiled } = faultOf(draw, stream ? STREAMED : UNARY);
  const leaves = stream && !fault && draw.is(0.2);
  const { kind, bytes } = draw.one(RECORDINGS);
  const form = new FormData();
  form.append("model", model);
  form.append("prompt", `${mark} ${leaves ? "[[fault:slow=30]]" : fault}`);
  if (stream) form.append("stream", "true");
  if (model === "seconds")
    form.append("response_format", draw.one(["json", "text", "srt", "vtt", "verbose_json"]));
  if (model === "speakers") form.append("response_format", draw.one(["json", "diarized_json"]));
  form.append("file", new File([new Uint8Array(bytes)], `${mark}.${kind}`));
  const packed = new Response(form);
  return {
    path: `/api/chatstyle/v1/audio/${translates ? "translations" : "transcriptions"}`,
    body: Buffer.from(await packed.arrayBuffer()),
    headers: tagged(mark, { "content-type": packed.headers.get("content-type")! }),
    ...(isSpoiled && { isSpoiled }),
    ...(leaves && { leaves: "early" as const }),
  };
}

function speech(mark: string, draw: Draw): Asked {
  const model = draw.one(["says", "says", "says-characters", "seed-tts-2.0"]);
  const isSse = model !== "says-characters" && draw.is(0.5);
  const { fault, isSpoiled } = faultOf(draw, isSse ? STREAMED : UNARY);
  const leaves = isSse && !fault && draw.is(0.2);
  return {
    path: "/api/chatstyle/v1/audio/speech",
    body: {
      model,
      input: `${mark} ${leaves ? "[[fault:slow=30]] " : fault}${words(draw, 10)}`,
      voice: model === "seed-tts-2.0" ? VOICE : "alloy",
      ...(isSse && { stream_format: "sse" }),
    },
    headers: tagged(mark),
    isSpoiled: isSpoiled || (model === "says" && !isSse),
    ...(leaves && { leaves: "early" as const }),
  };
}

const VOICE = "zh_female_vv_uranus_bigtts";
const OUTCOMES = [
  "",
  "",
  "",
  "[[outcome:queued=1,running=2]]",
  "[[outcome:fail=moderation]]",
  "[[outcome:fail=internal]]",
];

/** Work that outlives its request. */
function job(mark: string, draw: Draw): Asked {
  const outcome = draw.one(OUTCOMES);
  const fault =
    !outcome && draw.is(0.15) ? draw.one(["[[fault:status=503,times=1]]", "[[fault:status=400]]"]) : "";
  const content = [{ type: "text", text: `${mark} ${outcome}${fault} a turtle` }];
  const headers = tagged(mark);
  const kind = draw.one(["image", "image", "video", "speech"]);
  if (kind === "speech")
    return {
      path: "/api/v1/audio/text-to-speech",
      body: { text: `${mark} ${outcome}${fault} a turtle`, voiceType: VOICE },
      headers,
    };
  if (kind === "image")
    return {
      path: "/api/v1/image/generations/async",
      body: { model: draw.one(["image", "image-chat", "image-router"]), content },
      headers,
      ...(draw.is(0.2) && { cancels: (id: string) => `/api/v1/image/generations/async/${id}` }),
    };
  return {
    path: "/api/v1/video/generations",
    body: { model: draw.one(["video", "video-generate"]), content, duration: draw.one([4, 6, 8]) },
    headers,
    ...(draw.is(0.3) && { cancels: (id: string) => `/api/v1/video/tasks/${id}` }),
  };
}

/** A picture for which its caller waits. */
const picture = (mark: string, draw: Draw): Asked => ({
  path: "/api/chatstyle/v1/images/generations",
  body: { model: draw.one(["image-chat", "image"]), prompt: `${mark} ${draw.one(OUTCOMES)}`, n: 1 },
  headers: tagged(mark),
});

/** Kinds with how often each is drawn. */
export const KINDS: readonly (readonly [
  name: string,
  share: number,
  make: (mark: string, draw: Draw) => Asked | Promise<Asked>,
])[] = [
  ["text", 34, text],
  ["text of a liar", 4, (mark, draw) => text(mark, draw, "liar")],
  [
    "fallback",
    6,
    (mark, draw) => text(mark, draw, "away", draw.is(0.5) ? { models: ["chat", "generate"] } : {}),
  ],
  ["guarded", 7, guarded],
  ["cached", 8, cached],
  ["embedding", 8, embedding],
  ["ranking", 7, ranking],
  ["moderation", 4, moderation],
  ["transcription", 7, transcription],
  ["speech", 5, speech],
  ["job", 7, job],
  ["picture", 2, picture],
];

const TOTAL = KINDS.reduce((sum, [, share]) => sum + share, 0);

export function drawKind(draw: Draw): (typeof KINDS)[number] {
  let at = draw.below(TOTAL);
  for (const kind of KINDS) {
    if (at < kind[1]) return kind;
    at -= kind[1];
  }
  throw new Error("the shares add up");
}
