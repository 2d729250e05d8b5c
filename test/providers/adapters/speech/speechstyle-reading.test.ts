import { encodeReading } from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";
import { speechstyle } from "../../../../packages/providers/src/adapters/speech/speechstyle/index.ts";
import { reading } from "../../../core/operations/speech/kit.ts";
import { cut, json, pieces, startLine } from "./line.ts";
import { audio, bytesOf, done, lines } from "./speechstyle.ts";

describe("a reading", () => {
  test("a reading is requested with the model's name, the key and our own request id", async () => {
    const { line, got } = await startLine([pieces([lines([audio("ab"), done])], "application/json")], {
      headers: { "x-api-app-key": "constant" },
    });
    await speechstyle.submit(line, reading());
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      method: "POST",
      path: "/api/v3/tts/unidirectional",
      body: encodeReading(reading(), "pseudonym"),
      headers: {
        "x-api-key": "speech-key",
        "x-api-resource-id": "seed-tts-2.0",
        "x-control-require-usage-tokens-return": "*",
        "x-api-app-key": "constant",
      },
    });
    expect(got[0]?.headers["x-api-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a reading is put together from pieces that are cut anywhere", async () => {
    const text = lines([audio("ab"), { code: 0, sentence: { text: "x" } }, audio("cd"), done]);
    const thirds = [text.slice(0, 20), text.slice(20, 51), text.slice(51)];
    const { line } = await startLine([pieces(thirds, "application/json")]);
    const progress = await speechstyle.submit(line, reading({ format: "ogg_opus" }));
    expect(bytesOf(progress)).toBe("abcd");
    expect(progress).toMatchObject({ result: { mediaType: "audio/ogg", characters: 6 } });
  });

  test("a reading comes as server-sent events where the service is configured so", async () => {
    const events = [
      `event: 350\ndata: ${JSON.stringify({ code: 0, sentence: {} })}\n\n`,
      `event: 352\ndata: ${JSON.stringify(audio("ab"))}\n\nevent: 352\nda`,
      `ta: ${JSON.stringify(audio("cd"))}\n\n`,
      `event: 152\ndata: ${JSON.stringify(done)}\n\n`,
    ];
    const { line, got } = await startLine([pieces(events, "text/event-stream")], { events: true });
    expect(bytesOf(await speechstyle.submit(line, reading()))).toBe("abcd");
    expect(got[0]?.path).toBe("/api/v3/tts/unidirectional/sse");
  });

  test("an event fails a reading", async () => {
    const failed = { code: 45000001, message: "bad parameter" };
    const event = `event: 153\ndata: ${JSON.stringify(failed)}\n\n`;
    const { line } = await startLine([pieces([event], "text/event-stream")], { events: true });
    expect(await speechstyle.submit(line, reading())).toEqual({
      state: "failed",
      trouble: { kind: "refused", code: "45000001", message: "bad parameter" },
    });
  });

  test.each([
    [40402003, "refused", 1],
    [45000000, "refused", 1],
    [45000001, "refused", 1],
    [45000010, "misconfigured", 1],
    [45000030, "misconfigured", 1],
    [55000000, "unavailable", 2],
    [55000001, "unavailable", 2],
    [7, "unavailable", 1],
  ])("code %i with a good status makes a reading %s, after %i calls", async (code, kind, calls) => {
    const { line, got } = await startLine([json({ code, message: "as it is" })]);
    const progress = await speechstyle.submit(line, reading());
    expect(progress).toMatchObject({ state: "failed", trouble: { kind, code: String(code) } });
    expect(got).toHaveLength(calls);
  });

  test("a temporary failure of a reading is retried once", async () => {
    const { line, got } = await startLine([
      json({ code: 55000000, message: "busy" }),
      pieces([lines([audio("ab"), done])], "application/json"),
    ]);
    expect(bytesOf(await speechstyle.submit(line, reading()))).toBe("ab");
    expect(got).toHaveLength(2);
  });

  test("audio before a failure is not delivered", async () => {
    const { line } = await startLine([
      pieces([lines([audio("ab"), { code: 45000001, message: "no" }])], "application/json"),
    ]);
    expect(await speechstyle.submit(line, reading())).toMatchObject({ state: "failed" });
  });

  test("a reading that ends without audio has failed", async () => {
    const { line } = await startLine([pieces([lines([audio(""), done])], "application/json")]);
    expect(await speechstyle.submit(line, reading())).toMatchObject({
      state: "failed",
      trouble: { kind: "unavailable", message: "The provider generated no audio." },
    });
  });

  test.each([
    ["ends early", pieces([lines([audio("ab")])], "application/json")],
    ["is cut", cut(lines([audio("ab")]), "application/json")],
  ])("a stream that %s is a fault, never half a text", async (_, answer) => {
    const { line } = await startLine([answer]);
    await expect(speechstyle.submit(line, reading())).rejects.toMatchObject({ kind: "reset" });
  });

  test.each([
    [401, {}, "misconfigured"],
    [403, { code: 45000030, message: "not granted" }, "misconfigured"],
    [429, {}, "unavailable"],
    [500, "<html>", "unavailable"],
    [400, { header: { code: 45000001, message: "bad" } }, "refused"],
  ])("status %i of %j fails a reading", async (status, body, kind) => {
    const { line } = await startLine([json(body, status)]);
    expect(await speechstyle.submit(line, reading())).toMatchObject({
      state: "failed",
      trouble: { kind, status },
    });
  });

  test("the operator's mistakes and the key are hidden from the caller", async () => {
    const { line } = await startLine([json({ code: 45000010, message: "Invalid key speech-key" })]);
    expect(JSON.stringify(await speechstyle.submit(line, reading()))).not.toContain("speech-key");
  });

  test("a cancelled call ends", async () => {
    const { line } = await startLine([() => {}], {}, { signal: AbortSignal.abort() });
    await expect(speechstyle.submit(line, reading())).rejects.toMatchObject({ kind: "cancelled" });
  });
});
