import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGuardedFetch, type GuardedFetch } from "@manifold-gateway/providers";
import { lookupHash } from "@manifold-gateway/store";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FETCH_TIMEOUT } from "../../../packages/gateway/src/media/fetch-inputs.ts";
import { type MediaStageOptions, startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

const PATH = "/api/msgstyle/v1/embeddings";
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0)) await end();
});

interface Call {
  url: string;
  signal: AbortSignal | undefined;
  /** Lets it go on. */
  go(): void;
}

/** A gateway whose fetches wait until they are let go. */
async function start(
  options: MediaStageOptions = {},
): Promise<Stage & { calls: Call[]; called(n: number): Promise<void> }> {
  const calls: Call[] = [];
  const real = createGuardedFetch({ allow: ["127.0.0.1/32"] });
  const fetch: GuardedFetch = (url, more) =>
    new Promise((resolve, reject) => {
      calls.push({ url, signal: more.signal, go: () => resolve(real(url, more)) });
      more.signal?.addEventListener("abort", () => reject(more.signal?.reason));
    });
  const h = await startMediaStage({ ...options, media: { fetch } });
  ends.push(h.close);
  return { ...h, calls, called: (n) => expect.poll(() => calls).toHaveLength(n) };
}

const bodyOf = (h: Stage, ...names: string[]) => ({
  model: "embed-generate",
  input: names.map((name) => ({ content: [{ type: "imageUrl", url: `${h.upstream}/samples/${name}.png` }] })),
});

describe("the files of an embedding request", () => {
  it("files to embed are not fetched for a caller without credit", async () => {
    const h = await start({ credit: 0 });
    const { errors } = await h.json(PATH, bodyOf(h, "64x64"), 403);
    expect([errors[0], h.calls]).toEqual(["The credit balance of the account is used up.", []]);
  });

  it("files to embed are not fetched for an explanation, which says so", async () => {
    const h = await start();
    const told = await h.json(PATH, bodyOf(h, "64x64", "32x32"), 200, { headers: { "x-explain": "true" } });
    expect(h.calls).toEqual([]);
    expect(told.verdict).toBe("accepted");
    expect(told.upstream.pending).toEqual([
      "input.0.content.0: the file is fetched and sent inline.",
      "input.1.content.0: the file is fetched and sent inline.",
    ]);
    expect(JSON.stringify(told.upstream.body)).not.toContain(h.upstream);
  });

  it("files to embed are fetched side by side, under one signal", async () => {
    const h = await start();
    const asked = h.json(PATH, bodyOf(h, "64x64", "32x32", "16x16"));
    await h.called(3);
    expect(new Set(h.calls.map(({ signal }) => signal)).size).toBe(1);
    for (const { go } of h.calls) go();
    expect((await asked).data).toHaveLength(3);
  });

  it("slow files of one account do not hold up another's", async () => {
    const h = await start();
    const key = "another-key-0123456789abcdef0123456789";
    await h.store.accounts.ensure({ id: "other", name: "other", at: 1 });
    await h.store.accounts.credit({
      accountId: "other",
      amount: 1_000_000,
      kind: "topup",
      reference: "other",
      at: 1,
    });
    const other = { id: "other-key", accountId: "other", name: "k", prefix: "another" };
    await h.store.keys.ensure({ ...other, hash: lookupHash(key), at: 1 });
    const slow = Array.from({ length: 12 }, () => h.call(PATH, bodyOf(h, "64x64")));
    await h.called(2);
    const quick = h.json(PATH, bodyOf(h, "32x32"), 200, { headers: { "x-api-key": key } });
    await expect.poll(() => h.calls.some(({ url }) => url.includes("32x32"))).toBe(true);
    h.calls.find(({ url }) => url.includes("32x32"))?.go();
    expect((await quick).data).toHaveLength(1);
    expect(h.calls).toHaveLength(3);
    for (let done = 0; done < 13; done++) {
      await expect.poll(() => h.calls.length).toBeGreaterThan(done);
      // The quick one went on before.
      if (done !== 2) h.calls[done]?.go();
    }
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200);
  });

  it("fetches of files to embed are cancelled when the client leaves", async () => {
    const h = await start();
    const leaving = new AbortController();
    const asked = h.call(PATH, bodyOf(h, "64x64"), { signal: leaving.signal }).catch(() => undefined);
    await h.called(1);
    const { signal } = h.calls[0] as Call;
    const dropped = new Promise((resolve) => signal?.addEventListener("abort", resolve));
    leaving.abort();
    await Promise.all([dropped, asked]);
    expect(signal?.aborted).toBe(true);
    expect((await h.balance()).held).toBe(0);
  });

  it("a repeated request never runs beside the first, however long its files take", async () => {
    let ahead = 0;
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => late.signal);
    const h = await start({ now: () => Date.now() + ahead });
    const init = { headers: { "idempotency-key": "once" } };
    const before = await h.balance();
    const first = h.call(PATH, bodyOf(h, "64x64"), init);
    await h.called(1);
    expect(timeout.mock.calls).toEqual([[FETCH_TIMEOUT]]);
    ahead = FETCH_TIMEOUT;
    expect((await h.call(PATH, bodyOf(h, "64x64"), init)).status).toBe(409);
    late.abort(new DOMException("late", "TimeoutError"));
    const answer = await first;
    expect([answer.status, (await answer.json()).errors[0]]).toEqual([
      400,
      "input.0.content.0: the files could not be fetched within 30 s.",
    ]);
    expect(await h.balance()).toEqual(before);
    // It came to nothing: the name is free again at once.
    timeout.mockRestore();
    const again = h.call(PATH, bodyOf(h, "64x64"), init);
    await h.called(2);
    h.calls[1]?.go();
    expect((await again).status).toBe(200);
  });
});

it("a key sent for embeddings is hidden where the provider repeats it", async () => {
  const echo = createServer((request, response) => {
    const message = `Bad key ${request.headers.authorization}`;
    response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { message } }));
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => echo.close(() => resolve())));
  const origin = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const embed = { wire: "routerstyle", origin, key: "key-of-the-service" } as const;
  const h = await start({ serves: { routerstyle: { embed } } });
  const answer = await h.call(PATH, { model: "embed-media", input: "words" });
  const text = await answer.text();
  expect([answer.status, text.includes("[redacted]"), text.includes(embed.key)]).toEqual([400, true, false]);
});
