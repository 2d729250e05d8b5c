import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";

let h: Stage;
let closed: Stage;
beforeAll(async () => {
  h = await startStage();
  closed = await startStage({ docs: false });
});
afterAll(async () => {
  await h.close();
  await closed.close();
});

/** An answer to a target as it stands, which `fetch` would put into its plain form. */
async function get(path: string, headers: Record<string, string> = {}, { origin } = h) {
  const asked = request(origin, { path, headers, agent: false }).end();
  const [response] = await once(asked, "response");
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode as number, headers: response.headers, body };
}

describe("paths that normalising would change", () => {
  it.each([
    "/health/../api/chatstyle/v1/models",
    "/health/./../api/chatstyle/v1/models",
    "/health/%2e%2E/api/chatstyle/v1/models",
    "/health/.%2e/api/chatstyle/v1/models",
    "/%61pi/chatstyle/v1/models",
    "/api/chatstyle/v1/model%73",
    "/api\\chatstyle\\v1\\models",
    "/health#/../api/chatstyle/v1/models",
    "/.",
  ])("a path that normalising would change is refused: %s", async (path) => {
    const { status, body } = await get(path, { "x-api-key": KEY });
    expect([status, JSON.parse(body.toString()).code]).toEqual([400, "invalid_path"]);
  });

  it.each([
    "/api/chatstyle/v1/models?x=/../y",
    "/api/chatstyle/v1/models?x=%61\\",
    "/api/chatstyle/v1/models/sim-chatstyle",
    "/api/chatstyle/v1/models/of%2Fsomebody",
  ])("a path that normalising leaves alone is not refused: %s", async (path) => {
    expect((await get(path, { "x-api-key": KEY })).status).not.toBe(400);
  });
});

it("a name in a path that is too long is refused for that", async () => {
  const { status, body } = await get(`/api/chatstyle/v1/models/${"a".repeat(513)}`, { "x-api-key": KEY });
  expect([status, JSON.parse(body.toString()).errors]).toEqual([
    400,
    ["A name in the path is longer than 512 characters."],
  ]);
});

it.each([
  ["/api/chatstyle/v1/responses", { model: "m" }, "input: is missing: it must be text or a list"],
  [
    "/api/msgstyle/v1/messages",
    { model: "m", max_tokens: 1, messages: [{ role: "user", content: "x" }], system: 5 },
    "system: must be text or a list, and is a number",
  ],
  [
    "/api/genstyle/v1beta/models/m:generateContent",
    {},
    "contents: is missing: it must be text or a list or an object",
  ],
])("a value of another type is refused with all types that are accepted: %s", async (path, sent, text) => {
  const { errors } = await (await h.call(path, sent)).json();
  expect(errors).toContainEqual(expect.stringContaining(text));
});

it("a message of several findings keeps them apart", async () => {
  const { error } = await (await h.call("/api/chatstyle/v1/chat/completions", { messages: [] })).json();
  expect(error.message).toBe(
    "model: is missing: it must be text; messages: at least one message is required",
  );
});

it("a refusal closes the connection only where a body is on its way", async () => {
  const port = Number(new URL(h.origin).port);
  const head = "POST /api/chatstyle/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n";
  const slow = connect(port, "127.0.0.1");
  slow.write(`${head}\r\n`);
  const text = String(Buffer.concat(await slow.toArray()));
  expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/i);
  const whole = connect(port, "127.0.0.1");
  whole.write(`${head}x-api-key: ${KEY}\r\n\r\n{"a":"b"}`);
  const [answer] = await once(whole, "data");
  whole.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nconnection: keep-alive\r\n/i);
});

it("unauthenticated requests leave one log line a second, and requests of callers one each", async () => {
  const lines: Record<string, unknown>[] = [];
  const info = (fields: Record<string, unknown>): void => void lines.push(fields);
  const logged = await startStage({ log: { info, warn() {}, error() {} } });
  try {
    for (let i = 0; i < 5; i++) await logged.call("/nowhere");
    for (let i = 0; i < 5; i++)
      await get("/api/chatstyle/v1/models", { "x-api-key": "wrong-key-0123" }, logged);
    expect(lines.length).toBeLessThan(5);
    lines.length = 0;
    for (let i = 0; i < 3; i++) await logged.call("/api/chatstyle/v1/models/none");
    expect(lines.filter(({ code }) => code === "model_not_found")).toHaveLength(3);
  } finally {
    await logged.close();
  }
});

describe.each(["/docs", "/openapi.json"])("the document %s", (path) => {
  it("a document is compressed where the client accepts that, and a client's copy is recognised in either form", async () => {
    const packed = await get(path, { "accept-encoding": "deflate, gzip" });
    const plain = await get(path, { "accept-encoding": "gzip;q=0, br" });
    expect([packed.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual([
      "gzip",
      undefined,
    ]);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length / 4);
    for (const { headers } of [packed, plain]) {
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", vary: "accept-encoding, origin" });
      const same = { "accept-encoding": headers["content-encoding"] ?? "identity" };
      expect((await get(path, { ...same, "if-none-match": headers.etag as string })).status).toBe(304);
    }
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
  });

  it("a document cannot be framed by other pages", async () => {
    const { headers } = await get("/docs");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  it("a document is not found where the service shows none", async () => {
    const { status, body } = await get(path, {}, closed);
    expect([status, JSON.parse(body.toString()).code]).toEqual([404, "route_not_found"]);
  });
});
