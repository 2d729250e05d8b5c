import { createCatalog, createGateway, type Gateway, type GatewayOptions, type Log } from "@manifold/gateway";
import { lookupHash, mintKey, openSqlite, prefixOf, type Store } from "@manifold/store";
import type { Database } from "../../store/databases/database.ts";

export const ISSUER = "https://manifold.test";
export const AUDIENCE = "manifold";
export const SECRET = "0123456789abcdef0123456789abcdef";
export const ADMIN = "operator-credential-0123456789abcdef";
export const PASSWORD = "correct horse battery";
/** A Saturday, 12:00Z. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export interface Reply {
  status: number;
  headers: Headers;
  body: ReturnType<typeof JSON.parse>;
  text: string;
}

export interface Desk {
  store: Store;
  gateway: Gateway;
  key: string;
  /** What was logged, as JSON lines. */
  lines: string[];
  /** Moves the clock. */
  pass(ms: number): void;
  now(): number;
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Reply>;
  byKey(path: string): Promise<Reply>;
  /** The token of a fresh session of the test account. */
  signIn(): Promise<string>;
  /** A request of a session of the test account. */
  bySession(method: string, path: string, body?: unknown): Promise<Reply>;
  byAdmin(method: string, path: string, body?: unknown): Promise<Reply>;
  close(): Promise<void>;
}

/** A gateway over a store of its own, in memory where nothing is said of it: account `acc` with 10 USD and one key. No sockets. */
export async function openDesk({
  make,
  ...options
}: Partial<GatewayOptions> & { make?: (() => Promise<Database>) | undefined } = {}): Promise<Desk> {
  let clock = NOON;
  const now = () => clock;
  const database = await make?.();
  const store = options.store ?? (await (database?.open() ?? openSqlite({ path: ":memory:" })));
  const key = mintKey();
  await store.accounts.ensure({ id: "acc", name: "Ada", at: clock });
  await store.accounts.credit({
    accountId: "acc",
    amount: 10_000_000,
    kind: "topup",
    reference: "opening",
    at: clock,
  });
  await store.keys.create({
    id: "key",
    accountId: "acc",
    name: "laptop",
    prefix: prefixOf(key),
    hash: lookupHash(key),
    at: clock,
  });
  const lines: string[] = [];
  const note = (fields: Record<string, unknown>, message: string) =>
    void lines.push(JSON.stringify({ ...fields, message }));
  const log: Log = { info: note, warn: note, error: note };
  const gateway = createGateway({
    catalog: createCatalog([]),
    providers: new Map(),
    now,
    log,
    adminKey: ADMIN,
    keyEncryptionSecrets: [new Uint8Array(32).fill(7)],
    sessions: { key: { secret: SECRET }, issuer: ISSUER, audience: AUDIENCE },
    ...options,
    store,
  });
  const send: Desk["send"] = async (method, path, { headers = {}, body } = {}) => {
    const response = await gateway.fetch(
      new Request(`http://desk.test${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  };
  const desk: Desk = {
    store,
    gateway,
    key,
    lines,
    pass: (ms) => {
      clock += ms;
    },
    now,
    send,
    byKey: (path) => send("GET", path, { headers: { "x-api-key": key } }),
    async signIn() {
      const account = await store.accounts.get("acc");
      if (account?.login === undefined)
        await desk.byAdmin("POST", "/api/admin/accounts/acc/password", { login: "ada", password: PASSWORD });
      const reply = await send("POST", "/api/auth/sign-in", { body: { account: "ada", password: PASSWORD } });
      return reply.body.token as string;
    },
    async bySession(method, path, body) {
      const headers = { authorization: `Bearer ${await desk.signIn()}` };
      return send(method, path, { headers, ...(body !== undefined && { body }) });
    },
    byAdmin: (method, path, body) =>
      send(method, path, { headers: { "x-admin-key": ADMIN }, ...(body !== undefined && { body }) }),
    async close() {
      await gateway.close();
      if (!options.store) await store.close();
      await database?.drop();
    },
  };
  return desk;
}

/** A settled generation of the test account. */
export async function generate(
  { store, now }: Desk,
  id: string,
  more: {
    cost?: number;
    model?: string;
    status?: "succeeded" | "failed";
    accountId?: string;
    keyId?: string;
  } = {},
): Promise<void> {
  const { cost = 30, model = "m1", status = "succeeded", accountId = "acc", keyId = "key" } = more;
  await store.money.reserve({
    generation: {
      id,
      accountId,
      keyId,
      modality: "text",
      model,
      request: { model, messages: [] },
      price: { input: 1_000_000, output: 2_000_000 },
    },
    amount: 100,
    at: now(),
    policy: "threshold",
  });
  if (status === "failed") await store.money.release({ id, status, durationMs: 5 });
  else
    await store.money.settle({
      id,
      status,
      cost,
      durationMs: 12,
      usage: {
        input: 10,
        output: 10,
        cacheRead: 4,
        reasoning: 0,
        requests: 1,
        promptTokens: 10,
        completionTokens: 10,
        totalTokens: 20,
      },
    });
}
