import { execFileSync } from "node:child_process";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import type { TextRequest } from "@manifold-gateway/core";
import fc from "fast-check";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { bodyOf } from "../../packages/console/web/src/codecs/calls.ts";
import type { WireName } from "../../packages/console/web/src/codecs/wires.ts";
import { fieldsOf, formForms } from "../../packages/console/web/src/media/samples.ts";
import { copyForms } from "../../packages/console/web/src/play/copy-as.ts";
import { CALLS } from "../../packages/console/web/src/play/media.ts";
import { SDKS } from "../../packages/console/web/src/play/sdk-samples.ts";
import { params } from "../laws/arbitraries/params.ts";
import { request as anyRequest } from "../laws/arbitraries/requests.ts";

const ORIGIN = "http://gateway.test";
const CLIENTS = { OpenAI, Anthropic, GoogleGenAI };
const program = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;

/** Something of all that the form has a field for. */
const everything: TextRequest = {
  model: "m",
  stream: true,
  messages: [
    { role: "system", parts: [{ type: "text", text: "Be brief." }] },
    {
      role: "user",
      parts: [
        { type: "text", text: 'It\'s "quoted"' },
        { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
      ],
    },
    { role: "assistant", parts: [{ type: "call", id: "c1", name: "look", arguments: '{"at":"sky"}' }] },
    {
      role: "user",
      parts: [{ type: "result", id: "c1", name: "look", parts: [{ type: "text", text: "Blue" }] }],
    },
  ],
  tools: [
    { type: "function", name: "look", schema: { type: "object", properties: { at: { type: "string" } } } },
  ],
  toolChoice: { mode: "required" },
  reasoning: { effort: "low" },
  format: { type: "schema", schema: { type: "object", properties: { colour: { type: "string" } } } },
  params: {},
};

/** What a program in JavaScript sends first. */
async function sentBy(text: string): Promise<{ path: string; body: unknown }> {
  let sent: { path: string; body: unknown } | undefined;
  const fake = async (url: URL | string, init: RequestInit) => {
    sent ??= { path: new URL(String(url)).pathname, body: JSON.parse(String(init.body)) };
    return new Response("", { headers: { "content-type": "text/event-stream" } });
  };
  const before = globalThis.fetch;
  globalThis.fetch = fake as typeof fetch;
  try {
    const names = [...Object.keys(CLIENTS), "process"];
    const run = new program(...names, text.replace(/^import .*$/m, ""));
    // The answer is empty, which not every SDK takes for one.
    await run(...Object.values(CLIENTS), { env: { MANIFOLD_KEY: "k" }, stdout: { write() {} } }).catch(
      () => {},
    );
  } finally {
    globalThis.fetch = before;
  }
  return sent ?? { path: "", body: undefined };
}

describe.each(Object.keys(SDKS) as WireName[])("a program of the SDK of %s", (name) => {
  const forms = (request: Parameters<typeof bodyOf>[0]) => {
    const { text } = bodyOf({ ...request, stream: true }, name, undefined);
    return { text, forms: copyForms(name, request.model, text, ORIGIN) };
  };

  it("sends the body of the pane, whatever it holds", async () => {
    // The SDK of generate-content leaves out parts and members of tools that it does not know.
    const requests =
      name === "generate" ? params.map((some) => ({ ...everything, params: some })) : anyRequest;
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { text, forms: all } = forms(request);
        const sample = all.find(({ title }) => title.endsWith("JavaScript"))!.text();
        expect((await sentBy(sample)).body).toEqual(JSON.parse(text));
      }),
      { numRuns: 25 },
    );
  });

  it("is Python in Python", () => {
    const [request] = fc.sample(anyRequest, { numRuns: 1, seed: 7 });
    const sample = forms(request!)
      .forms.find(({ title }) => title.endsWith("SDK, Python"))!
      .text();
    execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: sample });
  });
});

describe("the code for a recording", () => {
  const text = fc.string({ unit: fc.constantFrom(..."a$&`'\\;,@<= ", '"'), minLength: 1, maxLength: 8 });
  const request = fc.record({
    body: fc.record({
      model: text,
      response_format: fc.constantFrom("json", "verbose_json", "diarized_json", "text", "srt", "vtt"),
      prompt: text,
      timestamp_granularities: fc.constant(["segment", "word"]),
    }),
    file: text.filter((name) => name !== "-"),
  });
  const codeOf = (title: string, { body, file }: { body: Record<string, unknown>; file: string }): string =>
    formForms("transcribe", body, ORIGIN, file)
      .find((one) => one.title === title)!
      .text();

  /** Runs the program against an answer of the form that it requests: what it sends, and what it prints. */
  async function ran(code: string, isText: boolean) {
    let sent: FormData | undefined;
    const printed: unknown[] = [];
    const fake = async (_: unknown, { body }: RequestInit) => {
      sent = body as FormData;
      return isText ? new Response("Hello") : Response.json({ text: "Hello" });
    };
    const client = class extends OpenAI {
      constructor(options: object) {
        super({ ...options, fetch: fake as typeof fetch });
      }
    };
    const opened: string[] = [];
    const open = (name: string) => {
      opened.push(name);
      return new File(["x"], "recording");
    };
    const names = ["OpenAI", "createReadStream", "process", "console"];
    const run = new program(...names, code.replaceAll(/^import .*$/gm, ""));
    await run(client, open, { env: { MANIFOLD_KEY: "k" } }, { log: (one: unknown) => printed.push(one) });
    return { sent: sent!, printed, opened };
  }

  it("sends every text as it is and prints the transcript, in JavaScript", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const isText = !one.body.response_format.endsWith("json");
        const { sent, printed, opened } = await ran(codeOf("OpenAI SDK, JavaScript", one), isText);
        expect(printed).toEqual(["Hello"]);
        expect(opened).toEqual([one.file]);
        const fields = [...sent].filter(([name]) => name !== "file");
        expect(fields.sort()).toEqual([...fieldsOf(one.body)].sort());
      }),
      { numRuns: 50 },
    );
  });

  it("is the same in Python", () => {
    const [one] = fc.sample(request, { numRuns: 1, seed: 7 });
    const [json, srt] = ["json", "srt"].map((format) =>
      codeOf("OpenAI SDK, Python", { ...one!, body: { ...one!.body, response_format: format } }),
    );
    expect([json, srt].map((code) => code!.split("\n").at(-1))).toEqual([
      "print(answer.text)",
      "print(answer)",
    ]);
    execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: srt });
  });

  it("is a command whose fields are texts, whatever they begin with", () => {
    fc.assert(
      fc.property(request, (one) => {
        const script = `curl() { printf '%s\\0' "$@"; }; ${codeOf("curl", one)}`;
        const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
        const [address, , , , file, ...fields] = words;
        expect(address).toBe(ORIGIN + CALLS.transcribe);
        const name = file!.slice("file=@".length);
        const isQuoted = name.startsWith('"');
        expect(isQuoted ? name.slice(1, -1).replaceAll(/\\(.)/g, "$1") : name).toBe(one.file);
        if (!isQuoted) expect(name).not.toMatch(/[",;\\]/);
        const pairs = fieldsOf(one.body).flatMap(([field, value]) => ["--form-string", `${field}=${value}`]);
        expect(fields).toEqual(pairs);
      }),
      { numRuns: 25 },
    );
  });
});
