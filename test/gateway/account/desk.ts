import { createCatalog, type Gateway } from "@manifold-gateway/gateway";
import { mintKey, type Store } from "@manifold-gateway/store";
import { ADMIN, sendTo } from "../../support/caller.ts";
import { ADA } from "../../support/holder.ts";
import { recordLog } from "../../support/log.ts";
import { type StageOptions, startStage } from "../../support/stage.ts";

export const ISSUER = "https://manifold.test";
export const AUDIENCE = "manifold";
export const SECRET = "0123456789abcdef0123456789abcdef";
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
  /** A request of a session of the test account, at most a minute old. */
  bySession(method: string, path: string, body?: unknown): Promise<Reply>;
  byAdmin(method: string, path: string, body?: unknown): Promise<Reply>;
  close(): Promise<void>;
}

/** A gateway with sessions and a clock of its own: account `acc` with 10 USD and one key. No sockets. */
export async function openDesk(options: StageOptions = {}): Promise<Desk> {
  let clock = NOON;
  const now = () => clock;
  const key = mintKey();
  const lines: string[] = [];
  const { log } = recordLog(({ fields, message }) => void lines.push(JSON.stringify({ ...fields, message })));
  const stage = await startStage({
    listens: false,
    holders: [{ ...ADA, key }],
    credit: 10_000_000,
    catalog: createCatalog([]),
    providers: new Map(),
    now,
    steady: now,
    log,
    keyEncryptionSecrets: [new Uint8Array(32).fill(7)],
    sessions: { key: { secret: SECRET }, issuer: ISSUER, audience: AUDIENCE },
    ...options,
  });
  const { gateway, store } = stage;
  let session = { at: 0, token: "" };
  const send: Desk["send"] = async (method, path, { headers = {}, body } = {}) => {
    const response = await sendTo(gateway, method, path, headers, body);
    const text = await response.text();
    const isJson = /json\b/.test(response.headers.get("content-type") ?? "");
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
      if (now() - session.at > 60_000) session = { at: now(), token: await desk.signIn() };
      const headers = { authorization: `Bearer ${session.token}` };
      return send(method, path, { headers, ...(body !== undefined && { body }) });
    },
    byAdmin: (method, path, body) =>
      send(method, path, { headers: { "x-admin-key": ADMIN }, ...(body !== undefined && { body }) }),
    close: stage.close,
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
