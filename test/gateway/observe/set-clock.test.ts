import { createFetchTransport } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordLog } from "../../support/log.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

const HOUR = 3_600_000;
const body = (more: object = {}) => ({
  model: "sim-chatstyle",
  messages: [{ role: "user", content: "hi" }],
  ...more,
});

describe.each([
  { title: "forward", by: HOUR },
  { title: "back", by: -HOUR },
])("a clock that is set $title by an hour", ({ by }) => {
  const { log, entries } = recordLog();
  let h: Stage;
  let ahead = 0;
  /** Sets the clock while the provider has the request. */
  let sets = false;
  beforeEach(async () => {
    const simulator = createSimulator();
    const fetch = (request: Request) => {
      if (sets) ahead += by;
      return simulator.fetch(request);
    };
    h = await startStage({
      listens: false,
      transport: createFetchTransport({ fetch }),
      now: () => Date.now() + ahead,
      limits: { counts: 10 },
      log,
    });
  });
  afterEach(() => h.close());

  it.each([false, true])("a request has the duration that it took, stream: %s", async (stream) => {
    sets = true;
    const response = await h.call(CHAT, body({ stream }));
    expect(response.status).toBe(200);
    await response.text();
    sets = false;
    await h.settled();
    const id = response.headers.get("x-generation-id") ?? "";
    const record = await h.store.generations.get({ id, accountId: "acc" });
    const attempt = record?.route && (record.route as { attempts: { ms: number }[] }).attempts[0];
    // The line is written after the end of the answer.
    const logged = () =>
      entries.find(({ message, fields }) => message === "request" && fields.generation === id);
    await expect.poll(logged).toBeDefined();
    for (const ms of [record?.durationMs, attempt?.ms, logged()?.fields.ms]) {
      expect(Number.isInteger(ms)).toBe(true);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThan(HOUR / 2);
    }
  });

  it("the rate of a key's token counts refuses no more than before", async () => {
    const count = async () => (await h.call("/api/msgstyle/v1/messages/count_tokens", body())).status;
    expect(await count()).toBe(200);
    ahead += by;
    expect(await count()).toBe(200);
  });
});
