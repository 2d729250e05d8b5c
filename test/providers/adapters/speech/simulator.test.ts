import { ignoreLosses } from "@manifold-gateway/core";
import {
  callsOf,
  countsOfSpeech,
  type EmbedRequest,
  embedWires,
  encodeAudioJob,
  estimateSpeech,
  knownVoices,
  type SpeechAsk,
  type SpeechResult,
} from "@manifold-gateway/core/operations";
import {
  adapters,
  createLineClient,
  createTransport,
  type Line,
  type Progress,
  type Service,
} from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { reading, reference } from "../../../core/operations/speech/kit.ts";

const simulator = createSimulator();
const transport = createTransport();
let origin = "";

beforeAll(async () => {
  ({ origin } = await simulator.listen());
});
afterEach(() => simulator.reset());
afterAll(async () => {
  await transport.close();
  await simulator.close();
});

const bearer = { header: "authorization", scheme: "Bearer" };
const services: Record<"speechstyle" | "chatstyle", Omit<Service, "origin">> = {
  speechstyle: { wire: "speechstyle", base: "/api/v3", auth: { header: "x-api-key" }, key: "k" },
  chatstyle: { wire: "chatstyle", base: "/v1", auth: bearer, key: "k" },
};

const lineTo = (service: Omit<Service, "origin">, model = "seed-tts-2.0"): Line => ({
  service: { ...service, origin },
  client: createLineClient(transport),
  signal: AbortSignal.timeout(20_000),
  now: Date.now,
  model,
  user: "pseudonym",
});
const signed: Omit<Service, "origin"> = {
  wire: "mediastyle",
  base: "",
  auth: bearer,
  signing: { accessKey: "ak", secretKey: "ak-secret", region: "cn-beijing", service: "ark" },
};

