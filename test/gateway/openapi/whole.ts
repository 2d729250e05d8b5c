import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog, type Log, type Model, type Route } from "@manifold/gateway";
import { createKeyVault, hashPassword } from "@manifold/gateway/admin";
import { defineProvider, type UpstreamProtocol } from "@manifold/providers";
import { lookupHash, mintKey, prefixOf } from "@manifold/store";
import { type Harness, models as mediaModels, startHarness } from "../media/harness.ts";

const ADMIN = "operator-credential-0123456789abcdef";
const SECRET = "0123456789abcdef0123456789abcdef";
const PASSWORD = "correct horse battery";
/** Whose requests are sent; the operator's act on `acc`, which examples name. */
const CALLER = "caller";

/** The models that examples name: of text by the protocol of their provider, of media by those of the harness. */
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
      `../../fixtures/${protocol}/bodies/${protocol === "responses" ? "text" : "plain"}.json`,
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

export interface Whole extends Harness {
  /** Sends a request to a route as someone whom it admits. */
  send(route: Route, path: string, body?: string, headers?: Record<string, string>): Promise<Response>;
  /** What the account that sends requests has left, and what is held of it. */
  left(): Promise<{ balance: number; held: number }>;
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
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const providers = Object.values(textModels).map((protocol) =>
    defineProvider(`text-${protocol}`, { origin, speaks: [protocol], key: "upstream-secret" }),
  );
  const seals = [new Uint8Array(32).fill(7)];
  const h = await startHarness({
    providers,
    options: {
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
    },
  });
  const { store } = h;
  const at = Date.now();
  const raw = mintKey();
  await store.accounts.ensure({ id: CALLER, name: "Caller", at });
  await store.accounts.credit({ accountId: CALLER, amount: 1e12, kind: "topup", reference: "opening", at });
  await store.accounts.setPassword({ id: CALLER, login: "caller", hash: await hashPassword(PASSWORD), at });
  const sealed = createKeyVault(seals)?.seal(raw, "mine");
  const key = { id: "mine", accountId: CALLER, name: "mine", prefix: prefixOf(raw), hash: lookupHash(raw) };
  await store.keys.ensure({ ...key, ...(sealed && { sealed }), at });
  const signIn = { account: "caller", password: PASSWORD };
  const { token } = await h.json("/api/auth/sign-in", signIn);
  const credentials: Record<Route["access"], Record<string, string>> = {
    open: {},
    operator: { "x-admin-key": ADMIN },
    session: { authorization: `Bearer ${token}` },
    key: { "x-api-key": raw },
    caller: { "x-api-key": raw },
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
    async left() {
      const account = await store.accounts.get(CALLER);
      return { balance: account?.balance ?? 0, held: account?.held ?? 0 };
    },
    async close() {
      await h.close();
      upstream.closeAllConnections();
      upstream.close();
    },
  };
}
