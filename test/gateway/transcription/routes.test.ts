import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Stage } from "../../support/stage.ts";
import { client, form, NATIVE, PATH, send, speech, startTranscription } from "./stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startTranscription();
});
afterAll(() => h.close());

const file = () => toFile(speech(), "speech.wav", { type: "audio/wav" });
/** What the provider really transcribed. */
const truth = (): string => h.simulator.ledger.last()?.text ?? "";
const ALL = ["seconds", "tokens", "listen"];

describe("transcriptions by the vendor's client", () => {
  it.each(ALL)("a recording is transcribed by a model of each wire: %s", async (model) => {
    const { data, response } = await client(h)
      .audio.transcriptions.create({ model, file: await file() })
      .withResponse();
    expect(data.text).toBe(truth());
    expect(data.text).not.toBe("");
    expect(data).toHaveProperty("usage");
    expect(response.headers.get("x-generation-id")).toMatch(/\w/);
    const isPrompted = model === "listen";
    expect(response.headers.get("x-translation") ?? "passthrough").toBe(
      isPrompted ? "translated" : "passthrough",
    );
    expect(response.headers.get("x-losses") ?? "").toContain(isPrompted ? "/file;approximated" : "");
  });

  it.each(ALL)(
    "a transcript is streamed by a model of each wire, or as one that does not: %s",
    async (model) => {
      const stream = await client(h).audio.transcriptions.create({ model, file: await file(), stream: true });
      let text = "";
      let done: string | undefined;
      for await (const event of stream) {
        if (event.type === "transcript.text.delta") text += event.delta;
        if (event.type === "transcript.text.done") done = event.text;
      }
      expect([text.trim(), done]).toEqual([truth(), truth()]);
    },
  );

  it("subtitles are the model's own, or made of the times that it gives", async () => {
    for (const model of ["seconds", "plain"])
      for (const response_format of ["srt", "vtt"] as const) {
        const text = (await client(h).audio.transcriptions.create({
          model,
          file: await file(),
          response_format,
        })) as unknown as string;
        expect(text).toMatch(/00:00:00[.,]000 --> 00:00:0\d[.,]\d{3}\n\w/);
        expect(text.startsWith("WEBVTT")).toBe(response_format === "vtt");
        const sent = h.simulator.ledger.last()?.request as { response_format: string };
        expect(sent.response_format).toBe(model === "plain" ? "verbose_json" : response_format);
      }
  });

  it("text alone, times and speakers come in the forms of the wire", async () => {
    const { transcriptions } = client(h).audio;
    const text = await transcriptions.create({
      model: "seconds",
      file: await file(),
      response_format: "text",
    });
    expect(text).toBe(`${truth()}\n`);
    const verbose = await transcriptions.create({
      model: "seconds",
      file: await file(),
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"],
    });
    expect(verbose).toMatchObject({ duration: 3, words: expect.any(Array), segments: expect.any(Array) });
    const spoken = await transcriptions.create({
      model: "speakers",
      file: await file(),
      response_format: "diarized_json",
      chunking_strategy: "auto",
      known_speaker_names: ["agent", "caller"],
      known_speaker_references: ["data:audio/wav;base64,AAAA", "data:audio/wav;base64,BBBB"],
    });
    expect(spoken).toMatchObject({
      segments: expect.arrayContaining([expect.objectContaining({ speaker: "agent" })]),
    });
  });

  it("a recording is translated by the route for it, where the model translates", async () => {
    const { text } = await client(h).audio.translations.create({ model: "seconds", file: await file() });
    expect([text, h.simulator.ledger.last()?.path]).toEqual([truth(), "/v1/audio/translations"]);
    await client(h).audio.translations.create({ model: "listen", file: await file() });
    expect(JSON.stringify(h.simulator.ledger.last()?.request)).toContain("into English");
    await expect(
      client(h).audio.translations.create({ model: "tokens", file: await file() }),
    ).rejects.toMatchObject({ status: 400, param: "task" });
  });
});

describe("the native interface", () => {
  const content = (bytes = speech()) => [{ type: "audioBase64", data: bytes.toString("base64") }];

  it.each(ALL)("a recording in JSON is transcribed by a model of each wire: %s", async (model) => {
    const reply = await h.json(NATIVE, { model, content: content() });
    expect(reply).toMatchObject({ text: truth(), durationSeconds: 3, usage: expect.anything() });
  });

  it("a form, an address and base64 are the same request", async () => {
    const times = { timestampGranularities: ["word"] };
    const url = `${h.upstream}/samples/3s.wav`;
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const replies = [
      await h.json(NATIVE, { model: "seconds", content: content(bytes), ...times }),
      await h.json(NATIVE, { model: "seconds", content: [{ type: "audioUrl", url }], ...times }),
      await (
        await send(h, form({ model: "seconds", "timestampGranularities[]": "word" }, { bytes }), {
          path: NATIVE,
        })
      ).json(),
    ];
    expect(replies[0].words[0]).toEqual({
      text: expect.any(String),
      startTime: 0,
      endTime: expect.any(Number),
    });
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[2]).toEqual(replies[0]);
  });

  it("a stream has a type in each of its events, and the whole at its end", async () => {
    const response = await h.call(NATIVE, { model: "tokens", content: content(), stream: true });
    const events = (await response.text())
      .split("\n\n")
      .filter(Boolean)
      .map((frame) => JSON.parse(frame.slice(6)));
    expect(events.at(-1)).toMatchObject({ type: "done", text: truth() });
    expect(
      events
        .slice(0, -1)
        .map(({ text }) => text)
        .join(""),
    ).toBe(truth());
  });
});

describe("explanations", () => {
  it("a recording is measured for an explanation, and no provider is asked", async () => {
    const before = h.simulator.ledger.entries.length;
    const response = await send(h, form({ model: "seconds" }, { bytes: speech(30) }), {
      headers: { "x-explain": "true", "x-admin-key": "operator-credential-0123456789abcdef" },
    });
    const told = await response.json();
    expect(JSON.stringify(told)).toContain("/v1/audio/transcriptions");
    expect(JSON.stringify(told)).not.toContain("\\u0000");
    expect(h.simulator.ledger.entries).toHaveLength(before);
  });
});

it("a form without a boundary at the route's own path is told where the fault is", async () => {
  const response = await send(h, "model=seconds", {
    headers: { "content-type": "multipart/form-data" },
    path: PATH,
  });
  expect([response.status, (await response.json()).error.message]).toEqual([
    400,
    expect.stringContaining("boundary"),
  ]);
});