type Succeeded = Extract<Progress<SpeechResult>, { state: "succeeded" }>;
async function made(wire: keyof typeof services, ask: SpeechAsk, line: Line): Promise<SpeechResult> {
  const progress = await adapters.speech[wire].submit(line, ask);
  expect(progress).toMatchObject({ state: "succeeded" });
  return (progress as Succeeded).result;
}
async function bytesOf({ audio }: SpeechResult): Promise<Buffer> {
  if (audio.type === "bytes") return Buffer.from(audio.bytes);
  if (audio.type === "url") return Buffer.from(await (await fetch(audio.url)).arrayBuffer());
  const chunks: Uint8Array[] = [];
  for await (const chunk of audio.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const heads = {
  mp3: /^(ID3|\xff[\xe0-\xff])/,
  ogg_opus: /^OggS/,
  wav: /^RIFF/,
  pcm: /^[\s\S]{100}/,
} as const;

describe.each([
  ["chunked", {}],
  ["as events", { events: true as const }],
])("a reading, %s", (_, more) => {
  test.each(["mp3", "ogg_opus", "pcm"] as const)("a reading comes as %s", async (format) => {
    const ask = reading({ format, text: "One, two, three — and four." });
    const result = await made("speechstyle", ask, lineTo({ ...services.speechstyle, ...more }));
    expect((await bytesOf(result)).toString("latin1")).toMatch(heads[format]);
    expect(countsOfSpeech(ask, result)).toEqual(estimateSpeech(ask));
    expect(result.characters).toBe(estimateSpeech(ask).characters);
  });

  test("a reading uses every parameter that the wire has", async () => {
    const ask = reading({
      sampleRate: 48000,
      speechRate: 50,
      loudnessRate: -10,
      pitch: 3,
      silenceDuration: 500,
      enableLanguageDetector: true,
      explicitLanguage: "zh",
      disableMarkdownFilter: true,
      disableEmojiFilter: true,
      contextTexts: ["softly"],
    });
    await made("speechstyle", ask, lineTo({ ...services.speechstyle, ...more }));
  });

  test("a silent reading has failed", async () => {
    simulator.script("[[outcome:silent]]");
    const line = lineTo({ ...services.speechstyle, ...more });
    expect(await adapters.speech.speechstyle.submit(line, reading())).toMatchObject({ state: "failed" });
  });

  test("a reading that fails temporarily is retried once", async () => {
    simulator.script("[[outcome:fail=internal]]");
    await made("speechstyle", reading(), lineTo({ ...services.speechstyle, ...more }));
  });

  test("a reading without its end is a fault", async () => {
    simulator.script("[[fault:no-done]]");
    const line = lineTo({ ...services.speechstyle, ...more });
    await expect(adapters.speech.speechstyle.submit(line, reading())).rejects.toMatchObject({
      kind: "reset",
    });
  });
});

test("a voice that the model does not have is a failure, after two tries", async () => {
  const ask = reading({ voiceType: "en_male_adam_mars_bigtts" });
  expect(await adapters.speech.speechstyle.submit(lineTo(services.speechstyle), ask)).toMatchObject({
    state: "failed",
    trouble: { kind: "unavailable", code: "55000000" },
  });
});

test("a model that was never granted is the operator's problem", async () => {
  const line = lineTo(services.speechstyle, "seed-tts-9.0");
  expect(await adapters.speech.speechstyle.submit(line, reading())).toMatchObject({
    state: "failed",
    trouble: { kind: "misconfigured" },
  });
});

describe("a generation with reference", () => {
  const model = "seed-audio-1.0-multilingual";
  test.each(["mp3", "ogg_opus", "wav", "pcm"] as const)(
    "a generation with reference comes as %s, with a subtitle",
    async (format) => {
      const ask = reference({
        format,
        enableSubtitle: true,
        references: [{ speaker: knownVoices[0]?.voiceType ?? "" }],
      });
      const result = await made("speechstyle", ask, lineTo(services.speechstyle, model));
      expect((await bytesOf(result)).toString("latin1")).toMatch(heads[format]);
      const job = encodeAudioJob({
        generationId: "g",
        product: ask.product,
        status: "succeeded",
        output: result,
        enableSubtitle: ask.enableSubtitle,
      });
      expect(job).toMatchObject({
        durationSeconds: result.seconds,
        originalDurationSeconds: countsOfSpeech(ask, result).seconds,
        subtitle: {
          text: ask.textPrompt,
          sentences: [
            { text: ask.textPrompt, startTime: 0, words: [{ text: "Rain", startTime: 0 }, {}, {}, {}] },
          ],
        },
      });
    },
  );
  test("a malformed reference is refused by the provider, not here", async () => {
    const ask = reference({ references: [{ speaker: "nobody" }] });
    expect(await adapters.speech.speechstyle.submit(lineTo(services.speechstyle, model), ask)).toMatchObject({
      state: "failed",
      trouble: { kind: "refused", code: "45001115" },
    });
  });
});

describe("a compatible server", () => {
  test.each(["mp3", "ogg_opus", "pcm"] as const)("a compatible server reads as %s", async (format) => {
    const result = await made("chatstyle", reading({ format }), lineTo(services.chatstyle, "sim-speech"));
    expect((await bytesOf(result)).toString("latin1")).toMatch(heads[format]);
  });
});

describe("an identity asset", () => {
  const { mediastyle } = adapters.asset;
  const ask = { url: "https://files.example.test/me.png", assetType: "Image", name: "me" } as const;
  async function settle(line: Line, id: string) {
    for (let tries = 0; tries < 10; tries += 1) {
      const progress = await mediastyle.poll?.(line, id);
      if (progress && progress.state !== "running" && progress.state !== "queued") return progress;
    }
    return undefined;
  }
  async function register(line: Line) {
    const group = await mediastyle.group(line, { name: "account" });
    expect(group).toHaveProperty("id");
    const asset = await mediastyle.submit(line, { ...ask, group: "id" in group ? group.id : "" });
    expect(asset).toHaveProperty("id");
    return "id" in asset ? asset.id : "";
  }

  test("an identity asset is registered in a group, and active in the end", async () => {
    const line = lineTo(signed);
    const id = await register(line);
    expect(await settle(line, id)).toEqual({ state: "succeeded", result: { registered: id } });
  });
  test("an identity asset fails in the provider's words", async () => {
    const line = lineTo(signed);
    simulator.script("[[outcome:fail=FaceMismatch]]", { operation: "asset" });
    const id = await register(line);
    expect(await settle(line, id)).toMatchObject({ state: "failed", trouble: { code: "FaceMismatch" } });
  });
  test("an identity asset with a wrong signature is the operator's problem", async () => {
    const line = lineTo({ ...signed, signing: { ...signed.signing!, secretKey: "other" } });
    expect(await mediastyle.group(line, { name: "account" })).toMatchObject({
      trouble: { kind: "misconfigured" },
    });
  });
});

test("a picture and its words make one vector", async () => {
  const { mediastyle } = embedWires;
  const link = { type: "url" as const, url: "https://files.example.test/a.png" };
  const request: EmbedRequest = {
    model: "skylark-embedding-vision",
    inputs: [
      {
        parts: [
          { type: "text", text: "a" },
          { type: "media", kind: "image", source: link },
        ],
      },
      { parts: [{ type: "text", text: "b" }] },
    ],
    batch: true,
    dimensions: 1024,
  };
  for (const call of callsOf(request, mediastyle)) {
    const response = await fetch(`${origin}/api/v3${mediastyle.endpoint?.(call)}`, {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify(mediastyle.request.encode(call, ignoreLosses)),
    });
    expect(response.status).toBe(200);
    const { vectors, usage } = mediastyle.reply.decode(await response.json());
    expect(vectors.map((vector) => vector.length)).toEqual([1024]);
    expect(usage?.input).toBeGreaterThan(0);
  }
});
