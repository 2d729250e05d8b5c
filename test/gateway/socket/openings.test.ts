import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpServer } from "../../../apps/server/src/listener/server.ts";
import { KEY } from "../../support/holder.ts";
import { create, LIMITS, PATH, type SocketStage, stage } from "./stage.ts";

const BEARER = { authorization: `Bearer ${KEY}` };
let s: SocketStage;
beforeAll(async () => {
  s = await stage({ limits: { webSockets: 2 }, base: "https://ai.example.com/x" });
});
afterAll(() => s.close());

describe("refused openings of a socket", () => {
  const told = new Set<string>();
  it.each([
    ["without a key", PATH, {}, 401, "invalid_api_key"],
    ["with a wrong key", PATH, { authorization: "Bearer wrong-key-0123456789" }, 401, "invalid_api_key"],
    ["at another path", "/api/chatstyle/v1/chat/completions", BEARER, 405, "method_not_allowed"],
    [
      "from a page of another site",
      PATH,
      { ...BEARER, origin: "https://evil.example" },
      403,
      "origin_not_allowed",
    ],
    ["from a page that says no origin", PATH, { ...BEARER, origin: "null" }, 403, "origin_not_allowed"],
    ["that wants to be explained", PATH, { ...BEARER, "x-explain": "true" }, 400, "explain_not_supported"],
  ] as const)(
    "the opening of a socket is refused with a status: %s",
    async (_, path, headers, status, code) => {
      s.lines.splice(0);
      const refused = await s.refused(path, headers);
      expect(refused).toMatchObject({ status, body: { success: false, status, code } });
      // Of what strangers are refused, the first of a kind in a second has a line.
      if (!told.has(code)) expect(s.lines).toContainEqual(expect.objectContaining({ status, code }));
      told.add(code);
    },
  );

  it("the opening of a socket above the number that a key may have is refused", async () => {
    const lines = [await s.open(), await s.open()];
    expect(await s.refused(PATH, BEARER)).toMatchObject({ status: 429, body: { code: "too_many_sockets" } });
    lines[0]?.socket.close();
    await lines[0]?.closed;
    lines[1]?.socket.close();
    await lines[1]?.closed;
  });

  it("the opening of a socket is refused while the service stops", async () => {
    const other = await stage();
    await other.h.gateway.drain();
    expect(await other.refused(PATH, BEARER)).toMatchObject({ status: 503, body: { code: "shutting_down" } });
    await other.close();
  });
});

it.each([
  ["the service itself", () => s.origin],
  ["the address that it is known by", () => "https://ai.example.com"],
])("pages of %s may open a socket", async (_, origin) => {
  const line = await s.open({ origin: origin() });
  line.socket.close();
  await line.closed;
});

it("a path may end in a slash, as those of other requests", async () => {
  const line = await s.open({}, `${PATH}/?a=b`);
  line.socket.close();
  await line.closed;
});

it("the upgrade to a socket names the request id", async () => {
  const line = await s.open({ "x-request-id": "opening-1" });
  line.socket.close();
  await line.closed;
  expect(s.lines).toContainEqual(expect.objectContaining({ request: "opening-1", status: 101 }));
});

/** One request with Node's own client, which is given no upgrade. */
async function plain(port: number, method: string, headers: Record<string, string>, body = "") {
  const asked = request({ port, host: "127.0.0.1", method, path: PATH, headers: { ...BEARER, ...headers } });
  asked.end(body);
  const [response] = await once(asked, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode as number, body: JSON.parse(text) };
}

const SOCKET = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
const portOf = (origin: string): number => Number(new URL(origin).port);

it("a request to open a socket is a 426 where sockets are off or no upgrade is offered", async () => {
  const off = createHttpServer(s.h.gateway, LIMITS).listen(0, "127.0.0.1");
  await once(off, "listening");
  const { port } = off.address() as { port: number };
  const asked = { ...SOCKET, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
  expect(await plain(port, "GET", asked)).toMatchObject({ status: 426, body: { code: "upgrade_required" } });
  off.closeAllConnections();
  off.close();
  expect(await plain(portOf(s.origin), "GET", {})).toMatchObject({ status: 426 });
  expect(await plain(portOf(s.origin), "GET", SOCKET)).toMatchObject({ status: 426 });
  const old = { ...asked, "sec-websocket-version": "7" };
  expect(await plain(portOf(s.origin), "GET", old)).toMatchObject({ status: 426 });
});

it("requests that offer another upgrade are answered normally", async () => {
  const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABk" };
  const body = JSON.stringify({ model: "sim-chatstyle", input: "Say hello." });
  const answer = await plain(
    portOf(s.origin),
    "POST",
    { ...headers, "content-type": "application/json" },
    body,
  );
  expect(answer).toMatchObject({ status: 200, body: { status: "completed" } });
});

it("a socket follows changes of its key at each request", async () => {
  const line = await s.open();
  await line.answer(create("sim-chatstyle", "Say hello."));
  await s.h.store.keys.revoke({ id: "key", accountId: "acc" }, Date.now());
  const [refused] = await line.answer(create("sim-chatstyle", "Say hello."));
  expect(refused).toMatchObject({ type: "error", status: 401 });
});
