import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog, type LogLevel, type LogOptions } from "../../../apps/server/src/logging/log.ts";
import { redact } from "../../../apps/server/src/logging/redact.ts";

function open(level: LogLevel, options: Pick<LogOptions, "base" | "format"> = {}) {
  const lines: string[] = [];
  return { lines, log: createLog(level, { ...options, write: (line) => void lines.push(line) }) };
}

describe("a log", () => {
  it.each([
    ["debug", 3],
    ["info", 3],
    ["warn", 2],
    ["error", 1],
    ["silent", 0],
  ] as const)("of level %s writes %i of the three kinds", (level, count) => {
    const { lines, log } = open(level);
    log.info({}, "a");
    log.warn({}, "b");
    log.error({}, "c");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["a", "b", "c"].slice(3 - count));
  });

  it("writes a line as JSON: level, time, its own fields, those that are known, and the message", () => {
    const { lines, log } = open("info", { base: { process: 2 } });
    log.info({ request: 'a"b\u2028', status: 200, account: undefined, cost: null, list: [1] }, "request");
    expect(lines[0]?.replace(/"time":\d+/, '"time":0')).toBe(
      '{"level":30,"time":0,"process":2,"request":"a\\"b\u2028","status":200,"cost":null,"list":[1],"msg":"request"}\n',
    );
  });

  it("writes a line for fields without a JSON form, too", () => {
    const { lines, log } = open("info");
    log.warn({ count: 1n }, "counted");
    expect(JSON.parse(lines[0] as string)).toMatchObject({ level: 40, msg: "counted" });
  });

  it("finds in several lines at once the secrets that it finds in each", () => {
    const secret = fc.constantFrom(
      `mfk_${"a".repeat(24)}`,
      "Bearer abc",
      "bearer  x-y",
      "Bearer",
      "Bearer ",
      `sk-${"b".repeat(20)}`,
      "sk-",
      "https://x/?sig=abc&s=d",
      "?key=",
      "\n",
      "}",
    );
    const text = fc.array(fc.oneof(secret, fc.string({ unit: "grapheme" }))).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
        const lines = texts.map((value) => `${JSON.stringify({ level: 30, value, msg: "request" })}\n`);
        expect(redact(lines.join(""))).toBe(lines.map(redact).join(""));
      }),
    );
  });
});
