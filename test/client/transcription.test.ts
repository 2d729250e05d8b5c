import { samples } from "@manifold-gateway/simulator";
import OpenAI, { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { type Options, ORIGIN, startClient } from "./stage.ts";

const media: Options["providers"] = {
  whisper: { origin: ORIGIN, speaks: [], serves: { transcription: "chatstyle" }, key: "provider-key" },
};
const SECONDS = 3;
const speech = samples.wav(SECONDS);
const file = () => toFile(speech, "speech.wav");

const start = (more: Options = {}) => {
  const stage = startClient();
  const attempts: unknown[] = [];
  const options: Options = {
    onAttempt: ({ target, status, fault }) => void attempts.push([target, status ?? fault]),
    ...more,
    providers: { ...media, ...more.providers },
  };
  const fetch = stage.client(options);
  const { audio } = new OpenAI({ apiKey: "unused", fetch, maxRetries: 0 });
  return { ...stage, attempts, fetch, audio };
};

/** A client whose providers answer by hand, and the forms that they are sent. */
function by(answer: (request: Request) => Response | Promise<Response>, more: Options = {}) {
  const forms: FormData[] = [];
  const stage = start({
    fetch: async (request) => {
      if (/^multipart/.test(request.headers.get("content-type") ?? ""))
        forms.push((await request.clone().formData()) as FormData);
      return answer(request);
    },
    ...more,
  });
  return { ...stage, forms };
}

const events = (...chunks: object[]): Response =>
  new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
const delta = (text: string) => ({ type: "transcript.text.delta", delta: text });
const done = (text: string, more: object = {}) => ({ type: "transcript.text.done", text, ...more });

/** The words that the provider of the simulator hears. */
async function heardBy({ audio }: ReturnType<typeof start>, model = "chatstyle/whisper-1"): Promise<string> {
  return (await audio.transcriptions.create({ model, file: await file() })).text;
}

describe("a recording", () => {
  it.each(["chatstyle/whisper-1", "whisper/whisper-1", "chatstyle/gpt-4o-transcribe", "genstyle/sim-text"])(
    "is written down by %s",
    async (model) => {
      const stage = start();
      const { text } = await stage.audio.transcriptions.create({ model, file: await file() });
      expect(text.length).toBeGreaterThan(3);
      const [sent] = stage.sent;
      const headers = [...sent!.headers.values()].join();
      expect(headers).toContain("provider-key");
      expect(headers).not.toContain("unused");
      expect(stage.attempts).toEqual([[model, 200]]);
    },
  );

  it("is translated on the path for that", async () => {
    const { audio, sent } = start();
    const { text } = await audio.translations.create({ model: "chatstyle/whisper-1", file: await file() });
    expect(text.length).toBeGreaterThan(3);
    expect(new URL(sent[0]!.url).pathname).toMatch(/\/audio\/translations$/);
  });

  it("has the items of a list with brackets, however they came", async () => {
    const { fetch, forms } = by(() => Response.json({ text: "Hello." }));
    const body = new FormData();
    body.set("model", "chatstyle/whisper-1");
    body.set("file", new File([new Uint8Array(speech)], "speech.wav"));
    body.set("response_format", "verbose_json");
    for (const item of ["word", "segment"]) body.append("timestamp_granularities", item);
    await fetch("https://api.vendor.test/v1/audio/transcriptions", { method: "POST", body });
    expect(forms[0]?.getAll("timestamp_granularities[]")).toEqual(["word", "segment"]);
  });

  it("goes on as it is, in a form with the other fields and a name of its type", async () => {
    const { audio, forms } = by(() => Response.json({ text: "Hello." }));
    await audio.transcriptions.create({
      model: "chatstyle/whisper-1",
      file: await toFile(speech, "talk.bin", { type: "application/octet-stream" }),
      language: "en",
      temperature: 0,
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"],
      ...({ novel: "field" } as object),
    });
    const [form] = forms;
    const sent = form!.get("file") as File;
    expect([sent.name, sent.type]).toEqual(["talk.wav", "audio/wav"]);
    expect(Buffer.from(await sent.arrayBuffer()).equals(speech)).toBe(true);
    const { file: _, ...fields } = Object.fromEntries(form!);
    expect(fields).toMatchObject({ model: "whisper-1", language: "en", temperature: "0", novel: "field" });
    expect(form!.getAll("timestamp_granularities[]")).toEqual(["word", "segment"]);
  });

  it("of a browser is sound by its stated type, and its type is otherwise that of its contents", async () => {
    const { audio, forms } = by(() => Response.json({ text: "Hello." }));
    const webm = new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 0, 0, 0, 0]);
    for (const [bytes, name, type] of [
      [webm, "blob", "audio/webm;codecs=opus"],
      [webm, "film.webm", "video/webm"],
      [speech, "a.mp3", "audio/mpeg"],
      [new Uint8Array(9), "a.xyz", "audio/x-novel"],
      [new Uint8Array(9), "a.xyz", ""],
    ] as const)
      await audio.transcriptions.create({
        model: "chatstyle/a",
        file: new File([new Uint8Array(bytes)], name, { type }),
      });
    const sent = forms.map((form) => form.get("file") as File);
    expect(sent.map(({ name, type }) => [name, type])).toEqual([
      ["blob.webm", "audio/webm"],
      ["film.webm", "video/webm"],
      ["a.wav", "audio/wav"],
      ["a.bin", "audio/x-novel"],
      ["a.xyz", "application/octet-stream"],
    ]);
  });
});

