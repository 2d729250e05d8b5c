import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { ORDERS, order } from "../../packages/console/web/src/play/media.ts";

afterEach(() => vi.unstubAllGlobals());

const FATES = [
  "answered",
  "lost on the way",
  "lost on the way back",
  "refused",
  "in use",
  "unavailable",
] as const;
type Fate = (typeof FATES)[number];

/** A service that begins one job for each name, and does with each request what is its fate. */
function serviceOf(fates: Fate[]) {
  const jobs = new Map<string, string>();
  const refusal = (status: number, code: string) => Response.json({ errors: [code], code }, { status });
  vi.stubGlobal("fetch", async (_path: string, { headers }: RequestInit) => {
    const fate = fates.shift() ?? "answered";
    if (fate === "lost on the way") throw new TypeError("Failed to fetch");
    if (fate === "refused") return refusal(402, "insufficient_balance");
    if (fate === "unavailable") return refusal(503, "unavailable");
    const name = new Headers(headers).get("idempotency-key") ?? `unnamed ${jobs.size}`;
    const job = jobs.get(name) ?? `job ${jobs.size}`;
    jobs.set(name, job);
    if (fate === "in use") return refusal(409, "idempotency_key_in_use");
    if (fate === "lost on the way back") throw new TypeError("Failed to fetch");
    return Response.json({ generationId: job });
  });
  return jobs;
}

it("one job is ordered, whatever becomes of the answers, until one comes; the next order is another", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom<Fate>(...FATES), { maxLength: 6 }), async (fates) => {
      const jobs = serviceOf(fates);
      const untilAnswered = async (text: string): Promise<string> => {
        for (;;) {
          const id = await order(ORDERS.image, text).catch(() => undefined);
          if (id !== undefined) return id;
        }
      };
      const first = await untilAnswered("{}");
      expect([...jobs.values()]).toEqual([first]);
      expect(await untilAnswered("{}")).not.toBe(first);
      expect(jobs.size).toBe(2);
    }),
  );
});

it("an order that was changed, or whose job is told of in the refusal, is another", async () => {
  const jobs = serviceOf(["lost on the way back", "lost on the way back"]);
  await expect(order(ORDERS.image, "1")).rejects.toMatchObject({ status: 0 });
  await expect(order(ORDERS.image, "2")).rejects.toMatchObject({ status: 0 });
  expect(jobs.size).toBe(2);
  vi.stubGlobal("fetch", async () =>
    Response.json({ errors: ["It has ended."], code: "idempotency_answer_not_kept" }, { status: 409 }),
  );
  await expect(order(ORDERS.image, "2")).rejects.toMatchObject({ status: 409 });
  const later = serviceOf([]);
  await order(ORDERS.image, "2");
  expect([...later.keys()].some((name) => jobs.has(name))).toBe(false);
});
