import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BATCHES, type BatchStage, lineOf, openBatchStage } from "./stage.ts";

const MESSAGES = "/api/msgstyle/v1/messages/batches";
const MINUTE = 60_000;

describe("a batch with an Idempotency-Key", () => {
  let h: BatchStage;
  let later = 0;
  beforeAll(async () => {
    h = await openBatchStage({ now: () => Date.now() + later, media: { runJobs: false } });
  });
  afterAll(() => h.close());

  /** The bodies of two different batches on each surface. */
  const bodies: [path: string, make: (name: string) => Promise<object>][] = [
    [
      BATCHES,
      async (name) => {
        const { id } = await (await h.upload(JSON.stringify(lineOf(name)))).json();
        return { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
      },
    ],
    [
      MESSAGES,
      async (name) => {
        const params = { model: "sim-msgstyle", max_tokens: 8, messages: [{ role: "user", content: "x" }] };
        return { requests: [{ custom_id: name, params }] };
      },
    ],
  ];
  const countAt = async (path: string): Promise<number> => (await h.json(path)).data.length;

  describe.each(bodies)("at %s", (path, make) => {
    const send = (name: string, body: object) => h.call(path, body, { headers: { "idempotency-key": name } });

    it("is begun once; another body is refused, and a refused request may be repeated", async () => {
      const before = await countAt(path);
      const body = await make("a");
      expect((await send("one", { ...body, requests: [], input_file_id: "none" })).status).toBe(400);
      const first = await send("one", body);
      const again = await send("one", body);
      expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
        ...[200, 200],
        "true",
      ]);
      expect(await again.json()).toEqual(await first.json());
      expect((await send("one", await make("b"))).status).toBe(422);
      expect(await countAt(path)).toBe(before + 1);
    });

    it("is begun once if its process dies before the answer is kept", async () => {
      const before = await countAt(path);
      const body = await make("c");
      const { repeats } = h.store;
      const { end } = repeats;
      repeats.end = () => Promise.reject(new Error("died"));
      const { id } = await (await send("two", body)).json();
      repeats.end = end;
      for (const wait of [0, 2 * MINUTE]) {
        later += wait;
        const again = await send("two", body);
        expect(again.status).toBe(409);
        expect((await again.json()).errors[0]).toContain(`batch ${id}`);
      }
      expect(await countAt(path)).toBe(before + 1);
    });
  });
});