describe("the form of a transcript", () => {
  const model = "chatstyle/whisper-1";

  it.each(["text", "srt", "vtt"] as const)("is %s as the provider writes it", async (response_format) => {
    const stage = start();
    const text = await stage.audio.transcriptions.create({ model, file: await file(), response_format });
    const heard = await heardBy(stage);
    expect(typeof text).toBe("string");
    expect(String(text)).toContain(response_format === "text" ? `${heard}\n` : "-->");
  });

  it("is made of JSON where the provider answers in that whatever it is asked", async () => {
    const { audio } = by(() => Response.json({ text: "Hello." }));
    const request = { model: "whisper/whisper-1", file: await file(), response_format: "text" } as const;
    expect(await audio.transcriptions.create(request)).toBe("Hello.\n");
  });

  it("has no quotes where the provider writes it as JSON", async () => {
    const { audio } = by(() => Response.json("WEBVTT\n\n00:00.406 --> 00:01.138\nHello!\n"));
    const request = { model: "whisper/whisper-1", file: await file(), response_format: "vtt" } as const;
    expect(await audio.transcriptions.create(request)).toBe("WEBVTT\n\n00:00.406 --> 00:01.138\nHello!\n");
  });

  it("is made here where the target has only times", async () => {
    const { capabilities } = {
      capabilities: {
        transcription: { params: { responseFormat: { type: "enum", values: ["json", "verbose_json"] } } },
      },
    } as const;
    const stage = start({ models: { plain: { target: model, capabilities: capabilities as never } } });
    for (const [response_format, start] of [
      ["srt", /^1\n00:00:00,000 --> /],
      ["vtt", /^WEBVTT\n\n00:00:00.000 --> /],
      ["text", /\n$/],
    ] as const) {
      const made = await stage.audio.transcriptions.create({
        model: "plain",
        file: await file(),
        response_format,
      });
      expect(String(made)).toMatch(start);
    }
  });

  it("has times, words and speakers where the target has them", async () => {
    const { audio } = start();
    const verbose = await audio.transcriptions.create({
      model,
      file: await file(),
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"],
    });
    expect(verbose.duration).toBeCloseTo(SECONDS, 1);
    expect(verbose.words!.length).toBeGreaterThan(0);
    expect(verbose.segments!.length).toBeGreaterThan(0);
    const spoken = await audio.transcriptions.create({
      model: "chatstyle/gpt-4o-transcribe-diarize",
      file: await file(),
      response_format: "diarized_json",
      chunking_strategy: "auto",
    });
    expect(spoken).toMatchObject({ segments: [{ speaker: expect.any(String) }] });
  });

  it("that a model of text has not is refused with the field, and nothing is sent", async () => {
    const { audio, sent } = start();
    const made = audio.transcriptions.create({
      model: "genstyle/sim-text",
      file: await file(),
      response_format: "srt",
    });
    await expect(made).rejects.toThrow(/response_format|the form "srt"/);
    expect(sent).toEqual([]);
  });
});

