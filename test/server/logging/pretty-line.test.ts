import { describe, expect, it } from "vitest";
import { createLog } from "../../../apps/server/src/logging/log.ts";
import { prettyLine } from "../../../apps/server/src/logging/pretty-line.ts";

const line = (fields: object): string =>
  JSON.stringify({ level: 30, time: Date.UTC(2026, 0, 1), msg: "request", ...fields });

describe("a log line for people", () => {
  it("has the time of day, the level, what happened and its fields", () => {
    const text = prettyLine(
      line({ route: "/api/v1", status: 200, why: "two words", entry: { a: 1 } }),
      false,
    );
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d\.000 info {2}request route=\/api\/v1 status=200 why="two words" entry=\{"a":1\}\n$/,
    );
  });

  it("has a stack below it, line by line", () => {
    const text = prettyLine(
      line({ level: 50, msg: "defect", error: "Error: no\n    at f (x.ts:1:1)" }),
      false,
    );
    expect(text.split("\n").slice(1)).toEqual(["    Error: no", "    at f (x.ts:1:1)", ""]);
  });

  it("does nothing to a terminal but colour its own words", () => {
    const text = prettyLine(
      line({ msg: "\u001b[2Jgone", path: "\u001b]0;title\u0007", error: "E\u0007\n    at x" }),
      false,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    expect(prettyLine(line({}), true)).toContain("\u001b[");
  });

  it.each([
    ["json", /^\{"level":30/],
    ["auto", /^\{"level":30/],
    ["pretty", /info {2}done key="\[redacted\]"/],
  ] as const)("is written in the format %s, without secrets", (format, expected) => {
    const lines: string[] = [];
    createLog("info", { format, write: (text) => void lines.push(text) }).info(
      { key: `mfk_${"a".repeat(24)}` },
      "done",
    );
    expect(lines.join("")).toMatch(expected);
    expect(lines.join("")).not.toContain("mfk_a");
  });
});
