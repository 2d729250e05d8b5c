import {
  createCatalog,
  type DeclarationOutcome,
  type DeclarationRequest,
  type Gateway,
  type Model,
  type Route,
} from "@manifold-gateway/gateway";
import { createKeyVault, hashPassword } from "@manifold-gateway/gateway/admin";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { mintKey } from "@manifold-gateway/store";
import embedded from "../../../apps/server/src/config/embedded.json" with { type: "json" };
import { ADMIN, sendTo } from "../../support/caller.ts";
import { ADA } from "../../support/holder.ts";
import { startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const PASSWORD = "correct horse battery";

const providers: Record<string, { protocol?: string; serves?: object }> = embedded.providers;
/** The models beside those of text that examples name, and what they generate. */
const others: Readonly<Record<string, string>> = {
  "sim-embedding": "embedding",
  "sim-rerank": "ranking",
  "sim-moderation": "moderation",
};
/** The models that examples name, by the protocol of their provider: those of the start without a file. */
const models = Object.fromEntries(
  Object.entries(embedded.models)
    .filter(([id, model]) => !("output" in model) || id in others)
    .map(([id, { entries }]) => [id, providers[entries[0]?.provider ?? ""]?.protocol as UpstreamProtocol]),
);

const page = {
  type: "text/html",
  bytes: Buffer.from("<!doctype html>"),
  packed: {},
  tag: "page",
  isLasting: false,
};

const toModel = ([id, provider]: [string, UpstreamProtocol]): Model =>
  model(id, provider, { outputModalities: [others[id] ?? "text"] });

/** The effects of changes that the examples make. */
const effectsOf = (changes: readonly DeclarationRequest[], isApplied: boolean): DeclarationOutcome => ({
  isApplied,
  revisions: isApplied ? changes.map((_, at) => at + 1) : [],
  members: changes.map(({ section, name, value }) => ({ section, name, ...(value && { after: value }) })),
  problems: [],
  breaks: [],
  doubts: [],
  changes: [{ model: "fast", change: "added" }],
  routes: [{ model: "fast", before: [], after: ["chatstyle sim-chat"] }],
});

export interface Stand {
  gateway: Gateway;
  /** Sends a request to a route as someone whom it admits. */
  send(route: Route, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** Made once: a hash is slow on purpose. */
const hash = hashPassword(PASSWORD);

/** A gateway with everything that examples speak of: models, an account `acc`, its key `key`, a login, a charge. */
export async function openStand(): Promise<Stand> {
  const secrets = [new Uint8Array(32).fill(7)];
  const key = mintKey();
  const stage = await startStage({
    listens: false,
    holders: [{ ...ADA, key, sealed: createKeyVault(secrets)!.seal(key, "key") }],
    catalog: createCatalog(Object.entries(models).map(toModel)),
    keyEncryptionSecrets: secrets,
    sessions: { key: { secret: SECRET }, issuer: "stand", audience: "stand" },
    console: { files: new Map([["index.html", page]]) },
    configuration: () => [
      { path: "server.port", value: 8787, isDefault: true, effect: "restart", pending: 80 },
    ],
    reloads: () => [
      { by: "signal", at: 0, isApplied: false, changed: [], findings: ["manifold.json:1:2: …"] },
    ],
    compareCatalog: async () => ({ problems: [], changes: [{ model: "sim-chat", change: "added" }] }),
    declarations: {
      list: async () => [
        {
          ...{ section: "models", name: "fast", source: "database", revision: 1, at: 0 },
          value: { entries: [] },
          problems: ["models.fast.entries: must have 1 items or more"],
        },
      ],
      change: async (changes, { isPreview }) => effectsOf(changes, !isPreview),
      undo: async (_, { isPreview }) => effectsOf([], !isPreview),
      testProvider: async ({ name }) => ({
        verdict: "listed",
        finding: "It lists one model.",
        ms: 1,
        models: [
          {
            name: "m",
            value: { entries: [{ provider: name, name: "m" }] },
            isPriced: false,
            isRetired: false,
            declared: "file",
          },
        ],
      }),
      testWebhook: async () => ({ isAccepted: true, finding: "It has accepted the event.", ms: 1 }),
      export: async () => ({ document: { store: "sqlite::memory:" }, variables: ["ACME_KEY"] }),
    },
    metrics: async () => ({ type: "text/plain", text: "up 1\n" }),
  });
  const { gateway, store } = stage;
  const at = Date.now();
  await store.accounts.setPassword({ id: "acc", login: "ada", hash: await hash, at });
  const generation = { id: "generation", accountId: "acc", modality: "text", model: "sim-chat" } as const;
  await store.money.reserve({ generation, amount: 20_000, at, policy: "strict" });
  await store.money.settle({ id: "generation", status: "succeeded", cost: 20_000 });
  /** Got once: checking a password is slow on purpose. */
  let token: Promise<string> | undefined;
  const signIn = async (): Promise<string> => {
    const login = { account: "ada", password: PASSWORD };
    const answer = await sendTo(gateway, "POST", "/api/auth/sign-in", {}, login);
    return ((await answer.json()) as { token: string }).token;
  };
  const credentials = async (access: Route["access"]): Promise<Record<string, string>> => {
    if (access === "open") return {};
    if (access === "operator") return { "x-admin-key": ADMIN };
    if (access !== "session") return { "x-api-key": key };
    token ??= signIn();
    return { authorization: `Bearer ${await token}` };
  };
  return {
    gateway,
    send: async ({ method, access }, path, body, headers) =>
      sendTo(gateway, method, path, { ...(await credentials(access)), ...headers }, body),
    close: stage.close,
  };
}
