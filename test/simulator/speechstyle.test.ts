import { samples } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, eventsOf, readMp3, signed } from "./wires.ts";

const set = stage();
const HEADERS = {
  "x-api-key": "key",
  "x-api-resource-id": "seed-tts-2.0",
  "x-control-require-usage-tokens-return": "*",
};
const VOICE = "en_female_dacey_uranus_bigtts";

interface Wish {
  text?: string;
  speaker?: string;
  audio_params?: object;
  additions?: unknown;
}
const say = (wish: Wish, headers: object = {}, path = "") =>
  set.post(
    `/api/v3/tts/unidirectional${path}`,
    { user: { uid: "u" }, req_params: { text: "Hello world", speaker: VOICE, ...wish } },
    { ...HEADERS, ...headers },
  );

interface Line {
  code: number;
  message: string;
  data?: string | null;
  usage?: { text_words: number };
}
const linesOf = async (answer: Response): Promise<Line[]> =>
  (await answer.text())
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const soundIn = (lines: Line[]) => Buffer.concat(lines.map(({ data }) => Buffer.from(data ?? "", "base64")));

test("a text comes as pieces of one sound, and then its count of characters", async () => {
  const text = "A quiet sentence of forty-five characters, so.";
  const lines = await linesOf(await say({ text }));
  expect(lines.slice(0, -1).every(({ code }) => code === 0)).toBe(true);
  expect(lines.at(-1)).toMatchObject({ code: 20000000, usage: { text_words: text.length } });
  const { seconds, rate } = readMp3(soundIn(lines));
  expect(seconds).toBeCloseTo(text.length / 15, 1);
  expect(rate).toBe(24000);
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { operation: "speech", model: "seed-tts-2.0", billed: { text_words: text.length }, isDelivered: true },
  ]);
});

test.each([
  ["pcm", { sample_rate: 16000 }],
  ["ogg_opus", {}],
  ["mp3", { sample_rate: 48000 }],
])("a reading comes in the requested form: %s with %j", async (format, params) => {
  const sound = soundIn(await linesOf(await say({ audio_params: { format, ...params } })));
  if (format === "pcm") expect(sound.length).toBe(Math.round((11 / 15) * 100) * 160 * 2);
  else expect(sound.toString("latin1", 0, format === "mp3" ? 1 : 4)).toBe(format === "mp3" ? "\xff" : "OggS");
});

test("rate and silence change the length, and usage comes only on request", async () => {
  const seconds = async (wish: Wish) => readMp3(soundIn(await linesOf(await say(wish)))).seconds;
  const text = "x".repeat(60);
  expect(await seconds({ text, audio_params: { speech_rate: 100 } })).toBeCloseTo(2, 1);
  expect(await seconds({ text, additions: '{"silence_duration":2000}' })).toBeCloseTo(6, 1);
  const lines = await linesOf(
    await set.post(
      "/api/v3/tts/unidirectional",
      { req_params: { text, speaker: VOICE } },
      { "x-api-key": "key", "x-api-resource-id": "seed-tts-2.0" },
    ),
  );
  expect(lines.at(-1)?.usage).toBeUndefined();
});

test("events carry the same sound under numbers", async () => {
  const plain = soundIn(await linesOf(await say({ text: "same" })));
  const answer = await say({ text: "same", audio_params: { enable_subtitle: true } }, {}, "/sse");
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const events = eventsOf(await answer.text());
  const names = events.map(({ event }) => event);
  expect([names[0], ...names.slice(-2)]).toEqual(["350", "351", "152"]);
  const sounds = events.filter(({ event }) => event === "352").map(({ data }) => data as unknown as Line);
  expect(soundIn(sounds).length).toBe(plain.length);
  expect(events.at(-2)!.data).toMatchObject({ sentence: { words: [{ word: "same", startTime: 0 }] } });
  const failed = eventsOf(await (await say({ text: "[[outcome:fail=internal]]" }, {}, "/sse")).text());
  expect(failed).toMatchObject([{ event: "153", data: { code: 55000000 } }]);
});

