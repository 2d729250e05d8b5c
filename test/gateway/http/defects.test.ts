import { chatstyle } from "@manifold-gateway/core";
import { embedWires } from "@manifold-gateway/core/operations";
import { createTransport, type Transport } from "@manifold-gateway/providers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

/** Planted in the gateway's own code: never the provider's doing. */
class Mistake extends TypeError {
  constructor() {
    super("a mistake of ours");
  }
}
const fail = (): never => {
  throw new Mistake();
};

const inner = createTransport();
let send: Transport["send"] = inner.send;
const transport: Transport = { ...inner, send: (request) => send(request) };

type Line = { message: string; [field: string]: unknown };
const lines: Line[] = [];
const write = (fields: object, message: string) => void lines.push({ ...fields, message });
const log = { info: write, warn: write, error: write };

let h: Stage;
beforeAll(async () => {
  h = await startStage({
    transport,
    log,
    models: [model("embed-chat", "chatstyle", { outputModalities: ["embedding"] })],
  });
});
afterAll(() => h.close());
afterEach(() => {
  vi.restoreAllMocks();
  send = inner.send;
  lines.splice(0);
});

const messages = [{ role: "user", content: "Hello" }];
const MESSAGES = "/api/msgstyle/v1/messages";
const whole = { model: "sim-chatstyle", messages, max_tokens: 9 };
const streamed = { ...whole, stream: true };
const vectors = { model: "embed-chat", input: "Hello" };

const breakCall = () => {
  send = async () => fail();
};
const breakReading = () => {
  send = async (request) => {
    const response = await inner.send(request);
    vi.spyOn(response.body, "bytes").mockImplementation(async () => fail());
    vi.spyOn(response.body, "take").mockImplementation(fail);
    return response;
  };
};
const breakReply = () => vi.spyOn(chatstyle.reply, "burst").mockImplementation(fail);
const breakDecoder = () => vi.spyOn(chatstyle.reply, "decode").mockImplementation(fail);
const breakStep = () => vi.spyOn(chatstyle.reply, "decode").mockReturnValue({ step: fail, end: () => [] });
const breakVectors = () => vi.spyOn(embedWires.chatstyle.reply, "decode").mockImplementation(fail);

const defects = (): Line[] => lines.filter(({ message }) => message === "defect");
const requestLine = (): Line | undefined => lines.find(({ message }) => message === "request");

describe("a defect of the gateway", () => {
  it.each<[string, () => unknown, string, object]>([
    ["in a call", breakCall, MESSAGES, whole],
    ["in a call for a stream", breakCall, MESSAGES, streamed],
    ["in receiving an answer", breakReading, MESSAGES, whole],
    ["in receiving a stream", breakReading, MESSAGES, streamed],
    ["in reading an answer", breakReply, MESSAGES, whole],
    ["in beginning to read a stream", breakDecoder, MESSAGES, streamed],
    ["in reading the events of a stream", breakStep, MESSAGES, streamed],
    ["in a call for vectors", breakCall, "/api/chatstyle/v1/embeddings", vectors],
    ["in reading vectors", breakVectors, "/api/chatstyle/v1/embeddings", vectors],
  ])(
    "a defect in %s is a 500, logged once with its stack, and frees what was held",
    async (_, plant, path, body) => {
      plant();
      const before = await h.balance();
      const response = await h.call(path, body);
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ code: "internal_error" });
      expect(text).not.toContain("mistake");
      expect(await h.balance()).toEqual(before);
      expect(before.held).toBe(0);
      expect(defects()).toHaveLength(1);
      expect(defects()[0]?.error).toMatch(/a mistake of ours\n\s+at /);
      expect(requestLine()).toMatchObject({
        status: 500,
        code: "internal_error",
        request: defects()[0]?.request,
      });
    },
  );

  it("a defect in the middle of a stream is reported in the stream, and logged", async () => {
    const { decode } = chatstyle.reply;
    vi.spyOn(chatstyle.reply, "decode").mockImplementation(() => {
      const machine = decode();
      let steps = 0;
      return { ...machine, step: (chunk) => (++steps > 3 ? fail() : machine.step(chunk)) };
    });
    h.simulator.script("[[fault:slow=5]]", { protocol: "chatstyle" });
    const response = await h.call(MESSAGES, { ...streamed, max_tokens: 200 });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(/"type":"error".*Internal error\. Request /);
    expect(text).not.toContain("message_stop");
    expect(text).not.toMatch(/mistake|provider/i);
    expect(defects()).toHaveLength(1);
    expect(requestLine()).toMatchObject({ status: 200, fault: "internal", attempts: 1 });
    await h.settled();
  });

  it("a defect opens no circuit, and its attempt is reported as internal", async () => {
    breakCall();
    for (let n = 0; n < 12; n++) {
      const response = await h.call(MESSAGES, whole);
      expect(response.headers.get("x-attempts") ?? "fault=internal").toContain("fault=internal");
      await response.text();
    }
    send = inner.send;
    expect((await h.call(MESSAGES, whole)).status).toBe(200);
    for (const { failures, circuit } of h.gateway.health().values())
      expect({ failures, circuit }).toEqual({ failures: 0, circuit: "closed" });
  });
});

describe("the log line of a request", () => {
  it("the log line of a request says how it ended", async () => {
    await (await h.call(MESSAGES, whole)).text();
    const line = requestLine();
    expect(line).toMatchObject({ status: 200, model: "sim-chatstyle", attempts: 1 });
    expect(line?.entry).toMatch(/^e[0-9a-f]{10}$/);
    for (const field of ["cost", "input", "output"] as const) expect(line?.[field]).toBeGreaterThan(0);
    expect(line).not.toHaveProperty("code", expect.anything());
  });

  it.each<[string, object, string]>([
    ["model_not_found", { ...whole, model: "nobody" }, "nobody"],
    ["invalid_request", { ...whole, messages: [] }, ""],
  ])("the log line of a request says why it was refused: %s", async (code, body, named) => {
    expect((await h.call(MESSAGES, body)).status).toBe(400);
    expect(requestLine()).toMatchObject({ status: 400, code, ...(named && { model: named }) });
  });

  it("the log line of a request says what went wrong at the provider", async () => {
    h.simulator.script("[[fault:cut=0]]", { protocol: "chatstyle" });
    expect((await h.call(MESSAGES, whole)).status).toBe(502);
    expect(requestLine()).toMatchObject({ code: "provider_failed", fault: "reset", attempts: 1 });
    expect(defects()).toEqual([]);
  });
});
