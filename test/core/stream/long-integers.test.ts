import { genstyle, parseWire } from "@manifold-gateway/core";
import { isRaw, type Json, type JsonObject, parseArguments, run } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";

const LONG = "1234567890123456789";
const rounded = Number(LONG);

/** A wire text with a long integer at `@`, read and written. */
const through = (text: string): string => JSON.stringify(parseWire(text.replaceAll("@", LONG)));

describe("a long integer of a wire", () => {
  test.each([
    '{"messages":[{"content":[{"type":"tool_use","input":{"id":@,"l":[1,[@]]}}]}]}',
    '{"type":"content_block_start","content_block":{"type":"server_tool_use","input":{"id":@}}}',
    '{"contents":[{"parts":[{"functionCall":{"name":"f","args":{"id":-@}}}]}]}',
    '{"contents":[{"parts":[{"function_call":{"name":"f","args":{"args":{"id":@}}}}]}]}',
    '{"contents":[{"parts":[{"functionResponse":{"response":{"id":@}}}]}]}',
    '{"tool_calls":[{"function":{"name":"f","arguments":{"id":@}}}]}',
    '{"input":[{"type":"function_call_output","output":{"id":@}}]}',
  ])("a long integer is kept where it belongs to a tool: %s", (text) => {
    expect(through(text)).toBe(text.replaceAll("@", LONG));
  });

  test.each([
    '{"seed":@}',
    '{"usage":{"input_tokens":@}}',
    '{"max_tokens":@,"tools":[{"name":"f","input_schema":{"maximum":@}}]}',
    '{"properties":{"args":{"maximum":@},"input":{"maximum":@},"response":{"maximum":@}}}',
    '{"input":[@],"arguments":@}',
    '{"functionCall":{"args":@}}',
    "@",
  ])("a long integer is a number elsewhere: %s", (text) => {
    const whole = text.replaceAll("@", LONG);
    expect(parseWire(whole)).toEqual(JSON.parse(whole));
    expect(through(text)).toBe(text.replaceAll("@", String(rounded)));
  });

  test("a value that is no long integer stays as it is", () => {
    const text = '{"functionCall":{"args":{"a":"@","b":"\\":@,","@":1,"c":0.@,"d":1e-@,"e":@.5,"f":[@]}}}';
    const args = (parseWire(text.replaceAll("@", LONG)) as { functionCall: { args: JsonObject } })
      .functionCall.args;
    const { f, ...others } = args;
    expect(others).toEqual({
      a: LONG,
      b: `":${LONG},`,
      [LONG]: 1,
      c: Number(`0.${LONG}`),
      d: 0,
      e: Number(`${LONG}.5`),
    });
    expect(isRaw((f as Json[])[0])).toBe(true);
  });

  test("a long integer of any length is found wherever it stands, among others that are short", () => {
    const digits = (from: number, to: number) =>
      fc.integer({ min: from, max: to }).map((length) => "9".repeat(length));
    fc.assert(
      fc.property(fc.array(digits(1, 15)), digits(16, 40), (short, long) => {
        const [last] = (parseArguments(`[${[...short, long].join(",")}]`) as Json[]).slice(-1);
        expect(last).toEqual(expect.objectContaining({ rawJSON: long }));
      }),
    );
  });

  test("an integer that a number can hold stays a number", () => {
    expect(parseArguments("[9007199254740991,9007199254740993,-9007199254740991]")).toEqual([
      9007199254740991,
      expect.objectContaining({ rawJSON: "9007199254740993" }),
      -9007199254740991,
    ]);
  });

  test("a long integer is kept in arguments of pieces, each under its path", () => {
    const call = (more: JsonObject): JsonObject => ({ content: { parts: [{ functionCall: more }] } });
    const chunks = [
      `{"candidates":[${JSON.stringify(call({ name: "f", willContinue: true }))}]}`,
      `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.id","numberValue":${LONG}},{"jsonPath":"$.n","numberValue":${LONG}},{"jsonPath":"$.n.m","numberValue":1}]}}]},"finishReason":"STOP"}]}`,
    ];
    const events = run(
      genstyle.reply.decode(),
      chunks.map((chunk) => parseWire(chunk) as Json),
    );
    expect(events).toContainEqual({ type: "delta", index: 0, text: `{"id":${LONG},"n":{"m":1}}` });
  });
});

test("any text without long integers is read as by JSON.parse", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseWire(text)).toEqual(JSON.parse(text));
      expect(parseArguments(text)).toEqual(JSON.parse(text));
    }),
  );
  expect(parseWire(`{"a":${LONG}`)).toBeUndefined();
});

test("a text that is nested too deep is not read, since it could not be written", () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${LONG}${"]".repeat(depth)}`;
  for (const parse of [parseWire, parseArguments]) {
    expect(parse(nested(256))).toBeDefined();
    expect(parse(nested(257))).toBeUndefined();
    expect(parse(`{"functionCall":{"args":${nested(50_000)}}}`)).toBeUndefined();
  }
});

describe("an engine without raw JSON", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  test("a long integer is rounded, and the written text reports it", async () => {
    vi.stubGlobal("JSON", { parse: JSON.parse, stringify: JSON.stringify });
    vi.resetModules();
    const { parseArguments: parse } = await import("../../../packages/core/src/stream/long-integers.ts");
    const { toArguments } = await import("../../../packages/core/src/protocols/arguments.ts");
    expect(parse(`{"id":${LONG}}`)).toEqual({ id: rounded });
    const lost: string[] = [];
    expect(toArguments(`{"id":${LONG}}`, "/a", (path) => void lost.push(path))).toEqual({ id: rounded });
    expect(lost).toEqual(["/a/arguments"]);
  });
});
