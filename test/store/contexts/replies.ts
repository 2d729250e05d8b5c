import { randomUUID } from "node:crypto";
import type { RecordOptions, Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

const DAY = 24 * 3_600_000;
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.string({ unit: "binary", maxLength: 400 }),
);
const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("call"), id: fc.constant("c"), name: fc.constant("f"), arguments: text }),
);
const reply = fc.record({
  choices: fc.array(
    fc.record({
      parts: fc.array(part, { maxLength: 3 }),
      finish: fc.constant({ reason: "stop", raw: "stop" }),
    }),
    { maxLength: 2 },
  ),
});
type Part = { type: string; text?: string; arguments?: string };
type Kept = { choices: { parts: Part[]; finish: object }[]; truncated?: true };

export const replies: Context = (database) => {
  let store: Store | undefined;
  afterEach(() => store?.close());
  const open = async (records: Partial<RecordOptions>): Promise<Store> => {
    store = await database().open({ records });
    return store;
  };

  /** An ended generation of a moment, with its reply. */
  async function answer(of: Store, made: object, at = NOW) {
    const { accountId } = await makeCaller(of);
    const id = randomUUID();
    const { generation, ...rest } = makeReservation({ accountId }, 5, { at });
    await of.money.reserve({ ...rest, generation: { ...generation, id, request: '{"model":"m"}' } });
    await of.money.release({ id, accountId, status: "succeeded", durationMs: 1 });
    of.contents.keepReply({ id, account: accountId, at }, JSON.stringify(made));
    const read = async () => (await of.generations.get({ id, accountId }))?.reply as Kept | undefined;
    return { id, accountId, read };
  }

  it("a reply is read with its generation, as long as it may be, before and after it is written", async () => {
    const one = await open({ replies: "full", replyBytes: 300 });
    await fc.assert(
      fc.asyncProperty(reply, async (made) => {
        const { read } = await answer(one, made);
        const kept = (await read())!;
        const size = Buffer.byteLength(JSON.stringify(kept));
        if (Buffer.byteLength(JSON.stringify(made)) <= 300) expect(kept).toEqual(made);
        else {
          expect(kept.truncated).toBe(true);
          expect(size).toBeLessThanOrEqual(300);
          for (const [choice, { parts }] of kept.choices.entries())
            for (const [at, { text = "", arguments: words = "" }] of parts.entries()) {
              const whole = made.choices[choice]!.parts[at] as Part;
              expect(whole.text ?? "").toSatisfy((one: string) => one.startsWith(text));
              expect(whole.arguments ?? "").toSatisfy((one: string) => one.startsWith(words));
            }
        }
        await one.contents.sweep(NOW);
        expect(await read()).toEqual(kept);
      }),
      { numRuns: 8 },
    );
  });

  it("an option keeps the kinds and sizes of a reply, another nothing, and lists have replies where they are asked for", async () => {
    const said = { type: "text", text: "a secret" };
    const made = { choices: [{ parts: [said], finish: { reason: "length", raw: "max_tokens" } }] };
    const nothing = await open({});
    expect(nothing.contents).not.toHaveProperty("replyBytes");
    expect(await (await answer(nothing, made)).read()).toBeUndefined();
    await nothing.close();
    const sizes = await answer(await open({ replies: "metadata" }), made);
    expect(await sizes.read()).toEqual({
      choices: [
        {
          parts: [{ type: "text", text: "8 characters" }],
          finish: { reason: "length", raw: "10 characters" },
        },
      ],
    });
    await store?.close();
    const full = await open({ replies: "full" });
    expect(full.contents.replyBytes).toBe(64 * 1024);
    const { accountId } = await answer(full, made);
    for (const isWithReply of [true, false]) {
      const [listed] = await full.generations.after(
        { accountId },
        { limit: 1, isWithRequest: false, isWithReply },
      );
      expect(listed?.reply).toEqual(isWithReply ? made : undefined);
    }
  });

  it("replies expire with their requests, and count in the quota of their account", async () => {
    const one = await open({ replies: "full", replyBytes: 600_000, quota: 1024 * 1024 });
    const made = (length: number) => ({ choices: [{ parts: [{ type: "text", text: "t".repeat(length) }] }] });
    const { read } = await answer(one, made(10));
    expect(await read()).toEqual(made(10));
    await one.contents.sweep(NOW + 60 * DAY);
    expect(await read()).toBeUndefined();

    const { accountId } = await makeCaller(one);
    const ids = [];
    for (let n = 0; n < 3; n++) {
      const at = NOW + n * 2_000;
      const id = randomUUID();
      const { generation, ...rest } = makeReservation({ accountId }, 5, { at });
      await one.money.reserve({ ...rest, generation: { ...generation, id } });
      await one.money.release({ id, accountId, status: "succeeded", durationMs: 1 });
      one.contents.keepReply({ id, account: accountId, at }, JSON.stringify(made(400_000)));
      await one.contents.sweep(NOW);
      ids.push(id);
    }
    const left = await Promise.all(
      ids.map(async (id) => (await one.generations.get({ id, accountId }))?.reply !== undefined),
    );
    expect(left).toEqual([false, true, true]);
  });
};
