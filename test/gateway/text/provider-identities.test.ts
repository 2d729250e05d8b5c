import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { defineProvider, type ProviderOptions } from "@manifold-gateway/providers";
import { exportPKCS8, exportSPKI, generateKeyPair, importSPKI, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tokenIdentity } from "../../../packages/providers/src/identity/token.ts";
import { chunkFrame, exceptionFrame } from "../../support/binary-frames.ts";
import { listen } from "../../support/listen.ts";
import { recordLog } from "../../support/log.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, price } from "../../support/text.ts";

const KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "aws-secret/0123456789",
  sessionToken: "session-of-it",
};
const CLIENT_SECRET = "client-secret-0123456789";
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** What the double of a provider was sent. */
interface Seen {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Works out anew whether a call is signed as Signature Version 4 has it. */
function isSigned({ path, headers, body }: Seen, service: string, region: string): boolean {
  const { authorization = "" } = headers;
  const [, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      authorization,
    ) ?? [];
  const at = String(headers["x-amz-date"]);
  const day = at.slice(0, 8);
  if (scope !== `${day}/${region}/${service}/aws4_request` || !names.split(";").includes("host"))
    return false;
  const lines = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  // Paths are encoded once more for what is signed.
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const canonical = ["POST", encoded, "", lines.join(""), names, sha256(body)].join("\n");
  const text = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const parts = [day, region, service, "aws4_request"];
  const key = parts.reduce<string | Buffer>(hmac, `AWS4${KEYS.secretAccessKey}`);
  return hmac(key, text).toString("hex") === signature;
}

const said = { role: "assistant", content: "hello" };
const CHAT_REPLY = {
  ...{ id: "c", object: "chat.completion", created: 1, model: "native" },
  choices: [{ index: 0, message: said, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const MESSAGE = {
  ...{ id: "m", type: "message", role: "assistant", model: "native", stop_reason: "end_turn" },
  content: [{ type: "text", text: "hello" }],
  usage: { input_tokens: 3, output_tokens: 2 },
};

let origin = "";
let close: () => Promise<void>;
let calls: Seen[] = [];
/** Requests for tokens, and how they are answered. */
let asked: Seen[] = [];
let issue: (seen: Seen) => { status: number; body: object };
let refusals = 0;
/** The stream that the double answers in binary frames, and what it answers in place of a message. */
let frames: readonly Buffer[] = [];
let failure: { status: number; body: object } | undefined;
let account = "";
let publicKey: CryptoKey;
let stage: Stage | undefined;
const { log, entries: logged } = recordLog();

const issued = (seen: Seen) => {
  void seen;
  return { status: 200, body: { access_token: `token-${asked.length}-0123456789`, expires_in: 3_600 } };
};

beforeAll(async () => {
  const server = await listen(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const seen: Seen = { path: request.url ?? "", headers: request.headers, body };
    const send = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (/token/.test(seen.path) && !/Predict|completions/.test(seen.path)) {
      asked.push(seen);
      const { status, body: value } = issue(seen);
      return void send(status, value);
    }
    calls.push(seen);
    if (refusals-- > 0)
      return void send(401, { error: { message: `bad ${seen.headers.authorization}`, type: "auth" } });
    if (/invoke-with-response-stream$/.test(seen.path)) {
      response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
      // Cut anywhere: a frame may come in pieces.
      for (const piece of frames) response.write(piece);
      return void response.end();
    }
    if (failure) return void send(failure.status, failure.body);
    send(200, /chat/.test(seen.path) ? CHAT_REPLY : MESSAGE);
  });
  origin = server.origin;
  close = server.close;
  const pair = await generateKeyPair("RS256", { extractable: true });
  publicKey = await importSPKI(await exportSPKI(pair.publicKey), "RS256");
  account = JSON.stringify({
    type: "service_account",
    client_email: "robot@project.test",
    private_key: await exportPKCS8(pair.privateKey),
    private_key_id: "key-1",
    token_uri: `${origin}/token`,
  });
});
beforeEach(async () => {
  await stage?.close();
  stage = undefined;
  calls = [];
  asked = [];
  refusals = 0;
  failure = undefined;
  issue = issued;
  logged.length = 0;
});
afterAll(async () => {
  await stage?.close();
  await close();
});

/** A gateway whose model `m` is served by the double in this way. */
async function open(
  auth: ProviderOptions["auth"],
  { name = "native", ...more }: Partial<ProviderOptions> & { name?: string } = {},
): Promise<Stage> {
  const provider = defineProvider("p", { origin, speaks: ["chatstyle"], auth, ...more });
  const entry = { provider: "p", name, priority: 1, isActive: true, price };
  stage = await startStage({
    models: [model("m", "", { entries: [entry] })],
    providers: new Map([["p", provider]]),
    log,
  });
  return stage;
}

const ask = { model: "m", messages: [{ role: "user", content: "hello ÿ 😀" }] };
const secretsLogged = (): RegExpMatchArray | null =>
  JSON.stringify(logged).match(/aws-secret|session-of-it|client-secret|PRIVATE KEY|token-\d/);

describe("calls that are signed", () => {
  it.each([
    [{}, "bedrock"],
    [{ service: "bedrock-mantle" }, "bedrock-mantle"],
  ])("a call is signed with the account's keys, over the body that is sent: %j", async (more, service) => {
    const { call } = await open({ kind: "aws", region: "eu-west-1", ...KEYS, ...more });
    expect((await call(CHAT, ask)).status).toBe(200);
    const [seen] = calls as [Seen];
    expect(JSON.parse(seen.body)).toMatchObject({ model: "native" });
    expect(isSigned(seen, service, "eu-west-1")).toBe(true);
    expect(isSigned({ ...seen, body: `${seen.body} ` }, service, "eu-west-1")).toBe(false);
    expect(seen.headers["x-amz-security-token"]).toBe("session-of-it");
    expect(JSON.stringify([seen.headers, seen.body])).not.toContain("aws-secret");
    expect(secretsLogged()).toBeNull();
  });
});

describe("tokens of a service account", () => {
  it("a token is bought with a statement that the account signed, and used for further calls", async () => {
    const { call } = await open({ kind: "google", serviceAccount: account });
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(CHAT, ask)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(asked).toHaveLength(1);
    const form = new URLSearchParams(asked[0]?.body);
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const { payload, protectedHeader } = await jwtVerify(form.get("assertion") ?? "", publicKey, {
      issuer: "robot@project.test",
      audience: `${origin}/token`,
    });
    expect(protectedHeader).toMatchObject({ alg: "RS256", kid: "key-1" });
    expect(payload.scope).toBe("https://www.googleapis.com/auth/cloud-platform");
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
    for (const { headers } of calls) expect(headers.authorization).toBe("Bearer token-1-0123456789");
    expect(secretsLogged()).toBeNull();
  });

  it("without a key file the machine's account is asked for", async () => {
    const { call } = await open({ kind: "google", metadata: origin });
    expect((await call(CHAT, ask)).status).toBe(200);
    expect(asked[0]).toMatchObject({ headers: { "metadata-flavor": "Google" } });
    expect(asked[0]?.path).toContain("/computeMetadata/v1/instance/service-accounts/default/token");
  });

  it("a token that is refused is in no answer, and the next request has a new one", async () => {
    const { call } = await open({ kind: "google", serviceAccount: account });
    refusals = 1;
    const refused = await call(CHAT, ask);
    expect(refused.status).toBe(401);
    expect(await refused.text()).not.toContain("token-1");
    expect((await call(CHAT, ask)).status).toBe(200);
    expect(calls.at(-1)?.headers.authorization).toBe("Bearer token-2-0123456789");
  });

  it("an issuer that refuses is a fault by itself: nothing is sent, charged, or told of it", async () => {
    const { call, store, balance } = await open({ kind: "google", serviceAccount: account });
    issue = () => ({ status: 400, body: { error: "invalid_grant", error_description: account } });
    const before = await balance();
    const response = await call(CHAT, ask);
    expect(response.status).toBe(502);
    expect(response.headers.get("x-attempts")).toContain("fault=token");
    expect(calls).toEqual([]);
    expect(await balance()).toEqual(before);
    const line = logged.find(({ message }) => message === "provider token not issued");
    expect(line?.fields).toMatchObject({ provider: "p", error: "TokenRefused: status 400, invalid_grant" });
    expect(secretsLogged()).toBeNull();
    expect(await store.money.audit()).toEqual([]);
  });

  it("an issuer's endless answer is a fault, of which little is read", async () => {
    const { call } = await open({ kind: "google", serviceAccount: account });
    issue = () => ({
      status: 200,
      body: { access_token: "t", expires_in: 3_600, padding: "a".repeat(300_000) },
    });
    expect((await call(CHAT, ask)).headers.get("x-attempts")).toContain("fault=token");
    expect(calls).toEqual([]);
  });

  it.each([false, true])("messages are sent as the platform has them, streamed: %s", async (stream) => {
    const base = "/v1/projects/p/locations/l/publishers/anthropic";
    const more = { origin: origin + base, speaks: ["msgstyle"], platform: "vertex" } as const;
    const { call } = await open({ kind: "google", serviceAccount: account }, more);
    await (await call("/api/msgstyle/v1/messages", { ...ask, max_tokens: 5, stream })).text();
    // By translation too.
    await (await call(CHAT, { ...ask, stream })).text();
    expect(calls).toHaveLength(2);
    for (const { path, body } of calls) {
      expect(path).toBe(`${base}/models/native:${stream ? "streamRawPredict" : "rawPredict"}`);
      const sent = JSON.parse(body);
      expect(sent).toMatchObject({ anthropic_version: "vertex-2023-10-16", messages: [{ role: "user" }] });
      expect(sent).not.toHaveProperty("model");
    }
  });
});

/** The events of a streamed message, as the protocol has them. */
const EVENTS = [
  { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello ß" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 3 } },
].map((event) => JSON.stringify(event));

describe("a platform that streams in binary frames", () => {
  const MESSAGES = "/api/msgstyle/v1/messages";
  const openPlatform = () =>
    open(
      { kind: "aws", region: "eu-west-1", ...KEYS },
      { speaks: ["msgstyle"], platform: "bedrock", name: "vendor.native-v1:0" },
    );
  const message = { ...ask, max_tokens: 5 };

  it("messages are invoked as the platform has them, and signed", async () => {
    const { call } = await openPlatform();
    const flags = "oauth-2025-04-20,advanced-tool-use-2025-11-20,context-1m-2025-08-07";
    const headers = { "anthropic-beta": flags };
    expect(await (await call(MESSAGES, message, { headers })).json()).toEqual(MESSAGE);
    const translated = await (await call(CHAT, { ...ask, stream: false })).json();
    expect(translated.choices[0].message.content).toBe("hello");
    for (const seen of calls) {
      expect(seen.path).toBe("/model/vendor.native-v1%3A0/invoke");
      expect(isSigned(seen, "bedrock", "eu-west-1")).toBe(true);
      const sent = JSON.parse(seen.body);
      expect(sent).toMatchObject({ anthropic_version: "bedrock-2023-05-31", messages: [{ role: "user" }] });
      expect(sent).not.toHaveProperty("model");
      expect(sent).not.toHaveProperty("stream");
      expect(seen.headers).not.toHaveProperty("anthropic-beta");
    }
    expect(calls.map(({ body }) => JSON.parse(body).anthropic_beta)).toEqual([
      ["tool-search-tool-2025-10-19", "context-1m-2025-08-07"],
      undefined,
    ]);
  });

  it("a stream is answered as the protocol's events, passed through or translated, and charged", async () => {
    const { call, store, settled } = await openPlatform();
    const whole = Buffer.concat(EVENTS.map(chunkFrame));
    frames = [whole.subarray(0, 7), whole.subarray(7, 500), whole.subarray(500)];
    const passed = await call(MESSAGES, { ...message, stream: true });
    expect(passed.headers.get("content-type")).toContain("text/event-stream");
    expect(await passed.text()).toBe(
      EVENTS.map((event) => `event: ${JSON.parse(event).type}\ndata: ${event}\n\n`).join(""),
    );
    const translated = await (await call(CHAT, { ...ask, stream: true })).text();
    expect(translated).toContain('"content":"hello ß"');
    for (const seen of calls) {
      expect(seen.path).toBe("/model/vendor.native-v1%3A0/invoke-with-response-stream");
      expect(isSigned(seen, "bedrock", "eu-west-1")).toBe(true);
      expect(seen.headers.accept).toBe("application/vnd.amazon.eventstream");
      expect(JSON.parse(seen.body)).not.toHaveProperty("stream");
    }
    await settled();
    const { results } = await store.generations.list({ accountId: "acc" }, { offset: 0, limit: 10 });
    for (const { status, usage } of results)
      expect({ status, usage }).toMatchObject({ status: "succeeded", usage: { input: 3, output: 2 } });
    expect(await store.money.audit()).toEqual([]);
  });

  it("an exception within a stream is the provider's error in it", async () => {
    const { call, settled } = await openPlatform();
    frames = [...EVENTS.slice(0, 3).map(chunkFrame), exceptionFrame("throttlingException", "Too many.")];
    const text = await (await call(MESSAGES, { ...message, stream: true })).text();
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"rate_limit_error"');
    // Before anything is answered it is a status.
    frames = [exceptionFrame("throttlingException", "Too many.")];
    expect((await call(CHAT, { ...ask, stream: true })).status).toBe(429);
    await settled();
  });

  it("a damaged frame is a fault of the provider", async () => {
    const { call, store, settled } = await openPlatform();
    const damaged = chunkFrame(EVENTS[2] ?? "");
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    frames = [...EVENTS.slice(0, 2).map(chunkFrame), damaged, chunkFrame(EVENTS[3] ?? "")];
    const passed = await (await call(MESSAGES, { ...message, stream: true })).text();
    expect(passed).toContain("content_block_start");
    expect(passed).not.toContain("content_block_stop");
    const translated = await (await call(CHAT, { ...ask, stream: true })).text();
    expect(translated).toContain("The provider's response could not be decoded.");
    await settled();
    const { results } = await store.generations.list({ accountId: "acc" }, { offset: 0, limit: 10 });
    expect(results.map(({ status }) => status)).toEqual(["failed", "failed"]);
  });

  it("a refusal has the form of the caller's protocol", async () => {
    const { call } = await openPlatform();
    failure = { status: 429, body: { message: "Too many requests." } };
    const response = await call(MESSAGES, message);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "rate_limit_error", message: "Too many requests." },
    });
  });
});

describe("tokens of an application and of a managed identity", () => {
  it("an application's token is bought with its secret", async () => {
    const { call } = await open({
      ...{ kind: "azure", tenantId: "tenant", clientId: "client", clientSecret: CLIENT_SECRET },
      authority: origin,
    });
    expect((await call(CHAT, ask)).status).toBe(200);
    expect(asked[0]?.path).toBe("/tenant/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "client",
      client_secret: CLIENT_SECRET,
      scope: "https://cognitiveservices.azure.com/.default",
    });
    expect(calls[0]?.headers.authorization).toBe("Bearer token-1-0123456789");
    expect(secretsLogged()).toBeNull();
  });

  it("a managed identity's token is asked of the metadata server", async () => {
    const { call } = await open({ kind: "azure", clientId: "one-of-them", metadata: origin });
    expect((await call(CHAT, ask)).status).toBe(200);
    expect(asked[0]?.headers.metadata).toBe("true");
    const { pathname, searchParams } = new URL(asked[0]?.path ?? "", origin);
    expect(pathname).toBe("/metadata/identity/oauth2/token");
    expect(Object.fromEntries(searchParams)).toEqual({
      "api-version": "2018-02-01",
      resource: "https://cognitiveservices.azure.com",
      client_id: "one-of-them",
    });
  });
});

