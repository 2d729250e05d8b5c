import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Stage } from "../../support/stage.ts";
import { useAllDatabases } from "../account/databases.ts";
import { form, NATIVE, send, speech, startTranscription } from "./stage.ts";

const SECOND = 100;
/** Of gpt-4o-transcribe, in micro-USD a token. */
const RATES = { text: 2.5, audio: 6, output: 10 };

describe.each(useAllDatabases())("the price of transcripts on $name", ({ make }) => {
  let h: Stage;
  beforeAll(async () => {
    h = await startTranscription({ ...(make && { make }), credit: 1_000_000 });
  });
  afterAll(async () => {
    await h.settled();
    expect(await h.store.money.audit()).toEqual([]);
    await h.close();
  });

  /** What a request changes: the charge, and its record. */
  async function charged(ask: () => Promise<unknown>) {
    const { balance: before } = await h.balance();
    await ask();
    await h.settled();
    const { balance } = await h.balance();
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    return { cost: before - balance, record: results[0]! };
  }
  const say = (model: string, more: Record<string, string> = {}, seconds = 3) =>
    send(h, form({ model, ...more }, { bytes: speech(seconds) })).then((response) =>
      response.text().catch(() => ""),
    );
  /** A native request, whose stream ends after some of it. */
  const leave = async (prompt: string) => {
    const controller = new AbortController();
    const content = [{ type: "audioBase64", data: speech().toString("base64") }];
    const response = await h.call(
      NATIVE,
      { model: "tokens", content, stream: true, prompt },
      { signal: controller.signal },
    );
    const reader = response.body!.getReader();
    await reader.read();
    controller.abort();
  };

  it("seconds are charged as the provider counts them, and recorded", async () => {
    const { cost, record } = await charged(() => say("seconds"));
    expect(cost).toBe(3 * SECOND);
    expect(record).toMatchObject({
      status: "succeeded",
      modality: "audio",
      cost,
      usage: { seconds: 3 },
    });
  });

  it("tokens are charged by their kind", async () => {
    const { cost, record } = await charged(() => say("tokens", { prompt: "About boats." }));
    const { usage } = h.simulator.ledger.last()!;
    const audio = 30;
    const exact = audio * RATES.audio + (usage.input - audio) * RATES.text + usage.output * RATES.output;
    expect(cost).toBe(Math.ceil(exact));
    expect(record.usage).toMatchObject({ promptTokens: usage.input, completionTokens: usage.output });
  });

  it("what nobody counted is estimated by the length, and told", async () => {
    const timed = await charged(() => say("seconds", { prompt: "[[fault:no-usage]]" }));
    expect(timed.cost).toBe(3 * SECOND);
    const { cost, record } = await charged(() => say("tokens", { prompt: "[[fault:no-usage]]" }));
    expect(cost).toBeGreaterThan(0);
    expect(record.usage).toMatchObject({ estimated: true });
  });

  it.each([
    ["an error", "[[fault:status=503]]"],
    ["a refusal", "[[fault:status=400]]"],
    ["a broken body", "[[fault:cut=5]]"],
    ["a connection that is reset", "[[fault:reset]]"],
  ])("%s in place of a transcript costs nothing", async (_, prompt) => {
    const { cost, record } = await charged(() => say("seconds", { prompt }));
    expect([cost, record.status]).toEqual([0, "failed"]);
  });

  it("a stream that breaks off after some text is charged by an estimate", async () => {
    const { cost, record } = await charged(() =>
      say("tokens", { stream: "true", prompt: "[[fault:cut=260]]" }),
    );
    expect(cost).toBeGreaterThan(0);
    expect(record).toMatchObject({ status: "failed", usage: { estimated: true } });
  });

  it("a stream of a model of text that ends early is charged for its text, though the input alone was counted", async () => {
    const { cost, record } = await charged(() =>
      say("listen", { stream: "true", prompt: "[[fault:no-done]]" }),
    );
    const { usage, text } = h.simulator.ledger.last()!;
    const output = Math.ceil(text.length / 4);
    expect(output).toBeGreaterThan(0);
    expect(record).toMatchObject({
      status: "failed",
      usage: { promptTokens: usage.input, completionTokens: output, estimated: true },
    });
    expect(cost).toBe(usage.input + 2 * output);
  });

  it("a caller who leaves a stream pays for what the provider did", async () => {
    const { cost, record } = await charged(() => leave("[[fault:slow=30]]"));
    expect(cost).toBeGreaterThan(0);
    expect(record.status).toBe("aborted");
  });

  it("the hold is that of the file's own length, and comes before any provider is asked", async () => {
    const other = await startTranscription({ credit: 30 * SECOND, admission: "strict" });
    const ask = (seconds: number) => send(other, form({ model: "seconds" }, { bytes: speech(seconds) }));
    const refused = await ask(31);
    expect([refused.status, (await refused.json()).errors[0]]).toEqual([
      403,
      expect.stringContaining("balance"),
    ]);
    expect(other.simulator.ledger.entries).toHaveLength(0);
    expect((await ask(29)).status).toBe(200);
    await other.close();
  });
});
