import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { createHttpServer, type HttpServer } from "../../../apps/server/src/listener/server.ts";
import { serveSockets } from "../../../apps/server/src/listener/web-sockets.ts";
import { ADMIN } from "../../support/caller.ts";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, modelOf } from "../../support/text.ts";

/** A tenth may come at once. */
const PER_MINUTE = 30;
const AT_ONCE = 3;
const KEY_INFO = "/api/compat/v1/api-key";
const GENERATE_MODELS = "/api/genstyle/v1beta/models";

let stage: Stage;
let server: HttpServer;
let origin: string;
/** Milliseconds, added to the machine's clock. */
let ahead = 0;
beforeAll(async () => {
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + ahead);
  stage = await startStage({ listens: false, corsOrigins: ["https://app.example.com"] });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

beforeEach(async () => {
  const limits = { connections: 100, connectionsPerAddress: 100, requestsPerMinutePerAddress: PER_MINUTE };
  const { hasCredential, upgrades } = stage.gateway;
  server = createHttpServer(stage.gateway, limits, { hasCredential, upgrades });
  const cut = serveSockets(server, stage.gateway);
  ({ origin } = await listen(server));
  return async () => {
    cut();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
});

async function send(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const response = await fetch(origin + path, { headers, ...init });
  const text = await response.text();
  return { status: response.status, text, response };
}

/** The statuses of as many equal requests as an address may send at once, and two more. */
async function statuses(...[path, headers, init]: Parameters<typeof send>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < AT_ONCE + 2; i++) found.push((await send(path, headers, init)).status);
  return found;
}
const bounded = (status: number): number[] => [...Array(AT_ONCE).fill(status), 429, 429];

describe("requests with a valid credential", () => {
  it.each<[string, string, Record<string, string>]>([
    ["a key", KEY_INFO, { "x-api-key": KEY }],
    ["a key as a bearer", "/api/compat/v1/balance", { authorization: `Bearer ${KEY}` }],
    ["a key in a header of one surface", GENERATE_MODELS, { "x-goog-api-key": KEY }],
    ["a key in the query", `${GENERATE_MODELS}?key=${KEY}`, {}],
    ["the credential of an operator", "/api/admin/accounts", { "x-admin-key": ADMIN }],
  ])("requests with %s do not count for their address", async (_, path, headers) => {
    const found = await Promise.all(Array.from({ length: 10 * AT_ONCE }, () => send(path, headers)));
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await send("/health")).status).toBe(200);
  });

  it("chats of one key do not count for their address, and refused ones neither", async () => {
    const post = (body: object) =>
      send(
        CHAT,
        { "x-api-key": KEY, "content-type": "application/json" },
        { method: "POST", body: JSON.stringify(body) },
      );
    const messages = [{ role: "user", content: "Hello" }];
    for (let i = 0; i < 2 * AT_ONCE; i++) {
      expect((await post({ model: modelOf("chatstyle"), messages })).status).toBe(200);
      expect((await post({ model: "none", messages })).status).toBe(400);
    }
  });

  it("a key is served while its address is over its limit", async () => {
    expect(await statuses("/health")).toEqual(bounded(200));
    expect((await send(KEY_INFO, { "x-api-key": KEY })).status).toBe(200);
    expect((await send("/health")).status).toBe(429);
  });
});

describe("requests without a valid credential", () => {
  it.each<[string, string, Record<string, string>, number]>([
    ["no key", KEY_INFO, {}, 401],
    ["an unknown key", KEY_INFO, { "x-api-key": "unknown" }, 401],
    ["a token that is none", KEY_INFO, { authorization: "Bearer a.b.c" }, 401],
    ["an unknown key in the query", `${GENERATE_MODELS}?key=unknown`, {}, 401],
    ["a cookie that is none", "/api/compat/v1/balance", { cookie: "manifold-session=x" }, 401],
    ["the wrong credential of an operator", "/api/admin/accounts", { "x-admin-key": "wrong" }, 401],
    ["a path that needs no key", "/health", {}, 200],
    ["a path that needs no key, and any key", "/health", { "x-api-key": "unknown" }, 200],
    ["a path that there is not", "/nowhere", { "x-api-key": KEY }, 404],
  ])("requests with %s count for their address", async (_, path, headers, status) => {
    expect(await statuses(path, headers)).toEqual(bounded(status));
  });

  it.each<Record<string, string>>([{}, { "x-api-key": "unknown" }])(
    "questions of browsers count for their address: %o",
    async (more) => {
      const headers = {
        origin: "https://app.example.com",
        "access-control-request-method": "POST",
        ...more,
      };
      expect(await statuses(CHAT, headers, { method: "OPTIONS" })).toEqual(bounded(204));
    },
  );

  it("a wrong key over the limit of its address is refused with a pause, and its connection ends", async () => {
    await statuses(KEY_INFO, { "x-api-key": "unknown" });
    const { response, text } = await send(KEY_INFO, { "x-api-key": "unknown" });
    expect(response.headers.get("connection")).toBe("close");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: "too_many_requests_from_address" });
  });

  it("an address has the same rate after the clock is set back", async () => {
    expect((await send("/health")).status).toBe(200);
    ahead = -3_600_000;
    expect((await send("/health")).status).toBe(200);
    ahead = 0;
  });

  it("handshakes of WebSockets count for their address as other requests do", async () => {
    const handshake = async (key?: string): Promise<number> => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/api/chatstyle/v1/responses`, {
        headers: key === undefined ? {} : { "x-api-key": key },
      });
      socket.on("error", () => {});
      const status = await new Promise<number>((resolve) => {
        socket.once("open", () => resolve(101));
        socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
      });
      socket.terminate();
      return status;
    };
    for (let i = 0; i < 2 * AT_ONCE; i++) expect(await handshake(KEY)).toBe(101);
    for (let i = 0; i < AT_ONCE; i++) expect(await handshake("unknown")).toBe(401);
    expect([await handshake("unknown"), await handshake()]).toEqual([429, 429]);
    expect(await handshake(KEY)).toBe(101);
  });
});
