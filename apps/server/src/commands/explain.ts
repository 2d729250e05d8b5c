import type { Protocol } from "@manifold-gateway/core";
import { type Access, type Billing, createCatalog, createGateway } from "@manifold-gateway/gateway";
import { activePresets } from "@manifold-gateway/providers";
import { storedModels } from "../catalog/live-catalog.ts";
import { toModels, toProviders } from "../config/build.ts";
import { readDocument } from "../config/document.ts";
import { readText } from "../config/read.ts";
import { openMedia } from "../media-store.ts";
import type { Run } from "./call.ts";
import { withStore } from "./command.ts";
import { findAccount } from "./lookup.ts";
import { Misuse } from "./misuse.ts";

/** The path of a text request for each protocol. */
const texts: Record<Exclude<Protocol, "conversestyle">, (model: string) => string> = {
  chatstyle: () => "/api/chatstyle/v1/chat/completions",
  responses: () => "/api/chatstyle/v1/responses",
  msgstyle: () => "/api/msgstyle/v1/messages",
  genstyle: (model) => `/api/genstyle/v1beta/models/${model}:generateContent`,
  native: () => "/api/v1/text/completions",
};
/** The path of a request for each surface that the command knows. */
export const explainedPaths: Readonly<Record<string, (model: string) => string>> = {
  ...texts,
  completions: () => "/api/chatstyle/v1/completions",
  fim: () => "/api/chatstyle/v1/fim/completions",
  embeddings: () => "/api/chatstyle/v1/embeddings",
  rerank: () => "/api/chatstyle/v1/rerank",
  moderations: () => "/api/chatstyle/v1/moderations",
  speak: () => "/api/chatstyle/v1/audio/speech",
  image: () => "/api/v1/image/generations",
  video: () => "/api/v1/video/generations",
  speech: () => "/api/v1/audio/text-to-speech",
  "speech-by-reference": () => "/api/v1/audio/generation-with-reference",
  images: () => "/api/chatstyle/v1/images/generations",
  edits: () => "/api/chatstyle/v1/images/edits",
  videos: () => "/api/chatstyle/v1/videos",
};

/** Billing that must not be used, because an explanation holds no credit. */
const unheld: Billing = { hold: () => Promise.reject(new Error("an explanation holds nothing")) };

export const explain: Run = (call) =>
  withStore(call, async (store, config) => {
    const { surface = "", body, model, account: name } = call.options;
    const path = Object.hasOwn(explainedPaths, surface) ? explainedPaths[surface] : undefined;
    if (!path) throw new Misuse(`--surface is one of ${Object.keys(explainedPaths).join(", ")}`);
    if (body === undefined) throw new Misuse("--body names the file with the request's body");
    if (surface === "genstyle" && model === undefined)
      throw new Misuse("--model names the model: a body of genstyle has none");
    const value = readDocument(body, readText(body, "--body")).value as object;
    const account = name === undefined ? undefined : await findAccount(store, name);
    const access: Access = {
      byKey: () => ({ accountId: account?.id ?? "nobody" }),
      byToken: () => undefined,
      operatorOf: () => "command",
      forget: () => {},
    };
    const providers = toProviders(config);
    for (const provider of activePresets(call.env))
      if (!providers.has(provider.id)) providers.set(provider.id, provider);
    const stored = await storedModels(store);
    const media = await openMedia(config);
    const gateway = createGateway({
      store,
      catalog: createCatalog(stored.length > 0 ? stored : toModels(config)),
      providers,
      access,
      admission: config.admission,
      routing: config.routing,
      media: { ...media.options, runJobs: false },
      ...(!account && { billing: unheld }),
    });
    const request = new Request(`http://localhost${path(encodeURIComponent(model ?? ""))}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": "operator",
        "x-admin-key": "command",
        "x-explain": "true",
      },
      body: JSON.stringify(model === undefined || surface === "genstyle" ? value : { ...value, model }),
    });
    const answer = (await (await gateway.fetch(request)).json()) as { verdict?: string };
    await gateway.close();
    await media.close();
    call.print(JSON.stringify(answer, null, call.options.json ? 0 : 2));
    return answer.verdict === "accepted" ? 0 : 1;
  });
