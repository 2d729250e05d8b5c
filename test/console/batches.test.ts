import fc from "fast-check";
import { expect, it } from "vitest";
import { checkFile } from "../../packages/console/web/src/batches/check-file.ts";
import { errorOf } from "../../packages/console/web/src/batches/line-errors.ts";
import { LineSplitter } from "../../packages/gateway/src/batches/jsonl.ts";
import { readLine } from "../../packages/gateway/src/batches/read-line.ts";

const ENDPOINT = "/v1/chat/completions";
const FIRST = { custom_id: "first", url: ENDPOINT, body: {} };

const line = fc.oneof(
  fc.record(
    {
      custom_id: fc.oneof(fc.constantFrom("first", "a", "b", "", "x".repeat(513)), fc.integer(), fc.uuid()),
      method: fc.constantFrom("POST", "GET"),
      url: fc.constantFrom(ENDPOINT, ENDPOINT, "/v1/responses"),
      body: fc.constantFrom<unknown>({}, { stream: true }, { stream: false }, [], "text"),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>([], 1, "text"),
);

it("a file is found at fault before it is sent in the lines that the service does not run", async () => {
  const end = fc.constantFrom("\n", "\r\n", "\n\n");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, end), { maxLength: 8 }), fc.boolean(), async (lines, hasEnd) => {
      const all = [[FIRST, "\n"] as const, ...lines];
      const text = all.map(([value, end]) => JSON.stringify(value) + end).join("") + (hasEnd ? "" : "{");
      const splitter = new LineSplitter();
      const earlier = new Set<string>();
      const read = [...splitter.push(Buffer.from(text)), ...splitter.end()].map((one) =>
        readLine(one, { surface: "chatstyle", endpoint: ENDPOINT }, earlier),
      );
      const wrong = read.filter(({ answer }) => answer !== undefined).map(({ number }) => number);
      const checked = await checkFile(new Blob([text]));
      expect(checked).toMatchObject({ lines: read.length, endpoint: ENDPOINT, faulty: wrong.length });
      expect(checked.faults.map(({ line }) => line)).toEqual(wrong.slice(0, 10));
    }),
  );
});

it.each([
  [
    { custom_id: "a", response: null, error: { code: "invalid_url", message: "url: is missing" } },
    { name: "a", code: "invalid_url", message: "url: is missing" },
  ],
  [
    { custom_id: null, response: null, error: { code: "invalid_json_line", message: "No.", line: 4 } },
    { name: "line 4", code: "invalid_json_line", message: "No." },
  ],
  [
    {
      custom_id: "b",
      response: { status_code: 404, body: { code: "model_not_found", errors: ["No.", "None."] } },
    },
    { name: "b", code: "model_not_found", message: "No. None." },
  ],
  [
    { custom_id: "c", response: { status_code: 400, body: { error: { type: "invalid", message: "Bad." } } } },
    { name: "c", code: "invalid", message: "Bad." },
  ],
  [
    {
      custom_id: "d",
      result: { type: "errored", error: { error: { type: "overloaded", message: "Later." } } },
    },
    { name: "d", code: "overloaded", message: "Later." },
  ],
  [
    { custom_id: "e", result: { type: "canceled" } },
    { name: "e", code: "canceled", message: "" },
  ],
  [{ custom_id: "f", result: { type: "succeeded", message: {} } }, undefined],
])("why a line of a file has no answer: %j", (line, error) => {
  expect(errorOf(JSON.stringify(line), 3)).toEqual(error && { place: 3, ...error });
});
