import { randomUUID } from "node:crypto";
import type { ProviderError, RecordOptions, Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

const SECOND = 1_000;
/** A name, or a text that is none. */
const code = fc.oneof(
  fc.constantFrom("INVALID_ARGUMENT", "rate_limit_error"),
  fc.string({ unit: "grapheme" }),
);
const error = fc.record(
  {
    code,
    type: code,
    message: fc.string({ unit: "grapheme", maxLength: 900 }),
    body: fc.string({ unit: "binary", maxLength: 4_000 }),
  },
  { requiredKeys: [] },
);

export const providerErrors: Context = (database) => {
  let store: Store | undefined;
  afterEach(() => store?.close());
  const open = async (requests: RecordOptions["requests"]): Promise<Store> => {
    store = await database().open({ records: { requests } });
    return store;
  };

  /** Failed generations with what their attempts got, noted in another order than they began. */
  async function fail(
    of: Store,
    made: readonly { ago: number; errors: readonly Omit<ProviderError, "attempt">[] }[],
  ) {
    const { accountId } = await makeCaller(of);
    const refs = made.map(({ ago, errors }) => ({ id: randomUUID(), at: NOW - ago, errors }));
    for (const { id, at, errors } of refs) {
      const { generation, ...rest } = makeReservation({ accountId }, 5, { at });
      await of.money.reserve({ ...rest, generation: { ...generation, id, request: `{"model":"m"}` } });
      const route = { attempts: errors.map(() => ({ entry: "e", status: 400 })) };
      await of.money.release({ id, accountId, status: "failed", durationMs: 1, route });
    }
    for (const { id, at, errors } of refs.toReversed())
      of.contents.keepErrors(
        { id, account: accountId, at },
        errors.map((one, attempt) => ({ attempt, ...one })),
      );
    const read = () =>
      Promise.all(
        refs.map(async ({ id }) => {
          const found = await of.generations.get({ id, accountId });
          return { errors: found?.errors ?? [], kept: found?.request !== undefined };
        }),
      );
    return { refs, accountId, read };
  }

  const NAME = /^[\w.:/-]{1,100}$/;
  const made = fc.array(
    fc.record({ ago: fc.integer({ min: 0, max: 3 * SECOND }), errors: fc.array(error, { maxLength: 3 }) }),
    { maxLength: 6 },
  );

  it("each attempt's error is read with its generation, cut at a character, before and after it is written", async () => {
    const one = await open("full");
    await fc.assert(
      fc.asyncProperty(made, async (asked) => {
        const { refs, read } = await fail(one, asked);
        const check = async () => {
          const found = await read();
          for (const [at, { errors }] of refs.entries())
            for (const [attempt, given] of errors.entries()) {
              const kept = found[at]!.errors.find((noted) => noted.attempt === attempt);
              expect(kept?.code).toBe(
                given.code !== undefined && NAME.test(given.code) ? given.code : undefined,
              );
              if (given.body === undefined) continue;
              const bytes = new TextEncoder().encode(kept?.body);
              expect(given.body.startsWith(kept?.body ?? " ")).toBe(true);
              expect(bytes.length).toBeLessThanOrEqual(2_048);
              // What is left out would not have fitted.
              const left = given.body.slice(kept?.body?.length);
              const [first = ""] = left;
              if (left !== "")
                expect(bytes.length + new TextEncoder().encode(first).length).toBeGreaterThan(2_048);
            }
          return found;
        };
        const before = await check();
        await one.contents.sweep(NOW);
        expect(await check()).toEqual(before);
      }),
      { numRuns: 8 },
    );
  });

  it("an option keeps codes alone, another nothing, and the sweep deletes errors with the requests", async () => {
    const failure = { code: "INVALID_ARGUMENT", type: "invalid request", message: "No.", body: "{}" };
    const asked = [{ ago: 0, errors: [failure] }];
    const codes = await fail(await open("metadata"), asked);
    expect((await codes.read())[0]?.errors).toEqual([{ attempt: 0, code: "INVALID_ARGUMENT" }]);
    await store?.close();
    const none = await fail(await open("none"), asked);
    expect((await none.read())[0]?.errors).toEqual([]);
    await store?.close();
    const full = await open("full");
    const { read } = await fail(full, asked);
    expect((await read())[0]?.errors).toHaveLength(1);
    await full.contents.sweep(NOW + 60 * 24 * 3_600_000);
    expect(await read()).toEqual([{ errors: [], kept: false }]);
  });

  it("another account's errors and those of lists are not read", async () => {
    const one = await open("full");
    const { refs, accountId } = await fail(one, [{ ago: 0, errors: [{ message: "No." }] }]);
    const other = await makeCaller(one);
    expect(await one.generations.get({ id: refs[0]!.id, accountId: other.accountId })).toBeUndefined();
    const [listed] = await one.generations.after({ accountId }, { limit: 1, isWithRequest: true });
    expect(listed).not.toHaveProperty("errors");
  });
};
