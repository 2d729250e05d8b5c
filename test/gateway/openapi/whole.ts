import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createCatalog, type Log, type Model, type Route } from "@manifold-gateway/gateway";
import { createKeyVault, hashPassword } from "@manifold-gateway/gateway/admin";
import { defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { mintKey } from "@manifold-gateway/store";
import { ADMIN } from "../../support/caller.ts";
import { ADA, OTHER } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { startMediaStage } from "../../support/media.ts";
import { models as mediaModels } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const PASSWORD = "correct horse battery";
/** Whose requests are sent; the operator's act on `acc`, which examples name. */
const CALLER = "caller";

/** The models that examples name: of text by the protocol of their provider, of media by those of the stage. */
const textModels: Record<string, UpstreamProtocol> = {
  "sim-chat": "chatstyle",
  "sim-responses": "responses",
  "sim-messages": "msgstyle",
  "sim-generate": "genstyle",
};
const renamed: Record<string, string> = {
  "sim-image": "image",
  "sim-image-chat": "image-chat",
  "sim-video": "video",
  "sim-video-router": "video-router",
  "sim-embedding": "embed-media",
  "sim-speech": "speech-chat",
  "sim-transcription": "transcription",
};

const toTextModel = ([id, provider]: [string, UpstreamProtocol]): Model => ({
  id,
  inputModalities: ["text", "image"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  entries: [
    {
      provider: `text-${provider}`,
      name: id,
      priority: 1,
      isActive: true,
      price: { input: 1_000_000, output: 2_000_000 },
    },
  ],
});

const flat = { images: 40_000_000_000, seconds: 50_000_000_000, output: 60_000_000, input: 200_000 };

/** A media model as examples name it, and as `bare-` one that sets no limits to a request. */
const toMediaModels = ([id, of]: [string, string]): Model[] => {
  const found = mediaModels.find((one) => one.id === of);
  if (!found) throw new Error(`no model ${of}`);
  // With entries of its own: an entry is known by the model that it was first asked for.
  const model = structuredClone(found);
  const entries = model.entries.map(({ capabilities: _, tiers: _tiers, ...entry }) => ({
    ...entry,
    price: flat,
  }));
  return [
    { ...model, id },
    { ...model, id: `bare-${id}`, entries },
  ];
};

const replyOf = (protocol: UpstreamProtocol): string =>
  readFileSync(
    new URL(
      `../../../packages/testing/fixtures/${protocol}/bodies/${protocol === "responses" ? "text" : "plain"}.json`,
      import.meta.url,
    ),
    "utf8",
  );

/** What a provider of text answers, whatever it is sent, by how its path ends. */
const replies: [ending: RegExp, body: string][] = [
  [/\/chat\/completions$/, replyOf("chatstyle")],
  [/\/responses$/, replyOf("responses")],
  [/\/messages$/, replyOf("msgstyle")],
  [/ontent$/, replyOf("genstyle")],
  [/\/count_tokens$/, JSON.stringify({ input_tokens: 3 })],
  [/:countTokens$/, JSON.stringify({ totalTokens: 3 })],
];

export interface Whole extends Stage {
  /** Sends a request to a route as someone whom it admits. */
  send(route: Route, path: string, body?: string, headers?: Record<string, string>): Promise<Response>;
}

/** A gateway that serves every route of every surface, with someone whom each of them admits. */
export async function openWhole(log: Log): Promise<Whole> {
  const upstream = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://upstream.test");
    const reply = replies.find(([ending]) => ending.test(pathname))?.[1];
    request.resume().on("end", () => {
      response.writeHead(reply ? 200 : 404, { "content-type": "application/json" }).end(reply ?? "{}");
    });
  });
  const { origin } = await listen(upstream);
  const providers = Object.values(textModels).map((protocol) =>
    defineProvider(`text-${protocol}`, { origin, speaks: [protocol], key: "upstream-secret" }),
  );
  const seals = [new Uint8Array(32).fill(7)];
  const key = mintKey();
  const sealed = createKeyVault(seals)!.seal(key, "mine");
  const h = await startMediaStage({
    holders: [{ id: CALLER, keyId: "mine", key, sealed }, ADA, OTHER],
    providers,
    catalog: createCatalog([
      ...mediaModels,
      ...Object.entries(textModels).map(toTextModel),
      ...Object.entries(renamed).flatMap(toMediaModels),
    ]),
    adminKey: ADMIN,
    keyEncryptionSecrets: seals,
    sessions: { key: { secret: SECRET }, issuer: "whole", audience: "whole" },
    metrics: async () => ({ type: "text/plain", text: "up 1\n" }),
    log,
  });
  const at = Date.now();
  const login = { id: CALLER, login: "caller", hash: await hashPassword(PASSWORD), at };
  await h.store.accounts.setPassword(login);
  const signIn = { account: "caller", password: PASSWORD };
  const { token } = await h.json("/api/auth/sign-in", signIn);
  const credentials: Record<Route["access"], Record<string, string>> = {
    open: {},
    operator: { "x-admin-key": ADMIN },
    session: { authorization: `Bearer ${token}` },
    key: { "x-api-key": key },
    caller: { "x-api-key": key },
  };
  return {
    ...h,
    send: async ({ method, access }, path, body, headers) =>
      h.gateway.fetch(
        new Request(h.origin + path, {
          method,
          headers: { "content-type": "application/json", ...credentials[access], ...headers },
          ...(body !== undefined && { body }),
        }),
      ),
    async close() {
      await h.close();
      upstream.closeAllConnections();
      upstream.close();
    },
  };
}