describe("a streamed transcript", () => {
  const listen = async ({ audio }: ReturnType<typeof start>, model: string) => {
    const types: string[] = [];
    let text = "";
    let whole = "";
    const stream = await audio.transcriptions.create({ model, file: await file(), stream: true });
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "transcript.text.delta") text += event.delta;
      if (event.type === "transcript.text.done") whole = event.text;
    }
    return { types, text, whole };
  };

  it.each(["chatstyle/gpt-4o-transcribe", "genstyle/sim-text", "chatstyle/whisper-1"])(
    "arrives as events of %s",
    async (model) => {
      const { types, text, whole } = await listen(start(), model);
      expect(types.pop()).toBe("transcript.text.done");
      expect([...new Set(types)]).toEqual(["transcript.text.delta"]);
      expect(text.trim()).toBe(whole);
    },
  );

  it.each([
    ["is cut", events(delta("Hello"))],
    ["ends with an error", events(delta("Hello"), { type: "error", error: { message: "too loud" } })],
  ])("that %s after it began ends with an error", async (_, answer) => {
    await expect(
      listen(
        by(() => answer),
        "chatstyle/a",
      ),
    ).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  it("that has an error in its place has a status, and may be the next target's turn", async () => {
    const failing = () => events({ type: "error", error: { message: "too loud", code: "server_error" } });
    await expect(listen(by(failing), "chatstyle/a")).rejects.toMatchObject({
      status: expect.any(Number),
      message: expect.stringContaining("too loud"),
    });
    let calls = 0;
    const stage = by(() => (calls++ === 0 ? failing() : events(delta("Hi"), done("Hi"))), {
      models: { both: ["chatstyle/a", "chatstyle/b"] },
      retry: { ambiguous: true },
    });
    expect((await listen(stage, "both")).whole).toBe("Hi");
    expect(stage.attempts.map((one) => (one as string[])[0])).toEqual(["chatstyle/a", "chatstyle/b"]);
  });

  it("whose reader leaves ends the call to the provider", async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const { audio } = by(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) =>
              controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(delta("Hello"))}\n\n`)),
            cancel: () => resolve(),
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    );
    const stream = await audio.transcriptions.create({
      model: "chatstyle/a",
      file: await file(),
      stream: true,
    });
    for await (const event of stream) {
      expect(event).toEqual(delta("Hello"));
      break;
    }
    await left;
  });
});

describe("what is no transcript", () => {
  it.each([
    ["an error with status 200", () => Response.json({ error: { message: "no speech" } }), /no speech/],
    [
      "a page",
      () => new Response("<html>busy</html>", { headers: { "content-type": "text/html" } }),
      /readable/,
    ],
    ["an empty object", () => Response.json({}), /readable/],
  ])("%s is an error of the SDK's own", async (_, answer, words) => {
    const made = heardBy(by(answer), "chatstyle/a");
    await expect(made).rejects.toThrow(words);
    await expect(made).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  it("is the next target's turn where its provider refuses", async () => {
    const stage = by(
      ({ url }) => (url.includes("busy") ? new Response("", { status: 503 }) : Response.json({ text: "Hi" })),
      {
        providers: { busy: { origin: "http://busy.test", speaks: ["chatstyle"] } },
        models: { both: ["busy/a", "chatstyle/a"] },
      },
    );
    expect(await heardBy(stage, "both")).toBe("Hi");
    expect(stage.attempts).toEqual([
      ["busy/a", 503],
      ["chatstyle/a", 200],
    ]);
    // The recording was sent to both.
    expect(stage.forms.map((form) => (form.get("file") as File).size)).toEqual([
      speech.length,
      speech.length,
    ]);
  });

  it.each<[string, (form: FormData) => void, RegExp]>([
    ["has no file", (form) => form.delete("file"), /file: is required/],
    ["has a text as file", (form) => form.set("file", "speech.wav"), /file: must be a file/],
    ["has facts of a file", (form) => form.set("file[bytes]", "9"), /file: must be a file/],
    ["has two files", (form) => form.append("file", new File(["a"], "b.wav")), /two files/],
    ["has a file elsewhere", (form) => form.append("image", new File(["a"], "b.png")), /only file/],
    ["has a field twice", (form) => form.append("model", "b"), /model.*twice/],
    ["has no model", (form) => form.delete("model"), /model: is required/],
    ["has an address of a recording", (form) => form.set("url", "https://a.test"), /url: is not accepted/],
    ["has a form that there is not", (form) => form.set("response_format", "docx"), /response_format/],
  ])("a request that %s is status 400, and nothing is sent", async (_, change, words) => {
    const { fetch, sent } = start();
    const body = new FormData();
    body.set("model", "chatstyle/whisper-1");
    body.set("file", new File([new Uint8Array(speech)], "speech.wav"));
    change(body);
    const response = await fetch("https://api.vendor.test/v1/audio/transcriptions", { method: "POST", body });
    const { error } = (await response.json()) as { error: { message: string } };
    expect([response.status, error.message]).toEqual([400, expect.stringMatching(words)]);
    expect(sent).toEqual([]);
  });

  it("a body that is no form is status 400, and a provider without transcripts 404", async () => {
    const { fetch, audio, sent } = start();
    const response = await fetch("https://api.vendor.test/v1/audio/transcriptions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "chatstyle/a" }),
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("multipart form"),
    ]);
    await expect(
      audio.transcriptions.create({ model: "msgstyle/a", file: await file() }),
    ).rejects.toMatchObject({ status: 404, message: expect.stringContaining("serves no transcripts") });
    expect(sent).toEqual([]);
  });
});

describe("what a transcript used", () => {
  const use = async (body: object, price?: object, model = "chatstyle/a") => {
    const used: unknown[] = [];
    const stage = by(() => Response.json({ text: "Hello there.", ...body }), {
      models: { ear: { target: model as never, ...(price && { price }) } },
      onUsage: ({ usage, cost }) => void used.push({ usage, cost }),
    });
    await heardBy(stage, "ear");
    return used;
  };
  const tokens = { type: "tokens", input_tokens: 30, output_tokens: 5, total_tokens: 35 };

  it("is what the provider counted, with its cost", async () => {
    expect(await use({ usage: { type: "duration", seconds: 3 } }, { seconds: 0.0001 })).toEqual([
      { usage: { input: 0, output: 0, seconds: 3 }, cost: 300 },
    ]);
    expect(await use({ usage: tokens }, { input: 2, output: 10 })).toEqual([
      { usage: { input: 30, output: 5 }, cost: 110 },
    ]);
    expect(await use({ duration: 3 }, { seconds: 0.0001 })).toEqual([
      { usage: { input: 0, output: 0, seconds: 3 }, cost: 300 },
    ]);
  });

  it("is estimated in tokens by the length that the provider found", async () => {
    const [event] = await use({ duration: 3 }, { input: 2, output: 10 });
    expect(event).toMatchObject({ usage: { seconds: 3, estimated: true }, cost: expect.any(Number) });
  });

  it("has no cost where nothing that is sold was counted, and is nothing where nothing was", async () => {
    expect(await use({ usage: tokens }, { seconds: 0.0001 })).toEqual([
      { usage: { input: 30, output: 5 }, cost: undefined },
    ]);
    expect(await use({}, { seconds: 0.0001 })).toEqual([]);
    expect(await use({})).toEqual([]);
  });
});

it("what a prompt cannot express is lost, in the SDK's own words, and refused where it has to be", async () => {
  const lost: unknown[] = [];
  const body = {
    model: "genstyle/sim-text",
    include: ["logprobs" as const],
    chunking_strategy: "auto" as const,
  };
  const { audio } = start({ onLoss: ({ of, path, why }) => void lost.push([of, path, why]) });
  await audio.transcriptions.create({ ...body, file: await file() });
  expect(lost).toEqual(
    expect.arrayContaining([
      ["request", "/file", "approximated"],
      ["request", "/include", "unsupported"],
      ["request", "/chunking_strategy", "unsupported"],
    ]),
  );
  const strict = start({ losses: "refuse" });
  await expect(strict.audio.transcriptions.create({ ...body, file: await file() })).rejects.toThrow(
    /include/,
  );
  expect(strict.sent).toEqual([]);
});

it("a transcript that its model cuts at its limit is a loss of the answer", async () => {
  const lost: unknown[] = [];
  const { audio } = by(
    () =>
      Response.json({
        candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "MAX_TOKENS" }],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, totalTokenCount: 10 },
      }),
    { onLoss: ({ of, path }) => void lost.push([of, path]) },
  );
  const { text } = await audio.transcriptions.create({ model: "genstyle/a", file: await file() });
  expect([text, lost]).toEqual(["Hello", expect.arrayContaining([["reply", "/text"]])]);
});