const one = { "x-api-resource-id": "seed-tts-1.0" };
const ROWS: [what: string, wish: Wish, headers: object, status: number, code: number][] = [
  ["no text", { text: "" }, {}, 400, 45000001],
  ["long text", { text: "x".repeat(10_001) }, {}, 200, 40402003],
  ["format", { audio_params: { format: "wav" } }, {}, 400, 45000001],
  ["sample rate", { audio_params: { sample_rate: 11025 } }, {}, 400, 45000001],
  ["speech rate below", { audio_params: { speech_rate: -51 } }, {}, 400, 45000001],
  ["speech rate above", { audio_params: { speech_rate: 101 } }, {}, 400, 45000001],
  ["loudness", { audio_params: { loudness_rate: 101 } }, {}, 400, 45000001],
  ["emotion", { audio_params: { emotion_scale: 6 } }, {}, 400, 45000001],
  ["unknown name", { audio_params: { pitch: 1 } }, {}, 400, 45000001],
  ["additions as an object", { additions: {} }, {}, 400, 45000001],
  ["additions that are no JSON", { additions: "{" }, {}, 400, 45000001],
  ["unknown addition", { additions: '{"pitch":1}' }, {}, 400, 45000001],
  ["silence", { additions: '{"silence_duration":30001}' }, {}, 400, 45000001],
  ["pitch", { additions: '{"post_process":{"pitch":13}}' }, {}, 400, 45000001],
  ["language", { additions: '{"explicit_language":"xx"}' }, {}, 400, 45000001],
  ["voice of another resource", {}, one, 200, 55000000],
  [
    "context with an older voice",
    { speaker: "en_male_jason_mars_bigtts", additions: '{"context_texts":["sad"]}' },
    ...([one, 400, 45000001] as const),
  ],
  ["resource", {}, { "x-api-resource-id": "seed-tts-9.0" }, 403, 45000030],
];
test.each(ROWS)("readings are refused: %s", async (_, wish, headers, status, code) => {
  const answer = await say(wish, headers);
  expect([answer.status, (await answer.json()).code]).toEqual([status, code]);
  expect(answer.headers.get("x-tt-logid")).toMatch(/^[0-9a-f]{32}$/);
});

test("speechstyle accepts either of two kinds of keys, and needs one", async () => {
  const none = await say({}, { "x-api-key": "" });
  expect([none.status, (await none.json()).header.code]).toEqual([401, 45000010]);
  const pair = { "x-api-key": "", "x-api-app-id": "id", "x-api-access-key": "key" };
  expect((await say({}, pair)).status).toBe(200);
});

test("failures come inside the stream, sound may be missing, and streams break", async () => {
  expect(await linesOf(await say({ text: "[[outcome:fail=moderation]]" }))).toMatchObject([
    { code: 45000002 },
  ]);
  const silent = await linesOf(await say({ text: "[[outcome:silent]]" }));
  expect([silent.at(-1)?.code, soundIn(silent).length]).toEqual([20000000, 0]);
  const early = await linesOf(await say({ text: "a text [[fault:error-after=2,status=500]]" }));
  expect(early.map(({ code }) => code)).toEqual([0, 0, 55000000]);
  const open = await linesOf(await say({ text: "a text [[fault:no-done]]" }));
  expect(open.at(-1)?.code).toBe(0);
  await expect(say({ text: "a text [[fault:cut=100]]" }).then((answer) => answer.text())).rejects.toThrow();
  expect(set.simulator.ledger.orphans()).toMatchObject([{ state: "succeeded", billed: { text_words: 24 } }]);
});

const create = (body: object) =>
  set.post(
    "/api/v3/tts/create",
    { model: "seed-audio-1.0-multilingual", text_prompt: "rain on a roof", ...body },
    HEADERS,
  );

test("sound from a description comes inline and under a link, with its two lengths and a subtitle", async () => {
  const answer = await (
    await create({ audio_config: { format: "mp3", speech_rate: 100, enable_subtitle: true } })
  ).json();
  expect(answer).toMatchObject({ code: 0, duration: 0.47, original_duration: 0.93 });
  expect(answer.subtitle.sentences[0].words.map(({ text }: { text: string }) => text)).toEqual([
    ...["rain", "on", "a", "roof"],
  ]);
  const file = await bytesOf(await fetch(answer.url));
  expect(file.equals(Buffer.from(answer.audio, "base64"))).toBe(true);
  expect(readMp3(file).seconds).toBeCloseTo(0.47, 1);
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { billed: { seconds: 0.93 }, outputs: [{ downloads: 1 }] },
  ]);
  const wav = Buffer.from((await (await create({})).json()).audio, "base64");
  expect([wav.toString("latin1", 0, 4), wav.readUInt32LE(24)]).toEqual(["RIFF", 40_000]);
});

