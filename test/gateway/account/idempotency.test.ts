import { lookupHash, mintKey } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";
import { useAllDatabases } from "./databases.ts";

describe.each(useAllDatabases())("idempotency on $name", ({ make }) => {
  let h: Stage;
  let clock: number;
  beforeEach(async () => {
    clock = Date.now();
    h = await startStage({ make, now: () => clock });
  });
  afterEach(() => h.close());

  const say = (text: string, more = {}) => ({
    model: "sim-chatstyle",
    messages: [{ role: "user", content: text }],
    ...more,
  });
  const send = (key: string, body: object | string, path = CHAT) =>
    h.call(path, body, { headers: { "idempotency-key": key } });
  const records = () => h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 10 });
  const DAY = 24 * 3_600_000;

  it("an Idempotency-Key belongs to one API key only", async () => {
    const other = mintKey();
    const row = {
      id: "second",
      accountId: "acc",
      name: "second",
      prefix: "x",
      hash: lookupHash(other),
      at: clock,
    };
    await h.store.keys.create(row);
    const first = await send("same", say("Hello"));
    const byOther = await h.call(CHAT, say("Hello"), {
      headers: { "idempotency-key": "same", "x-api-key": other },
    });
    expect([first.status, byOther.status]).toEqual([200, 200]);
    expect(byOther.headers.get("idempotency-replayed")).toBeNull();
    expect(byOther.headers.get("x-generation-id")).not.toBe(first.headers.get("x-generation-id"));
  });

  const billable: [string, string, object][] = [
    ["chat completions", CHAT, say("Hello")],
    ["responses", "/api/chatstyle/v1/responses", { model: "sim-responses", input: "Hello" }],
    [
      "messages",
      "/api/msgstyle/v1/messages",
      { model: "sim-msgstyle", max_tokens: 50, messages: [{ role: "user", content: "Hello" }] },
    ],
    [
      "generate content",
      "/api/genstyle/v1beta/models/sim-genstyle:generateContent",
      { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
    ],
    ["translated", CHAT, { ...say("Hello"), model: "sim-msgstyle" }],
  ];

  describe.each(billable)("a repeated request: %s", (_, path, body) => {
    it("a repeated request gets the same answer, and is sent and billed once", async () => {
      const first = await send("k1", body, path);
      expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, null]);
      const text = await first.text();
      const paid = await h.balance();
      const again = await send("k1", body, path);
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
      expect(again.headers.get("x-generation-id")).toBe(first.headers.get("x-generation-id"));
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(await again.text()).toBe(text);
      expect(await h.balance()).toEqual(paid);
      expect((await records()).total).toBe(1);
      expect(h.simulator.ledger.entries).toHaveLength(1);
    });
  });

  describe("an idempotency key", () => {
    it("an Idempotency-Key with another body is refused", async () => {
      await send("k", say("one"));
      const refused = await send("k", say("two"));
      expect([refused.status, (await refused.json()).success]).toEqual([422, false]);
      expect((await records()).total).toBe(1);
    });

    it("one of many simultaneous repeats runs; the others get its answer or are asked to retry", async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => send("k", say("Hello"))));
      const first = answers.filter(
        ({ status, headers }) => status === 200 && !headers.has("idempotency-replayed"),
      );
      expect(first).toHaveLength(1);
      const id = first[0]?.headers.get("x-generation-id");
      for (const { status, headers } of answers) {
        expect(headers.get("x-generation-id")).toBe(id);
        if (status !== 200) expect([status, headers.get("retry-after")]).toEqual([409, "1"]);
      }
      expect((await records()).total).toBe(1);
      expect(h.simulator.ledger.entries).toHaveLength(1);
    });

    it("a repeat of a stream that cannot be replayed gets the id of its generation", async () => {
      const first = await send("k", say("Hello", { stream: true }));
      expect((await first.text()).endsWith("data: [DONE]\n\n")).toBe(true);
      // The key counts as in use until the end is stored, a moment after the last event has arrived.
      let again = first;
      const retryAfter = async () => {
        again = await send("k", say("Hello", { stream: true }));
        return again.headers.get("retry-after");
      };
      await expect.poll(retryAfter).toBeNull();
      const { errors } = await again.json();
      expect(again.status).toBe(409);
      expect(errors[0]).toContain(first.headers.get("x-generation-id"));
      expect((await records()).total).toBe(1);
    });

    it("an Idempotency-Key is free again after a refusal and after a failure that cost nothing", async () => {
      expect((await send("k", say("x", { model: "nobody" }))).status).toBe(400);
      expect((await send("k", say("[[fault:status=503]]"))).status).toBe(503);
      expect((await send("k", say("[[fault:status=503]]", { stream: true }))).status).toBe(503);
      await h.store.keys.change({ accountId: "acc", id: "key" }, { caps: { daily: 0 } });
      expect((await send("k", say("Hello"))).status).toBe(429);
      await h.store.keys.change({ accountId: "acc", id: "key" }, { caps: { daily: null } });
      expect((await send("k", say("Hello"))).status).toBe(200);
      expect((await records()).results.filter(({ status }) => status === "succeeded")).toHaveLength(1);
    });

    it("an Idempotency-Key does not count on another path or after a day", async () => {
      await send("k", say("Hello"));
      expect(
        (await send("k", { model: "sim-responses", input: "Hello" }, "/api/chatstyle/v1/responses")).status,
      ).toBe(200);
      clock += DAY - 1;
      expect((await send("k", say("two"))).status).toBe(422);
      clock += 1;
      expect((await send("k", say("two"))).headers.get("idempotency-replayed")).toBeNull();
      expect((await records()).total).toBe(3);
    });

    it("the key of a process that died idle is free after a minute; of one that had begun, never", async () => {
      const body = JSON.stringify(say("Hello"));
      const { createHash } = await import("node:crypto");
      const bodyHash = createHash("sha256").update(body).digest("base64url");
      const left = { accountId: "acc", route: CHAT, bodyHash, at: clock };
      await h.store.repeats.begin({ ...left, name: "key early", generationId: "never-began" });
      await h.store.repeats.begin({ ...left, name: "key late", generationId: "began" });
      await h.store.money.reserve({
        generation: { id: "began", accountId: "acc", modality: "text", model: "m" },
        amount: 1,
        at: clock,
        policy: "threshold",
      });
      await h.store.money.release({ id: "began", status: "failed" });
      const early = await send("early", body);
      expect([early.status, early.headers.get("retry-after")]).toEqual([409, "1"]);
      clock += 60_000;
      expect((await send("early", body)).status).toBe(200);
      const late = await send("late", body);
      expect([late.status, late.headers.get("x-generation-id"), late.headers.get("retry-after")]).toEqual([
        409,
        "began",
        null,
      ]);
    });

    it.each(["", " ", "ü", "k".repeat(256)])("'%s' is not a valid Idempotency-Key", async (key) => {
      const response = await h.gateway.fetch(
        new Request(`http://x.test${CHAT}`, {
          method: "POST",
          headers: { "x-api-key": "test-key-0123456789abcdef", "idempotency-key": key },
          body: JSON.stringify(say("Hello")),
        }),
      );
      expect([response.status, (await response.json()).errors[0]]).toEqual([
        400,
        expect.stringMatching(/^Idempotency-Key: /),
      ]);
    });
  });
});
