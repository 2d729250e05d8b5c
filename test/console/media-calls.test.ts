import { afterEach, describe, expect, it, vi } from "vitest";
import { type Called, callModel, type ReadAnswer } from "../../packages/console/web/src/media/call.ts";
import { endingOf, formatsOf } from "../../packages/console/web/src/media/spoken.ts";
import { readTranscript } from "../../packages/console/web/src/media/transcript.ts";
import { speakAnswer, speechFormats } from "../../packages/core/src/operations/speak/index.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** An answer that breaks off after this text, as browsers report it. */
const brokenOff = (text: string, type: string): Response => {
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
    pull: (stream) => stream.error(new TypeError("network error")),
  });
  return new Response(body, { headers: { "content-type": type } });
};

const called = async (answer: () => Promise<Response>, read: ReadAnswer<unknown>) => {
  vi.stubGlobal("fetch", answer);
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  let last: Called<unknown> | undefined;
  await callModel({ path: "/", body: "{}", read, signal: new AbortController().signal }, (now) => {
    last = now;
  });
  return { ...last!.run, logged: log.mock.calls.flat() };
};

describe("a call of a model", () => {
  const defect = new TypeError("answer.results is undefined");
  const breakOff = brokenOff.bind(undefined, 'data: {"type":"transcript.text.delta","delta":"Hel"}\n\n');
  const json: ReadAnswer<unknown> = (response) => response.json();

  it.each<[string, () => Promise<Response>, ReadAnswer<unknown>, string, unknown[]]>([
    [
      "finds no service",
      () => Promise.reject(new TypeError("Failed to fetch")),
      json,
      "cannot be reached",
      [],
    ],
    ["loses a body", async () => brokenOff("{", "application/json"), json, "The connection was lost.", []],
    [
      "loses a stream",
      async () => breakOff("text/event-stream"),
      readTranscript,
      "The connection was lost.",
      [],
    ],
    ["is refused", async () => Response.json({ errors: ["No."] }, { status: 400 }), json, "No.", []],
    [
      "has a defect",
      async () => Response.json({}),
      () => Promise.reject(defect),
      "defect of its own",
      [defect],
    ],
  ])(
    "that %s says so, and only a defect of the console is logged",
    async (_, answer, read, fault, logged) => {
      expect(await called(answer, read)).toMatchObject({
        state: "failed",
        fault: expect.stringContaining(fault) as string,
        logged,
      });
    },
  );
});

describe("spoken text", () => {
  it("has the format that was chosen only where the model has it", () => {
    const wav = { speech: { params: { format: { type: "enum", values: ["wav", "pcm"] } } } };
    expect(formatsOf(wav, "wav")).toEqual({ formats: ["wav", "pcm"], format: "wav" });
    expect(formatsOf(wav, "mp3").format).toBe("");
    expect(formatsOf({}, "mp3")).toEqual({ formats: [...speechFormats], format: "mp3" });
  });

  it("is a file whose ending is that of the content type", () => {
    const types = speechFormats.map((format) => speakAnswer({ format } as never).contentType);
    expect(types.map(endingOf)).toEqual([...speechFormats]);
    expect(endingOf("")).toBe("audio");
  });
});
