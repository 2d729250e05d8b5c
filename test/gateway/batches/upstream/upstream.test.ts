import { createTransport, type Transport, UpstreamBody } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { openMedia } from "../../../support/files.ts";
import { model, price } from "../../../support/text.ts";
import { until } from "../../../support/until.ts";
import { BATCHES, CREDIT, lineOf, openBatchStage, useBatchStage } from "../stage.ts";
import {
  charged,
  MESSAGES,
  messageOf,
  messagesEnded,
  providersWith,
  truth,
  upstreamLimits,
} from "./stage.ts";

const entry = { provider: "chatstyle", name: "sim-chatstyle", priority: 1, isActive: true, price };
const direct = model("direct", "chatstyle", { entries: [{ ...entry, batches: false }] });
const set = useBatchStage({
  providers: providersWith(),
  media: { batches: upstreamLimits },
  models: [model("sim-chatstyle-alone", "chatstyle"), direct],
});
const names = ["a", "b", "c"];

/** The charges and the truth grow by the same. */
async function growth(act: () => Promise<void>) {
  const [before, was] = [await charged(set.h), truth(set.h)];
  await act();
  const [after, is] = [await charged(set.h), truth(set.h)];
  expect((await set.h.balance()).held).toBe(0);
  expect(await set.h.store.money.audit()).toEqual([]);
  const due = { batches: is.batches - was.batches, others: is.others - was.others };
  expect({ batches: after.batches - before.batches, others: after.others - before.others }).toEqual(due);
  return due;
}

describe("lines whose provider has batches of their wire", () => {
  it("are sent with one of them, at its price, with a record of each", async () => {
    const due = await growth(async () => {
      const lines = names.map((name) => lineOf(name, `${name} [[say:hello]]`));
      const { id } = await set.h.begin(lines, {}, { "x-tags": "team=search" });
      const { batch, output } = await set.h.ended(id);
      expect(batch.request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
      expect(output.map(({ custom_id: name }) => name)).toEqual(names);
      expect(output[0]?.response.body).toMatchObject({ object: "chat.completion", model: "sim-chatstyle" });
    });
    expect(due.batches).toBeGreaterThan(0);
    expect(due.others).toBe(0);
    const [remote] = set.h.simulator.batches.all;
    expect(set.h.simulator.batches.all).toHaveLength(1);
    const filter = { accountId: "acc", tags: { team: "search" } };
    const { results } = await set.h.store.generations.list(filter, { offset: 0, limit: 9 });
    expect(results).toHaveLength(3);
    for (const { route, status, price } of results) {
      expect([route?.batch, status]).toEqual([remote?.id, "succeeded"]);
      expect(price).toMatchObject({ input: 500_000, output: 1_000_000 });
    }
  });

  it("are sent so on the messages surface, and on the responses' path", async () => {
    await growth(async () => {
      const { id } = await set.h.json(MESSAGES, { requests: names.map((name) => messageOf(name)) }, 200);
      const { results } = await messagesEnded(set.h, id);
      expect(results.map(({ result }) => result.type)).toEqual(["succeeded", "succeeded", "succeeded"]);
      const line = { custom_id: "r", url: "/v1/responses", body: { model: "sim-responses", input: "hi" } };
      const other = await set.h.begin([line], { endpoint: "/v1/responses" });
      expect((await set.h.ended(other.id)).output).toHaveLength(1);
    });
    expect(set.h.simulator.batches.all.map(({ protocol }) => protocol)).toEqual(["msgstyle", "chatstyle"]);
    expect(truth(set.h).others).toBe(0);
  });

  it("end by the errors of their results, and errors that pass are tried alone", async () => {
    await growth(async () => {
      const { id } = await set.h.begin([
        lineOf("good"),
        lineOf("wrong", "[[fault:status=422]]"),
        lineOf("passes", "[[fault:status=503,times=1]]"),
      ]);
      const { output, errors } = await set.h.ended(id);
      expect(output.map(({ custom_id: name }) => name)).toEqual(["good", "passes"]);
      expect(errors).toMatchObject([{ custom_id: "wrong", response: { status_code: 422 } }]);
    });
    expect(truth(set.h).others).toBeGreaterThan(0);
  });

  it("are sent alone where the request says so, or something is asked that such a batch cannot have", async () => {
    const { id } = await set.h.begin(
      [lineOf("a"), lineOf("b", "b", { model: "sim-genstyle" })],
      {},
      { "x-batch-by": "service" },
    );
    const short = await set.h.begin([lineOf("a")], { completion_window: "1h" });
    const fallback = await set.h.begin([lineOf("a", "a", { models: ["sim-msgstyle"] })]);
    const direct = await set.h.begin([lineOf("a", "a", { model: "direct" })]);
    const restrict = (batchBy: string[] | null) =>
      set.h.store.keys.change({ id: "key", accountId: "acc" }, { restrictions: { batchBy } });
    await restrict(["service"]);
    const byKey = await set.h.begin([lineOf("a")]);
    await set.h.ended(byKey.id);
    await restrict(null);
    for (const one of [id, short.id, fallback.id, direct.id]) await set.h.ended(one);
    expect(set.h.simulator.batches.all).toEqual([]);
    const { id: input } = await (await set.h.upload(JSON.stringify(lineOf("a")))).json();
    const request = { input_file_id: input, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const refused = await set.h.call(BATCHES, request, { headers: { "x-batch-by": "somebody" } });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("x-batch-by")]);
  });

  it("are sent alone where the provider refuses the batch, or it fails as a whole", async () => {
    await growth(async () => {
      set.h.simulator.script("[[fault:status=403]]", { operation: "batches" });
      const { id } = await set.h.begin(names.map((name) => lineOf(name)));
      expect((await set.h.ended(id)).output).toHaveLength(3);
    });
    expect(set.h.simulator.batches.all).toEqual([]);
    const others = await growth(async () => {
      const model = { model: "sim-chatstyle-alone" };
      const { id } = await set.h.begin(names.map((name) => lineOf(name, name, model)));
      expect((await set.h.ended(id)).output).toHaveLength(3);
    });
    expect(set.h.simulator.batches.all).toMatchObject([{ state: "failed" }]);
    expect(others).toMatchObject({ batches: 0, others: expect.any(Number) });
  });

  it("have one end, whatever results a provider sends", async () => {
    const { simulator } = set.h;
    simulator.batches.pace = 0;
    const before = (await charged(set.h)).batches;
    const { id } = await set.h.begin(names.map((name) => lineOf(name)));
    await set.h.until(`${BATCHES}/${id}`, () => simulator.batches.all.length > 0);
    const { requests } = simulator.batches.all[0]!;
    // One is doubled, one unknown, and one is missing in its place.
    requests.push({ ...requests[0]! });
    const missing = names[Number(requests[1]!.name) - 1]!;
    requests[1] = { ...requests[1]!, name: "of-none" };
    simulator.batches.pace = 9;
    const { output, errors } = await set.h.ended(id);
    expect(output.map(({ custom_id: name }) => name)).toEqual(names.filter((name) => name !== missing));
    expect(errors).toMatchObject([{ custom_id: missing, error: { code: "provider_failed" } }]);
    const each = truth(set.h).batches / 4;
    expect((await charged(set.h)).batches - before).toBe(2 * each);
    expect((await set.h.balance()).held).toBe(0);
    expect((await set.h.balance()).balance).toBeLessThan(CREDIT);
    expect(await set.h.store.money.audit()).toEqual([]);
  });
});

