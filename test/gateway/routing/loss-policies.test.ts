import type { Capabilities } from "@manifold-gateway/core/capability";
import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const flat = { ...price, images: 1_000_000, seconds: 1_000_000, characters: 1_000_000 };
const dropped = (operation: "text" | "embed" | "image" | "video", name: string): Capabilities => ({
  strictParams: true,
  [operation]: { unsupported: { [name]: "drop" } },
});
const of = (id: string, provider: string, makes: string, capabilities?: Capabilities): Model =>
  model(id, provider, {
    outputModalities: [makes],
    entries: [
      { provider, name: id, priority: 1, isActive: true, price: flat, ...(capabilities && { capabilities }) },
    ],
  });

/** Each twice: as its entry is, and strict about parameters. */
const pairs = [
  ["text-abroad", "messages", "text"],
  ["text-content", "genstyle", "text"],
  ["vectors", "genstyle", "embedding"],
  ["pictures", "genstyle", "image"],
  ["films", "genstyle", "video"],
] as const;

let h: Stage;
beforeAll(async () => {
  const messages = defineProvider("messages", {
    origin: "http://127.0.0.1:9",
    speaks: ["msgstyle"],
    key: "k",
  });
  h = await startMediaStage({
    providers: [messages],
    catalog: createCatalog([
      of("text-drops", "chatstyle", "text", dropped("text", "temperature")),
      of("vectors-drop", "chatstyle", "embedding", dropped("embed", "dimensions")),
      of("pictures-drop", "chatstyle", "image", dropped("image", "quality")),
      of("films-drop", "mediastyle", "video", dropped("video", "seed")),
      ...pairs.flatMap(([id, provider, makes]) => [
        of(id, provider, makes),
        of(`strict-${id}`, provider, makes, { strictParams: true }),
      ]),
    ]),
  });
});
afterAll(() => h.close());

const messages = [{ role: "user", content: "Hi." }];
const chat = (more: Json): Json => ({ messages, max_tokens: 9, ...more });
const parts = [{ text: "Hi." }];
const contents = ({ generationConfig, ...more }: Json): Json => ({
  contents: [{ role: "user", parts }],
  generationConfig: { maxOutputTokens: 9, ...generationConfig },
  ...more,
});
const content = [{ type: "text", text: "A door." }];

interface Surface {
  path: string | ((model: string) => string);
  body(more: Json): Json;
}
const surfaces = {
  chat: { path: "/api/chatstyle/v1/chat/completions", body: chat },
  responses: { path: "/api/chatstyle/v1/responses", body: (more) => ({ input: "Hi.", ...more }) },
  messages: { path: "/api/msgstyle/v1/messages", body: chat },
  content: { path: (id) => `/api/genstyle/v1beta/models/${id}:generateContent`, body: contents },
  native: { path: "/api/v1/text/completions", body: (more) => ({ messages, maxTokens: 9, ...more }) },
  "chat embeddings": { path: "/api/chatstyle/v1/embeddings", body: (more) => ({ input: "one", ...more }) },
  "messages embeddings": { path: "/api/msgstyle/v1/embeddings", body: (more) => ({ input: "one", ...more }) },
  "content embeddings": {
    path: (id) => `/api/genstyle/v1beta/models/${id}:embedContent`,
    body: (more) => ({ content: { parts }, ...more }),
  },
  images: { path: "/api/v1/image/generations", body: (more) => ({ content, ...more }) },
  "chat images": {
    path: "/api/chatstyle/v1/images/generations",
    body: (more) => ({ prompt: "A door.", ...more }),
  },
  videos: { path: "/api/v1/video/generations", body: (more) => ({ content, duration: 8, ...more }) },
} as const satisfies Record<string, Surface>;
type Name = keyof typeof surfaces;

/** The code that each policy refuses a kind of loss with; absent: it accepts the loss. */
const policies = {
  "a parameter that the model does not take": { require: "unsupported_parameter", strict: "losses" },
  "a parameter that the provider's protocol does not have": {
    require: "unsupported_parameter",
    strict: "losses",
    strictParams: "unsupported_parameter",
  },
  "the id of the end user": { require: "unsupported_parameter", strict: "losses" },
  "an unknown field": { require: "unsupported_parameter", strict: "losses" },
  "an unknown member of the provider object": { strict: "losses" },
} as const satisfies Record<string, { [policy in "require" | "strict" | "strictParams"]?: string }>;
type Kind = keyof typeof policies;