describe("a token", () => {
  function clocked() {
    let at = 0;
    let count = 0;
    let broken = false;
    const issuing = async () => {
      count += 1;
      if (broken) throw new Error("away");
      return { value: `t${count}`, expiresAt: at + 3_600_000 };
    };
    const identity = tokenIdentity(issuing, [], () => at);
    return {
      identity,
      token: async () => (await identity.headers({ origin: "", path: "", method: "POST" })).authorization,
      pass: (ms: number) => {
        at += ms;
      },
      fail: (is: boolean) => {
        broken = is;
      },
      issues: () => count,
    };
  }

  it("a token is asked for once by requests that come together", async () => {
    const { token, issues } = clocked();
    expect(await Promise.all([token(), token(), token()])).toEqual(Array(3).fill("Bearer t1"));
    expect(issues()).toBe(1);
  });

  it("a token is renewed before its end while calls go on with it", async () => {
    const { token, pass, issues } = clocked();
    await token();
    pass(3_600_000 - 4 * 60_000);
    expect(await token()).toBe("Bearer t1");
    expect(issues()).toBe(2);
    expect(await token()).toBe("Bearer t2");
  });

  it("a token that cannot be renewed is used until shortly before its end", async () => {
    const { token, pass, fail, identity } = clocked();
    await token();
    fail(true);
    pass(3_600_000 - 60_000);
    expect(await token()).toBe("Bearer t1");
    pass(59_000);
    await expect(token()).rejects.toMatchObject({ kind: "token" });
    fail(false);
    expect(await token()).toMatch(/^Bearer t\d$/);
    expect(identity.secrets()).toContain("t1");
  });
});
