import { combineObservers, type Observer, type Settled } from "@manifold-gateway/gateway";
import { createTransport, type Transport } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAT } from "../../support/text.ts";
import { translated, withHarness } from "./stand.ts";

/** Writes down what it is told. */
function scribe(): { observer: Observer; notes: string[]; settled: Settled[] } {
  const notes: string[] = [];
  const settled: Settled[] = [];
  return {
    notes,
    settled,
    observer: {
      started({ surface, method, route }) {
        notes.push(`started ${surface} ${method} ${route}`);
        return {
          attempt: ({ operation, provider, name, stream }) => {
            notes.push(`attempt ${operation} ${provider} ${name} ${stream}`);
            return {
              answered: (status) => notes.push(`answered ${status}`),
              failed: (fault) => notes.push(`failed ${fault}`),
            };
          },
          firstByte: () => notes.push("first byte"),
          settled: (generation) => {
            notes.push("settled");
            settled.push(generation);
          },
          ended: (status) => notes.push(`ended ${status}`),
        };
      },
      stepped: ({ kind, id }) => {
        notes.push(`stepped ${kind} ${id}`);
        return {
          settled: ({ status, cost }) => notes.push(`${status} ${cost}`),
          ended: (fault) => notes.push(`step ended ${fault}`),
        };
      },
    },
  };
}

describe("an observer", () => {
  it.each([
    [false, ["settled", "first byte"]],
    [true, ["first byte", "settled"]],
  ])("an observer hears of a generation in order, streamed: %s", async (stream, middle) => {
    const { observer, notes, settled } = scribe();
    await withHarness({ observer }, async (h) => {
      const response = await h.call(CHAT, { ...translated, stream });
      await response.text();
      await h.settled();
      const id = response.headers.get("x-generation-id");
      expect(settled.map((one) => one.id)).toEqual([id]);
    });
    expect(notes).toEqual([
      `started chatstyle POST ${CHAT}`,
      `attempt chat msgstyle sim-msgstyle ${stream}`,
      "answered 200",
      ...middle,
      "ended 200",
    ]);
    const [{ cost, usage, status, model }] = settled as [Settled];
    expect([status, model]).toEqual(["succeeded", "sim-msgstyle"]);
    expect(cost).toBe(Math.ceil(usage!.input * 1 + usage!.output * 2));
  });

  it("an observer hears of refusals, unknown paths and failing providers", async () => {
    const { observer, notes } = scribe();
    await withHarness({ observer }, async (h) => {
      await h.call(CHAT, { model: "nothing", messages: [{ role: "user", content: "x" }] });
      await h.call("/api/chatstyle/v1/nothing", {});
      await h.call("/api/genstyle/v1beta/models/x:nothing", {});
      await h.call("/api/v1/ai/models/%00");
      const content = "[[fault:status=400]] x";
      const messages = [{ role: "user", content }];
      await (await h.call(CHAT, { model: "sim-chatstyle", messages })).text();
    });
    expect(notes).toEqual([
      `started chatstyle POST ${CHAT}`,
      "first byte",
      "ended 400",
      "started chatstyle POST /**",
      "first byte",
      "ended 404",
      "started genstyle POST /api/genstyle/v1beta/**:model",
      "first byte",
      "ended 404",
      "started native GET /api/v1/ai/models/**:modelId",
      "first byte",
      "ended 400",
      `started chatstyle POST ${CHAT}`,
      "attempt chat chatstyle sim-chatstyle false",
      "answered 400",
      "settled",
      "first byte",
      "ended 400",
    ]);
  });

  it("the headers that an observer wants propagated are sent along, and only where it wants them", async () => {
    const observer: Observer = {
      started: () => ({
        attempt: ({ provider }) => (provider === "msgstyle" ? { headers: { "x-told": "yes" } } : undefined),
      }),
    };
    const real = createTransport();
    const sent: (string | undefined)[] = [];
    const transport: Transport = {
      send(request) {
        sent.push(request.headers["x-told"]);
        return real.send(request);
      },
      close: () => real.close(),
    };
    await withHarness({ observer, transport }, async (h) => {
      await h.call(CHAT, translated);
      await h.call(CHAT, { ...translated, model: "sim-genstyle" });
    });
    expect(sent).toEqual(["yes", undefined]);
  });
});

describe("several observers", () => {
  it("several observers are one that passes the same to all of them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.nat(599), (count, status) => {
        const scribes = Array.from({ length: count }, scribe);
        const both = combineObservers(scribes.map(({ observer }) => observer));
        expect(both === undefined).toBe(count === 0);
        const request = { id: "r", surface: "s", method: "GET", route: "/r", header: () => undefined };
        const watch = both?.started(request);
        const attempt = { operation: "chat", provider: "p", origin: "http://p", name: "m" } as const;
        watch?.attempt?.({ ...attempt, protocol: "chatstyle", stream: true })?.answered?.(status);
        watch?.ended?.(status);
        const job = { kind: "video", accountId: "acc", id: "j", model: "m", phase: "unsent" } as const;
        const step = both?.stepped?.(job);
        step?.settled?.({ status: "failed", cost: status, durationMs: 1, orphan: false });
        step?.ended?.("TypeError");
        for (const { notes } of scribes)
          expect(notes).toEqual([
            "started s GET /r",
            "attempt chat p m true",
            `answered ${status}`,
            `ended ${status}`,
            "stepped video j",
            `failed ${status}`,
            "step ended TypeError",
          ]);
      }),
    );
  });
});
