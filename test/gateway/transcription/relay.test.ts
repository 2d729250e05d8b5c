import { createCatalog } from "@manifold-gateway/gateway";
import { bytesOf, defineProvider, type Transport } from "@manifold-gateway/providers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Stage } from "../../support/stage.ts";
import { form, models, NATIVE, send, speech, startTranscription } from "./stage.ts";

interface Sent {
  path: string;
  type: string;
  bytes: Buffer;
}

/** Providers that answer in turn, and what they were sent. */
function answering(...answers: [status: number, body: string, type?: string][]) {
  const sent: Sent[] = [];
  const transport: Transport = {
    async send({ path, headers, body }) {
      const type = (headers as Record<string, string>)["content-type"] ?? "";
      const bytes = Buffer.from(typeof body === "string" ? body : bytesOf(body!));
      const [status, text, answerType = "application/json"] =
        answers[Math.min(sent.length, answers.length - 1)]!;
      sent.push({ path, type, bytes });
      const reply = { next: async () => undefined, bytes: async () => Buffer.from(text), cancel() {} };
      return { status, headers: { "content-type": answerType }, body: reply as never };
    },
    close: async () => {},
  };
  return { sent, transport };
}

const whole = JSON.stringify({ text: "Hello.", novel: [1, 2], usage: { type: "duration", seconds: 3 } });

async function withStage<T>(transport: Transport, use: (h: Stage) => Promise<T>): Promise<T> {
  const providers = new Map(
    ["chatstyle", "second"].map((id) => [
      id,
      defineProvider(id, { origin: "http://127.0.0.1:9", speaks: ["chatstyle"], key: "upstream-secret" }),
    ]),
  );
  const [first] = models;
  const [entry] = first!.entries;
  const both = { ...first!, entries: [entry!, { ...entry!, provider: "second", priority: 2 }] };
  const h = await startTranscription({ providers, transport, catalog: createCatalog([both]) });
  return use(h).finally(() => h.close());
}

