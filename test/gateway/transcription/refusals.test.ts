import { samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Stage } from "../../support/stage.ts";
import { form, NATIVE, PATH, send, speech, startTranscription } from "./stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startTranscription();
});
afterAll(() => h.close());

const BOUNDARY = "edge";
const hostile = (text: string) =>
  send(h, text, { headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` } });
const part = (head: string, value: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
const end = `--${BOUNDARY}--\r\n`;
const model = part('name="model"', "seconds");

/** What is refused, with the words and the field that tell it. */
const cases: [name: string, ask: () => Promise<Response>, words: RegExp, param: string | undefined][] = [
  [
    "a picture",
    () => send(h, form({ model: "seconds" }, { bytes: samples.png(9, 9) })),
    /file: .*image\/png.*must be audio\/mpeg/,
    "file",
  ],
  ["a text", () => send(h, form({ model: "seconds" }, { bytes: Buffer.from("Hello") })), /^file: /, "file"],
  ["an empty file", () => send(h, form({ model: "seconds" }, { bytes: Buffer.alloc(0) })), /^file: /, "file"],
  [
    "a film without sound",
    () => send(h, form({ model: "seconds" }, { bytes: samples.mp4({ w: 16, h: 16, seconds: 1, fps: 2 }) })),
    /^file: /,
    "file",
  ],
  [
    "a kind that the model does not take",
    () => send(h, form({ model: "seconds" }, { bytes: samples.aac(2) })),
    /file.*audio\/aac/,
    "file",
  ],
  [
    "a recording that is too long",
    () => send(h, form({ model: "tokens" }, { bytes: samples.mp3(1501) })),
    /file.*1500/,
    "file",
  ],
  [
    "a recording cut in its head",
    () => send(h, form({ model: "seconds" }, { bytes: speech().subarray(0, 20) })),
    /^file: /,
    "file",
  ],
  ["no file", () => hostile(model + end), /file: is required/, "file"],
  [
    "a file as a text",
    () => hostile(model + part('name="file"', "RIFF") + end),
    /file: must be a file/,
    "file",
  ],
  [
    "two files",
    () =>
      hostile(model + part('name="file"; filename="a"', "a") + part('name="file"; filename="b"', "b") + end),
    /two files/,
    "file",
  ],
  [
    "a file in another field",
    () => hostile(model + part('name="audio"; filename="a"', "a") + end),
    /'audio'/,
    "file",
  ],
  ["a field twice", () => hostile(model + model + end), /'model'/, undefined],
  [
    "a form that breaks off",
    () => hostile(model + part('name="file"; filename="a"', "a")),
    /ends before its last boundary/,
    undefined,
  ],
  [
    "a body of another boundary",
    () => hostile(`--other\r\n${end}`),
    /does not begin with its boundary/,
    undefined,
  ],
  [
    "a long text",
    () => hostile(part('name="prompt"', "x".repeat(5 * 1024 * 1024)) + end),
    /bytes/,
    undefined,
  ],
  ["no model", () => send(h, form({})), /model: /, "model"],
  ["an unknown model", () => send(h, form({ model: "nothing" })), /"?nothing/, "model"],
  ["a model of text that hears nothing", () => send(h, form({ model: "deaf" })), /deaf/, "model"],
  [
    "a form that the model does not give",
    () => send(h, form({ model: "tokens", response_format: "srt" })),
    /response_format.*json/,
    "response_format",
  ],
  [
    "subtitles of a model of text",
    () => send(h, form({ model: "listen", response_format: "vtt" })),
    /"vtt"/,
    "response_format",
  ],
  [
    "a parameter of another type",
    () => send(h, form({ model: "seconds", temperature: "warm" })),
    /temperature/,
    "temperature",
  ],
  [
    "an address",
    () => send(h, form({ model: "seconds", file_url: "https://a.test/a.mp3" })),
    /file_url: is not accepted/,
    "file_url",
  ],
  ["JSON", () => h.call(PATH, { model: "seconds" }), /multipart\/form-data/, undefined],
  [
    "native JSON without a recording",
    () => h.call(NATIVE, { model: "seconds" }),
    /content: is required/,
    undefined,
  ],
  [
    "native JSON with a picture",
    () =>
      h.call(NATIVE, {
        model: "seconds",
        content: [{ type: "audioBase64", data: samples.png(9, 9).toString("base64") }],
      }),
    /content\.0: .*image\/png/,
    undefined,
  ],
  [
    "an address inside the network",
    () => h.call(NATIVE, { model: "seconds", content: [{ type: "audioUrl", url: "http://10.0.0.1/a.mp3" }] }),
    /content\.0/,
    undefined,
  ],
];

describe("requests that no provider sees", () => {
  it.each(cases)("%s is refused, with its field and what is allowed", async (_, ask, words, param) => {
    const before = { ...(await h.balance()), asked: h.simulator.ledger.entries.length };
    const response = await ask();
    const { error, errors } = await response.json();
    expect([400, 413, 415]).toContain(response.status);
    expect(errors[0]).toMatch(words);
    if (param) expect(error.param).toBe(param);
    await h.settled();
    expect({ ...(await h.balance()), asked: h.simulator.ledger.entries.length }).toEqual(before);
  });

  it("a declared type does not matter: the contents do", async () => {
    for (const type of ["text/plain", "application/octet-stream", ""])
      expect((await send(h, form({ model: "seconds" }, { type, name: "a" }))).status).toBe(200);
  });
});