describe("an answer of a provider that never ends", () => {
  it.each([
    ["the state of its batch", /\/batches\/[^/]+$/],
    ["the results", /\/content$/],
  ])("holds a batch for a limited time: %s", async (_, path) => {
    const real = createTransport();
    let endless = 0;
    const transport: Transport = {
      close: () => real.close(),
      send(request) {
        if (endless > 0 || request.method !== "GET" || !path.test(request.path)) return real.send(request);
        endless += 1;
        const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} });
        body.push(Buffer.from("{"));
        request.signal?.addEventListener("abort", () => body.cancel());
        return Promise.resolve({ status: 200, headers: {}, body });
      },
    };
    const upstream = { ...upstreamLimits.upstream, call: 300, results: 300 };
    const h = await openBatchStage({
      providers: providersWith(),
      transport,
      media: { batches: { ...upstreamLimits, upstream } },
    });
    const { id } = await h.begin([lineOf("a")]);
    expect((await h.ended(id)).output).toHaveLength(1);
    expect(endless).toBe(1);
    expect(await h.store.money.audit()).toEqual([]);
    await h.close();
  });
});

describe("lines beside one that cannot run", () => {
  const { upstream } = upstreamLimits;
  const beside = useBatchStage({
    providers: providersWith(),
    media: { batches: { ...upstreamLimits, tries: 10_000, upstream: { ...upstream, age: 20 } } },
  });

  it("are sent with a batch of their provider all the same", async () => {
    const { h } = beside;
    const { id } = await h.begin([
      lineOf("a"),
      lineOf("never", "[[fault:status=503]]", { model: "sim-genstyle" }),
    ]);
    await until(
      async () => h.simulator.batches.all.length,
      (sent) => sent === 1,
    );
    await h.call(`${BATCHES}/${id}/cancel`, {});
    expect((await h.ended(id)).batch.status).toBe("cancelled");
    expect((await h.balance()).held).toBe(0);
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("are sent also where that one cannot be read", async () => {
    const files = await openMedia("http://files.test", {});
    const { objects } = files.options;
    let isAway = true;
    let reads = 0;
    const h = await openBatchStage({
      providers: providersWith(),
      media: {
        ...files.options,
        objects: {
          ...objects,
          get(key, options) {
            // The second line of the file.
            if (!isAway || !options?.range?.start) return objects.get(key, options);
            reads += 1;
            return Promise.reject(new Error("the disk is away"));
          },
        },
        batches: { ...upstreamLimits, lines: 1, upstream: { ...upstream, age: 20 } },
      },
    });
    const { id } = await h.begin([lineOf("a"), lineOf("b")]);
    await until(
      async () => h.simulator.batches.all.length,
      (sent) => sent === 1,
    );
    expect(reads).toBeGreaterThan(0);
    isAway = false;
    expect((await h.ended(id)).output).toHaveLength(2);
    expect((await h.balance()).held).toBe(0);
    await h.close();
    await files.close();
  });
});