type Row = [kind: Kind, surface: Name, id: string, more: Json, field: string];
const generation = (more: Json) => ({ generationConfig: more });
const [takes, has, user, field, member] = Object.keys(policies) as [Kind, Kind, Kind, Kind, Kind];
const rows: Row[] = [
  ...(["chat", "responses", "messages", "native"] as const).map(
    (name): Row => [takes, name, "text-drops", { temperature: 0.5 }, "temperature"],
  ),
  [takes, "content", "text-drops", generation({ temperature: 0.5 }), "generationConfig.temperature"],
  [takes, "chat embeddings", "vectors-drop", { dimensions: 8 }, "dimensions"],
  [takes, "messages embeddings", "vectors-drop", { dimensions: 8 }, "dimensions"],
  [takes, "content embeddings", "vectors-drop", { outputDimensionality: 8 }, "outputDimensionality"],
  [
    takes,
    "content embeddings",
    "vectors-drop",
    { config: { output_dimensionality: 8 } },
    "config.output_dimensionality",
  ],
  [takes, "images", "pictures-drop", { quality: "high" }, "quality"],
  [takes, "chat images", "pictures-drop", { quality: "high" }, "quality"],
  [takes, "videos", "films-drop", { seed: 7 }, "seed"],
  [has, "chat", "text-abroad", { seed: 7 }, "seed"],
  [has, "native", "text-abroad", { seed: 7 }, "seed"],
  [has, "content", "text-abroad", generation({ seed: 7 }), "generationConfig.seed"],
  [has, "images", "pictures", { quality: "high" }, "quality"],
  [has, "chat images", "pictures", { output_format: "png" }, "output_format"],
  [has, "videos", "films", { watermark: true }, "watermark"],
  [user, "chat", "text-content", { user: "ada" }, "user"],
  [user, "chat embeddings", "vectors", { user: "ada" }, "user"],
  [user, "messages embeddings", "vectors", { user: "ada" }, "user"],
  [user, "chat images", "pictures", { user: "ada" }, "user"],
  [field, "chat", "text-abroad", { sparkle: 1 }, "sparkle"],
  [field, "messages", "text-content", { sparkle: 1 }, "sparkle"],
  [field, "content", "text-abroad", { sparkle: 1 }, "sparkle"],
  [field, "chat embeddings", "vectors", { sparkle: 1 }, "sparkle"],
  [field, "messages embeddings", "vectors", { sparkle: 1 }, "sparkle"],
  [field, "chat images", "pictures", { sparkle: 1 }, "sparkle"],
  ...(Object.keys(surfaces) as Name[]).map((name): Row => {
    const id = name.includes("image")
      ? "pictures"
      : name.includes("video")
        ? "films"
        : name.includes("embeddings")
          ? "vectors"
          : "text-content";
    return [member, name, id, { provider: { zdr: true } }, "provider.zdr"];
  }),
];

describe.each(rows)("the loss of %s on the surface of %s", (kind, name, id, more, field) => {
  const { path, body }: Surface = surfaces[name];
  const send = async (model: string, extra: Json = {}, headers: Record<string, string> = {}) => {
    const sent = { ...body({ ...more, ...extra }), ...(typeof path === "string" && { model }) };
    const at = typeof path === "string" ? path : path(model);
    const explained = await h.json(at, sent, 200, { headers: { ...headers, "x-explain": "true" } });
    if (explained.verdict === "refused") {
      const { status, code } = await h.json(at, sent, 400, { headers });
      expect({ status, code }).toEqual({ status: 400, code: explained.code });
    }
    return explained;
  };
  const refusal = (code: string | undefined) =>
    code === undefined
      ? { verdict: "accepted" }
      : { verdict: "refused", status: 400, code, param: field, errors: [expect.stringMatching(/./)] };
  const provider = { ...(more.provider as Json), require_parameters: true };

  it("the loss is reported by default, once and with the caller's name of the field", async () => {
    const { verdict, losses } = await send(id);
    expect({ verdict, losses }).toEqual({
      verdict: "accepted",
      losses: [expect.objectContaining({ path: `/${field.replaceAll(".", "/")}`, why: "unsupported" })],
    });
  });

  it("require_parameters refuses it as on every other surface", async () => {
    expect(await send(id, { provider })).toMatchObject(
      refusal((policies[kind] as { require?: string }).require),
    );
  });

  it("the policy in the header refuses it as on every other surface", async () => {
    expect(await send(id, {}, { "x-loss-policy": "strict" })).toMatchObject(refusal(policies[kind].strict));
  });

  it("an entry that is strict about parameters refuses it as on every other surface", async () => {
    const strict = id.includes("drop") ? id : `strict-${id}`;
    const { strictParams } = policies[kind] as { strictParams?: string };
    expect(await send(strict)).toMatchObject(refusal(strictParams));
  });
});
