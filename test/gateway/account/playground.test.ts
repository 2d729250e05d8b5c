import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN } from "../../support/caller.ts";
import { ADA } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { useAllDatabases } from "./databases.ts";
import { AUDIENCE, ISSUER, PASSWORD, SECRET } from "./desk.ts";

const PAGE = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
const AS_PLAYGROUND = { ...PAGE, "x-console": "playground" };
const CHAT = "/api/chatstyle/v1/chat/completions";
const BODY = { model: "sim-chatstyle", max_tokens: 20, messages: [{ role: "user", content: "Say hello." }] };
/** One request on each surface. */
const REQUESTS: [surface: string, path: string, body: object][] = [
  ["chatstyle", CHAT, BODY],
  ["msgstyle", "/api/msgstyle/v1/messages", BODY],
  [
    "genstyle",
    "/api/genstyle/v1beta/models/sim-chatstyle:generateContent",
    { contents: [{ role: "user", parts: [{ text: "Say hello." }] }] },
  ],
  ["native", "/api/v1/text/completions", BODY],
];

describe.each(useAllDatabases())("the playground of the console on $name", ({ make }) => {
  let stage: Stage;
  let cookie: string;
  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    stage.gateway.fetch(
      new Request(`http://gateway${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const keys = async () => {
    const response = await send("GET", "/api/compat/v1/api-keys", { cookie, "x-console": "1" });
    return (await response.json()) as { total: number; results: { id: string }[] };
  };
  const playground = `playground:${ADA.id}`;

  beforeAll(async () => {
    stage = await startStage({
      make,
      listens: false,
      sessions: { key: { secret: SECRET }, issuer: ISSUER, audience: AUDIENCE },
    });
    const password = { login: "ada", password: PASSWORD };
    const admin = { "x-admin-key": ADMIN, "content-type": "application/json" };
    await send("POST", `/api/admin/accounts/${ADA.id}/password`, admin, password);
    const signedIn = await send("POST", "/api/auth/session", PAGE, { account: "ada", password: PASSWORD });
    cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).not.toBe("");
  });
  afterAll(() => stage.close());

  it.each(REQUESTS)("the session calls %s without a key, and its account pays", async (_, path, body) => {
    const before = await stage.balance();
    const response = await send("POST", path, { ...AS_PLAYGROUND, cookie }, body);
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    await stage.settled();
    expect((await stage.balance()).balance).toBeLessThan(before.balance);
    const generation = { id: response.headers.get("x-generation-id") ?? "", accountId: ADA.id };
    expect(await stage.store.generations.get(generation)).toMatchObject({ keyId: playground });
  });

  it("no key of the account is made, found, changed or revoked by it", async () => {
    const before = await keys();
    await send("POST", CHAT, { ...AS_PLAYGROUND, cookie }, BODY);
    expect(await keys()).toEqual(before);
    expect(before.results.map(({ id }) => id)).not.toContain(playground);
    for (const method of ["GET", "DELETE"]) {
      const headers = { ...PAGE, cookie, "x-console": "1" };
      const response = await send(method, `/api/compat/v1/api-keys/${playground}`, headers);
      expect(response.status).toBe(404);
    }
    for (const secret of [playground, ""])
      expect((await send("POST", CHAT, { ...PAGE, "x-api-key": secret }, BODY)).status).toBe(401);
  });

  it("an explanation of every surface needs no key, and shows the playground's cap", async () => {
    for (const [, path, body] of REQUESTS) {
      const response = await send("POST", path, { ...AS_PLAYGROUND, cookie, "x-explain": "true" }, body);
      expect(await response.json()).toMatchObject({
        verdict: "accepted",
        headroom: { caps: { daily: { limit: 1 } } },
      });
    }
  });

  it("only the console's own pages call as the playground", async () => {
    const refused = async (headers: Record<string, string>) => {
      const response = await send("POST", CHAT, { ...headers, cookie }, BODY);
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await refused(PAGE)).toEqual([401, "invalid_api_key"]);
    expect(await refused({ ...PAGE, "x-console": "1" })).toEqual([401, "invalid_api_key"]);
    expect(await refused({ ...AS_PLAYGROUND, "sec-fetch-site": "same-site" })).toEqual([403, "cross_site"]);
    expect(await refused({ ...AS_PLAYGROUND, "sec-fetch-site": "cross-site" })).toEqual([403, "cross_site"]);
    const none = await send("POST", CHAT, AS_PLAYGROUND, BODY);
    expect(none.status).toBe(401);
  });

  it("a dollar a day is the most that it spends, and the refusal names the playground", async () => {
    const dear = { ...BODY, max_tokens: undefined };
    await stage.store.money.reserve({
      generation: {
        id: "dear",
        accountId: ADA.id,
        keyId: playground,
        modality: "text",
        model: "sim-chatstyle",
      },
      amount: 1,
      at: Date.now(),
      policy: "threshold",
    });
    await stage.store.money.settle({ id: "dear", cost: 1_000_000, status: "succeeded" });
    const response = await send("POST", CHAT, { ...AS_PLAYGROUND, cookie }, dear);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({
      code: "spend_limit_reached",
      errors: ["The daily spend limit of the playground is reached."],
    });
    const byKey = await stage.call(CHAT, BODY);
    expect([byKey.status, await byKey.text()]).toEqual([200, expect.any(String)]);
    await stage.settled();
    expect(await stage.store.money.audit()).toEqual([]);
  });

  it("sums by key name it, and so does the file of an export", async () => {
    const headers = { cookie, "x-console": "1" };
    const series = await send("GET", "/api/compat/v1/usage/series?by=key", headers);
    expect(await series.json()).toMatchObject({
      series: expect.arrayContaining([
        expect.objectContaining({ name: playground, displayName: "playground" }),
      ]),
    });
    const sheet = await send("GET", `/api/compat/v1/usage/export?key=${playground}`, headers);
    expect(sheet.headers.get("content-disposition")).toContain("requests_key-playground.csv");
  });

  it("a session that has ended calls nothing", async () => {
    await send("DELETE", "/api/auth/session", { ...PAGE, "x-console": "1", cookie });
    expect((await send("POST", CHAT, { ...AS_PLAYGROUND, cookie }, BODY)).status).toBe(401);
  });
});
