import type { RestrictionsChange } from "@manifold-gateway/store";
import { afterEach, describe, expect, it } from "vitest";
import { lastWords } from "./frames.ts";
import { create, PATH, type Said, type SocketStage, stage } from "./stage.ts";

const REF = { accountId: "acc", id: "key" };
const MODEL = "sim-chatstyle";
let s: SocketStage;
let clock = Date.now();
/** What is remembered of a key is looked up again. */
const later = (): void => {
  clock += 1_000;
};
const start = async (options: Parameters<typeof stage>[0] = {}): Promise<void> => {
  s = await stage({ now: () => clock, ...options });
};
afterEach(() => s.close());

const restrict = async (restrictions: RestrictionsChange): Promise<void> => {
  expect(await s.h.store.keys.change(REF, { restrictions })).toBe(true);
};
/** The messages of each kind, which are admitted alike. */
const KINDS = [
  ["a warm-up", { generate: false }],
  ["a request", {}],
] as const;

/** What the same request is refused with over HTTP. */
async function overHttp(body: object): Promise<Said> {
  const response = await s.h.call(PATH, body);
  return { type: "error", ...((await response.json()) as object), status: response.status };
}

describe.each(KINDS)("%s on a socket", (_, kind) => {
  it("is refused where its key is revoked, and the socket is closed", async () => {
    await start();
    const line = await s.open();
    await s.h.store.keys.revoke(REF, clock);
    later();
    line.send(create(MODEL, "Say hello.", kind));
    const { events, code } = await lastWords(line);
    expect(events).toMatchObject([{ type: "error", status: 401, error: { code: "invalid_api_key" } }]);
    expect(code).toBe(1008);
  });

  it("is refused where its key has expired, and the socket is closed", async () => {
    await start();
    const line = await s.open();
    await restrict({ expiresAt: clock });
    later();
    line.send(create(MODEL, "Say hello.", kind));
    const { events, code } = await lastWords(line);
    expect(events).toMatchObject([{ type: "error", status: 401, error: { code: "api_key_expired" } }]);
    expect(code).toBe(1008);
  });

  it("counts against the requests of its key in a minute", async () => {
    await start();
    await restrict({ requestsPerMinute: 2 });
    const line = await s.open();
    const last: Said[] = [];
    for (let time = 0; time < 3; time++)
      last.push((await line.answer(create(MODEL, "Say hello.", kind))).at(-1) as Said);
    expect(last).toMatchObject([
      { type: "response.completed" },
      { type: "response.completed" },
      { type: "error", status: 429, error: { code: "too_many_requests" } },
    ]);
    line.socket.close();
  });

  it("finds no model that its key may not use", async () => {
    await start();
    await restrict({ models: ["sim-responses"] });
    const line = await s.open();
    const [refused] = await line.answer(create(MODEL, "Say hello.", kind));
    expect(refused).toMatchObject({ type: "error", status: 400, error: { code: "model_not_found" } });
    expect((await line.answer(create("sim-responses", "Say hello.", kind))).at(-1)?.type).toBe(
      "response.completed",
    );
    line.socket.close();
  });

  it("is refused on a surface that its key may not use", async () => {
    await start();
    const line = await s.open();
    later();
    await restrict({ surfaces: ["native"] });
    const [refused] = await line.answer(create(MODEL, "Say hello.", kind));
    expect(refused).toMatchObject({ status: 403, error: { code: "surface_not_allowed" } });
    line.socket.close();
  });

  it("is refused to a caller without credit, as over HTTP", async () => {
    await start({ credit: 0 });
    const line = await s.open();
    const [refused] = await line.answer(create(MODEL, "Say hello.", kind));
    const { status, code } = await overHttp({ model: MODEL, input: "Say hello." });
    expect(refused).toMatchObject({ type: "error", status, error: { code } });
    expect(code).toBe("insufficient_balance");
    line.socket.close();
  });

  it("has its line in the log, and no more than the generation that it makes", async () => {
    await start();
    const line = await s.open();
    s.lines.splice(0);
    await line.answer(create(MODEL, "Say hello.", kind));
    line.socket.close();
    await line.closed;
    await s.h.settled();
    const { results } = await s.h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 9 });
    const logged = s.lines.filter(({ route, method }) => route === PATH && method === "POST");
    expect(logged).toMatchObject([{ status: 200, model: MODEL, key: "key", socket: expect.any(String) }]);
    expect(results.map(({ id }) => id)).toEqual([logged[0]?.generation].filter(Boolean));
  });
});

it("a message whose key is refused counts for its address", async () => {
  await start({ perMinute: 10 });
  const line = await s.open();
  await s.h.store.keys.revoke(REF, clock);
  later();
  line.send(create(MODEL, "Say hello."));
  await lastWords(line);
  const refused = await fetch(`${s.origin}/health`);
  expect(refused.status).toBe(429);
});

it("a socket on which nothing runs closes soon after its key is revoked", async () => {
  s = await stage();
  const line = await s.open();
  await s.h.store.keys.revoke(REF, Date.now());
  expect(await line.closed).toBe(1008);
});

it("a socket on which nothing runs closes soon after its key has expired", async () => {
  s = await stage();
  const line = await s.open();
  await restrict({ expiresAt: Date.now() + 50 });
  expect(await line.closed).toBe(1008);
});

it("a socket stays open while its key cannot be looked up", async () => {
  const looked = Promise.withResolvers<void>();
  let isAway = false;
  const byKey = async () => {
    if (!isAway) return { accountId: "acc", keyId: "key" };
    looked.resolve();
    throw new Error("the store is away");
  };
  s = await stage({
    access: { byKey, byToken: () => undefined, operatorOf: () => undefined, forget() {} },
  });
  const line = await s.open();
  isAway = true;
  await looked.promise;
  isAway = false;
  expect((await line.answer(create(MODEL, "Say hello."))).at(-1)?.type).toBe("response.completed");
  line.socket.close();
});