const b64 = (bytes: Buffer) => bytes.toString("base64");
const link = "https://a.test/a.wav";
const BAD: [what: string, body: object, code: number][] = [
  ["model", { model: "sim" }, 45000001],
  ["no prompt", { text_prompt: "" }, 45000001],
  ["long prompt", { text_prompt: "x".repeat(3001) }, 45001116],
  ["four references", { references: [1, 2, 3, 4].map(() => ({ audio_url: link })) }, 45000001],
  ["two things in one", { references: [{ audio_url: link, speaker: VOICE }] }, 45000001],
  ["nothing in one", { references: [{}] }, 45000001],
  ["unknown thing", { references: [{ video_url: link }] }, 45000001],
  ["image beside sound", { references: [{ audio_url: link }, { image_url: link }] }, 45000001],
  ["two images", { references: [{ image_url: link }, { image_url: link }] }, 45000001],
  ["unknown speaker", { references: [{ speaker: "somebody" }] }, 45001115],
  ["link that is none", { references: [{ audio_url: "a.wav" }] }, 45000001],
  ["link to nothing", { references: [{ audio_url: "https://a.test/missing.wav" }] }, 45001131],
  ["sound that is none", { references: [{ audio_data: b64(samples.png(8, 8)) }] }, 45001105],
  ["small image", { references: [{ image_data: b64(samples.png(300, 300)) }] }, 45000001],
  ["image of another kind", { references: [{ image_data: b64(samples.gif(500, 500)) }] }, 45000001],
  ["name of no reference", { text_prompt: "like @Audio2", references: [{ audio_url: link }] }, 45000001],
  ["sample rate", { audio_config: { sample_rate: 22050 } }, 45000001],
  ["pitch", { audio_config: { pitch_rate: 13 } }, 45000001],
  ["failure by script", { text_prompt: "x [[outcome:fail=45001105]]" }, 45001105],
];
test.each(BAD)("generations are refused: %s", async (_, body, code) => {
  expect((await (await create(body)).json()).code).toBe(code);
});

test.each([
  [
    "three sounds",
    { text_prompt: "@Audio1 @Audio2 @Audio3", references: [1, 2, 3].map(() => ({ audio_url: link })) },
  ],
  [
    "inline sounds",
    { references: [{ audio_data: b64(samples.wav(1)) }, { audio_data: b64(samples.mp3(1)) }] },
  ],
  ["one image", { references: [{ image_data: b64(samples.webp(400, 400)) }] }],
  ["speakers", { references: [{ speaker: VOICE }, { speaker: "S_mine" }] }],
])("sound is generated from %s", async (_, body) => {
  expect((await (await create(body)).json()).code).toBe(0);
});

test("voices are listed, filtered and paged for signed requests", async () => {
  const list = (body: object, options: object = {}) =>
    fetch(
      ...signed(set.origin, "ListSpeakers", body, {
        service: "speech_saas_prod",
        version: "2025-05-20",
        ...options,
      }),
    );
  const result = async (body: object) => (await (await list(body)).json()).Result;
  const all = await result({ Limit: 100 });
  expect(all.Total).toBe(all.Speakers.length);
  expect(all.Speakers).toContainEqual(
    expect.objectContaining({ VoiceType: VOICE, ResourceID: "seed-tts-2.0", Languages: [expect.anything()] }),
  );
  const older = await result({ ResourceIDs: ["seed-tts-1.0"] });
  expect(older.Total).toBe(2);
  expect((await result({ Page: 2, Limit: 2 })).Speakers).toEqual(all.Speakers.slice(2, 4));
  expect((await result({ VoiceTypes: [VOICE] })).Total).toBe(1);
  expect((await list({ Limit: 101 })).status).toBe(400);
  expect((await list({}, { secret: "wrong" })).status).toBe(401);
  expect((await list({}, { version: "2024-01-01" })).status).toBe(404);
});
