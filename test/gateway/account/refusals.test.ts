import { lookupHash, mintKey, prefixOf } from "@manifold-gateway/store";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { ADA, KEY, OTHER } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

const REFUSALS = "/api/compat/v1/refusals";
const NATIVE = "/api/v1/text/completions";
const operator = { headers: { "x-admin-key": ADMIN } };
const ask = (more: Json = {}) => ({
  model: "sim-chatstyle",
  messages: [{ role: "user", content: "Hi" }],
  ...more,
});

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ holders: [ADA, OTHER] });
});
afterAll(() => stage.close());
const listed = async (request: string): Promise<Json[]> =>
  (await stage.json(`${REFUSALS}?request=${request}`)).results;
const send = (request: string, body: unknown, path = CHAT, headers: Record<string, string> = {}) =>
  stage.call(path, body, { headers: { "x-request-id": request, ...headers } });

describe("a request that is refused before it has a generation", () => {
  it("is found by its request id, with what the SDK's error says", async () => {
    const sdk = new OpenAI({ apiKey: KEY, baseURL: `${stage.origin}/api/chatstyle/v1`, maxRetries: 0 });
    const error = await sdk.chat.completions.create(ask({ model: "missing" })).then(
      () => undefined,
      (thrown: InstanceType<typeof OpenAI.APIError>) => thrown,
    );
    const [found, ...more] = await listed(error!.requestID!);
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      code: error!.code,
      status: error!.status,
      model: "missing",
      surface: "chatstyle",
    });
    expect(error!.message).toContain(found.message);
    expect(found.apiKeyId).toBeDefined();
  });

  it.each([
    ["an invalid body", "invalid", { model: "sim-chatstyle", messages: 1 }, CHAT],
    ["broken JSON", "broken", "{", CHAT],
    ["an invalid native body", "native", { model: "sim-chatstyle", messages: [] }, NATIVE],
  ])("is listed with the code of its answer: %s", async (_, request, body, path) => {
    const response = await send(request, body, path);
    const { code } = (await response.json()) as Json;
    expect(await listed(request)).toMatchObject([{ code, status: response.status, requestId: request }]);
  });

  it("is listed for a cap that is reached, a rate, a disabled key and a key that has expired", async () => {
    const cases = [
      ["capped", "spend_limit_reached", { caps: { total: 0 } }],
      ["rated", "too_many_requests", { restrictions: { requestsPerMinute: 0 } }],
      ["disabled", "invalid_api_key", { isActive: false }],
      ["expired", "api_key_expired", { restrictions: { expiresAt: 1 } }],
    ] as const;
    for (const [id, code, change] of cases) {
      const secret = mintKey();
      const key = {
        id,
        accountId: "acc",
        name: id,
        prefix: prefixOf(secret),
        hash: lookupHash(secret),
        at: 0,
      };
      await stage.store.keys.create(key);
      expect(await stage.store.keys.change({ id, accountId: "acc" }, change)).toBe(true);
      const response = await send(id, ask(), CHAT, { "x-api-key": secret });
      expect(await listed(id), id).toMatchObject([{ code, status: response.status, apiKeyId: id }]);
    }
  });

  it("is not listed if it was answered, explained, failed at a provider, or has no known account", async () => {
    expect((await send("good", ask())).status).toBe(200);
    const failed = ask({ messages: [{ role: "user", content: "[[fault:status=400]]" }] });
    expect((await send("failed", failed)).status).toBe(400);
    await send("explained", ask({ model: "missing" }), CHAT, { "x-explain": "true" });
    await send("unknown", ask(), CHAT, { "x-api-key": "nobody" });
    const all = await stage.json("/api/admin/refusals?limit=100", undefined, 200, operator);
    const ids = all.results.map(({ requestId }: Json) => requestId);
    for (const id of ["good", "failed", "explained", "unknown"]) expect(ids).not.toContain(id);
  });

  it("is its account's and the operator's alone, and is counted by hour, key and code", async () => {
    await send("theirs", ask({ model: "missing" }), CHAT, { "x-api-key": OTHER.key });
    expect(await listed("theirs")).toEqual([]);
    const [found] = (await stage.json("/api/admin/refusals?request=theirs", undefined, 200, operator))
      .results;
    expect(found).toMatchObject({ userId: OTHER.id, accountName: OTHER.id, code: "model_not_found" });
    const counts = await stage.json(
      `/api/admin/refusals/counts?account=${OTHER.id}`,
      undefined,
      200,
      operator,
    );
    expect(counts.results).toMatchObject([{ code: "model_not_found", count: 1 }]);
    const all = (await stage.json(`${REFUSALS}?limit=100`)).results;
    const series = (query: string) => stage.json(`/api/compat/v1/usage/series?${query}`);
    const { total } = await series("by=key");
    expect(total.refused).toBe(all.length);
    const byStatus = (await series("by=status&status=refused&measure=refused")).series;
    expect(byStatus).toMatchObject([{ name: "refused", total: { requests: 0, refused: all.length } }]);
    // No model is known of them: their number is in the sum of all, which is the same however it is split.
    const byModel = await series("by=model");
    expect(byModel.total).toEqual(total);
    for (const { total } of byModel.series) expect(total).not.toHaveProperty("refused");
    expect((await series("by=key&status=succeeded")).total.refused).toBe(0);
    expect((await series("by=key&model=missing")).total).not.toHaveProperty("refused");
    expect(await stage.json("/api/compat/v1/usage/totals")).toMatchObject({
      ...{ requests: total.requests, refused: all.length },
    });
    const everybody = await stage.json("/api/admin/usage/series?by=account", undefined, 200, operator);
    expect(everybody.total.refused).toBe(all.length + 1);
    const theirs = await stage.json("/api/admin/find?q=theirs", undefined, 200, operator);
    expect(theirs.results).toMatchObject([
      { kind: "refusal", name: "model_not_found", path: "/api/admin/refusals?request=theirs" },
    ]);
    expect((await stage.json("/api/compat/v1/find?q=theirs")).results).toEqual([]);
    expect((await stage.json("/api/compat/v1/find?q=broken")).results).toMatchObject([{ kind: "refusal" }]);
    const sums = (await stage.json(`${REFUSALS}/counts`)).results;
    expect(sums.reduce((sum: number, { count }: Json) => sum + count, 0)).toBe(all.length);
  });
});
