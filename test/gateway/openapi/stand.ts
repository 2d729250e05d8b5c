import { createCatalog, createGateway, type Gateway, type Model, type Route } from "@manifold/gateway";
import { createKeyVault, hashPassword } from "@manifold/gateway/admin";
import { defineProvider, type UpstreamProtocol } from "@manifold/providers";
import { createSimulator } from "@manifold/simulator";
import { lookupHash, mintKey, openSqlite, prefixOf } from "@manifold/store";
import embedded from "../../../apps/server/src/config/embedded.json" with { type: "json" };

const ADMIN = "operator-credential-0123456789abcdef";
const SECRET = "0123456789abcdef0123456789abcdef";
const PASSWORD = "correct horse battery";

const providers: Record<string, { protocol?: string; serves?: object }> = embedded.providers;
/** The models that examples name, by the protocol of their provider: those of the start without a file. */
const models = Object.fromEntries(
  Object.entries(embedded.models)
    .filter(([id, model]) => !("output" in model) || id === "sim-embedding")
    .map(([id, { entries }]) => [id, providers[entries[0]?.provider ?? ""]?.protocol as UpstreamProtocol]),
);

const toModel = ([id, provider]: [string, UpstreamProtocol]): Model => ({
  id,
  inputModalities: ["text", "image"],
  outputModalities: [id === "sim-embedding" ? "embedding" : "text"],
  isActive: true,
  revision: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  entries: [
    { provider, name: id, priority: 1, isActive: true, price: { input: 1_000_000, output: 2_000_000 } },
  ],
});

export interface Stand {
  gateway: Gateway;
  /** Sends a request to a route as someone whom it admits. */
  send(route: Route, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** A gateway with everything that examples speak of: models, an account `acc`, its key `key`, a login, a charge. */
export async function openStand(): Promise<Stand> {
  const simulator = createSimulator();
  const upstream = await simulator.listen(0);
  const store = await openSqlite({ path: ":memory:" });
  const at = Date.now();
  const secrets = [new Uint8Array(32).fill(7)];
  const raw = mintKey();
  await store.accounts.ensure({ id: "acc", name: "Ada", at });
  await store.accounts.credit({ accountId: "acc", amount: 1e9, kind: "topup", reference: "opening", at });
  await store.accounts.setPassword({ id: "acc", login: "ada", hash: await hashPassword(PASSWORD), at });
  const key = {
    id: "key",
    accountId: "acc",
    name: "laptop",
    prefix: prefixOf(raw),
    hash: lookupHash(raw),
    at,
  };
  await store.keys.ensure({ ...key, sealed: createKeyVault(secrets)!.seal(raw, "key") });
  const generation = { id: "generation", accountId: "acc", modality: "text", model: "sim-chat" } as const;
  await store.money.reserve({ generation, amount: 20_000, at, policy: "strict" });
  await store.money.settle({ id: "generation", status: "succeeded", cost: 20_000 });
  const gateway = createGateway({
    store,
    catalog: createCatalog(Object.entries(models).map(toModel)),
    providers: new Map(
      [...new Set(Object.values(models))].map((protocol) => [
        protocol as string,
        defineProvider(protocol, { origin: upstream.origin, speaks: [protocol], key: "upstream-secret" }),
      ]),
    ),
    adminKey: ADMIN,
    keyEncryptionSecrets: secrets,
    sessions: { key: { secret: SECRET }, issuer: "stand", audience: "stand" },
    metrics: async () => ({ type: "text/plain", text: "up 1\n" }),
  });
  const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    Promise.resolve(
      gateway.fetch(
        new Request(`http://stand.test${path}`, {
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    );
  const credentials = async (access: Route["access"]): Promise<Record<string, string>> => {
    if (access === "open") return {};
    if (access === "operator") return { "x-admin-key": ADMIN };
    if (access !== "session") return { "x-api-key": raw };
    const answer = await ask("POST", "/api/auth/sign-in", {}, { account: "ada", password: PASSWORD });
    return { authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
  };
  return {
    gateway,
    send: async ({ method, access }, path, body, headers) =>
      ask(method, path, { ...(await credentials(access)), ...headers }, body),
    async close() {
      await gateway.close();
      await store.close();
      await simulator.close();
    },
  };
}