it("a form goes on byte by byte but for the model's name, and the answer comes back so", async () => {
  const { sent, transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    const extra = fc.record(
      {
        novel_field: fc.string({ maxLength: 9 }),
        prompt: fc.string({ maxLength: 9 }),
        temperature: fc.constant("0"),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(extra, fc.integer({ min: 1, max: 40 }), async (fields, seconds) => {
        const data = form(
          { ...(fields as Record<string, string>), model: "seconds" },
          { bytes: speech(seconds) },
        );
        const request = new Request("http://x/", { method: "POST", body: data });
        const bytes = Buffer.from(await request.arrayBuffer());
        const type = request.headers.get("content-type")!;
        const response = await send(h, bytes, { headers: { "content-type": type } });
        expect(await response.text()).toBe(whole);
        const last = sent.at(-1)!;
        expect([last.path, last.type]).toEqual(["/v1/audio/transcriptions", type]);
        const expected = bytes.toString("latin1").replace(/(name="model"\r\n\r\n)seconds/, "$1whisper-1");
        expect(last.bytes.equals(Buffer.from(expected, "latin1"))).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});

it.each([
  ["srt", '1\n00:00:00,406 --> 00:00:01,138\nHello "World"!\n\n'],
  ["vtt", "WEBVTT\n\n00:00.406 --> 00:01.138\nHello World!\n\n"],
])("%s that a server writes as a JSON string is sent without its quotes", async (response_format, text) => {
  for (const body of [JSON.stringify(text), text]) {
    const { transport } = answering([200, body, "application/json"]);
    await withStage(transport, async (h) => {
      const response = await send(h, form({ model: "seconds", response_format }, { bytes: speech() }));
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(await response.text()).toBe(text);
    });
  }
});

it.each([
  ["blob", "blob.wav"],
  ["voice.mp3", "voice.wav"],
  ["take.1", "take.wav"],
  [".wav", "audio.wav"],
  ["Voice.WAV", "Voice.WAV"],
])("a recording called %s is sent as %s, since servers go by the extension", async (name, called) => {
  const { sent, transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    const bytes = speech();
    const fields = { model: "seconds", response_format: "verbose_json", novel: "1", temperature: "0" };
    const data = form({ ...fields, "timestamp_granularities[]": ["word", "segment"] }, { bytes, name });
    expect(await (await send(h, data)).text()).toBe(whole);
    const [{ type, bytes: body }] = sent as [Sent];
    const read = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const file = read.get("file") as File;
    expect(file.name).toBe(called);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    expect(read.getAll("timestamp_granularities[]")).toEqual(["word", "segment"]);
    for (const [field, value] of Object.entries({ ...fields, model: "whisper-1" }))
      expect([field, read.get(field)]).toEqual([field, value]);
  });
});

it.each([
  [["timestamp_granularities", "timestamp_granularities"]],
  [["timestamp_granularities[0]", "timestamp_granularities[1]"]],
  [["timestamp_granularities", "timestamp_granularities[]"]],
])("the items of a list are sent with brackets, however they came: %j", async (names) => {
  const { sent, transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    const data = form({ model: "seconds", response_format: "verbose_json", novel: "1" });
    for (const [at, name] of names.entries()) data.append(name, ["word", "segment"][at] as string);
    expect((await send(h, data)).status).toBe(200);
    const [{ type, bytes }] = sent as [Sent];
    const read = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
    expect(read.getAll("timestamp_granularities[]")).toEqual(["word", "segment"]);
    expect([...read.keys()].filter((name) => name.startsWith("timestamp"))).toHaveLength(2);
    expect(read.get("novel")).toBe("1");
  });
});

it("a recording that does not come in a form is sent in one, with a name by its contents", async () => {
  const { sent, transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    const bytes = speech();
    const content = [{ type: "audioBase64", data: bytes.toString("base64") }];
    const reply = await h.json(NATIVE, {
      model: "seconds",
      content,
      keywords: ["a", "b"],
      task: "translate",
    });
    expect(reply).toMatchObject({ text: "Hello.", usage: { seconds: 3 } });
    const [{ path, type, bytes: body }] = sent as [Sent];
    expect(path).toBe("/v1/audio/translations");
    const read = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const file = read.get("file") as File;
    expect([file.name, file.type]).toEqual(["audio.wav", "audio/wav"]);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });
});

it.each([
  ["text", { text: "Hello." }, "Hello.\n"],
  ["text", "Hello.", "Hello.\n"],
  [
    "srt",
    { text: "Hi.", segments: [{ text: "Hi.", start: 0, end: 1 }] },
    "1\n00:00:00,000 --> 00:00:01,000\nHi.\n\n",
  ],
  [
    "vtt",
    { text: "Hi.", words: [{ word: "Hi.", start: 0, end: 1 }] },
    "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHi.\n\n",
  ],
])(
  "%s of a server that answers in JSON whatever it is asked is made of that: %j",
  async (format, answer, text) => {
    const { transport } = answering([200, JSON.stringify(answer)]);
    await withStage(transport, async (h) => {
      const response = await send(h, form({ model: "seconds", response_format: format }));
      expect([await response.text(), response.headers.get("content-type")]).toEqual([
        text,
        "text/plain; charset=utf-8",
      ]);
    });
  },
);

it("subtitles that a server has no times for stay what it sent", async () => {
  const { transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    const response = await send(h, form({ model: "seconds", response_format: "srt" }));
    expect(await response.text()).toBe(whole);
  });
});

it("the recording is sent again to the next provider, after one that failed", async () => {
  const { sent, transport } = answering([503, "{}"], [200, whole]);
  await withStage(transport, async (h) => {
    const response = await send(h, form({ model: "seconds" }, { bytes: speech(20) }));
    expect(response.status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(sent[1]!.bytes.equals(sent[0]!.bytes)).toBe(true);
    await h.settled();
    expect(await h.store.money.audit()).toEqual([]);
  });
});

it("an error of the provider is told in the caller's shape, and costs nothing", async () => {
  const error = {
    error: { message: "Audio file might be corrupted", type: "invalid_request_error", param: "file" },
  };
  const { transport } = answering([400, JSON.stringify(error)]);
  await withStage(transport, async (h) => {
    const before = await h.balance();
    const response = await send(h, form({ model: "seconds" }));
    expect([response.status, (await response.json()).error.message]).toEqual([400, error.error.message]);
    expect(await h.balance()).toEqual(before);
  });
});

it("an idempotency key gives the same transcript for the same recording, and refuses another one", async () => {
  const { sent, transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    const headers = { "idempotency-key": "once" };
    const bytes = speech();
    const ask = (recording: Buffer) => send(h, form({ model: "seconds" }, { bytes: recording }), { headers });
    const [first, again, other] = [await ask(bytes), await ask(bytes), await ask(speech())];
    expect(await again.text()).toBe(await first.text());
    expect([again.headers.get("idempotency-replayed"), other.status, sent.length]).toEqual(["true", 422, 1]);
  });
});

it("fields of a form that the provider does not take are left out with their brackets", async () => {
  const { sent, transport } = answering([200, whole]);
  await withStage(transport, async (h) => {
    await send(
      h,
      form({ model: "seconds", "include[]": "logprobs", "provider[sort]": "price", prompt: "p" }),
    );
    const [{ bytes, type }] = sent as [Sent];
    const read = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
    expect([...read.keys()].sort()).toEqual(["file", "model", "prompt"]);
  });
});
