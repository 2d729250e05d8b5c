import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { begin } from "../../packages/console/web/src/batches/begin.ts";
import { checkFile, LONGEST_LINE } from "../../packages/console/web/src/batches/check-file.ts";
import { errorOf } from "../../packages/console/web/src/batches/line-errors.ts";
import { checkedFile } from "../../packages/gateway/src/batches/check-file.ts";
import { LineSplitter } from "../../packages/gateway/src/batches/jsonl.ts";
import { defaultBatchLimits } from "../../packages/gateway/src/batches/limits.ts";
import { readLine } from "../../packages/gateway/src/batches/read-line.ts";

afterEach(() => vi.unstubAllGlobals());

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
    { name: "line 4", code: "invalid_json_line", message: "No.", number: 4 },
  ],
  [
    {
      custom_id: "b",
      response: {
        ...{ status_code: 404, request_id: "batch_1/7" },
        body: { code: "model_not_found", errors: ["No.", "None."] },
      },
    },
    { name: "b", code: "model_not_found", message: "No. None.", number: 7 },
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
    { name: "d", code: "overloaded", message: "Later.", number: 4 },
  ],
  [
    { custom_id: "e", result: { type: "canceled" } },
    { name: "e", code: "canceled", message: "" },
  ],
  [{ custom_id: "f", result: { type: "succeeded", message: {} } }, undefined],
])("why a line of a file has no answer: %j", (line, error) => {
  expect(errorOf(JSON.stringify(line), 3)).toEqual(error && { place: 3, ...error });
});

it("a line that is too long for the service is found before a file is sent, and nothing behind it is read", async () => {
  expect(LONGEST_LINE).toBe(defaultBatchLimits.line);
  const LONGEST = 12;
  const text = fc.oneof(
    fc.constant("{}"),
    fc.string({ unit: fc.constantFrom("x", "ä", "€"), maxLength: 14 }),
  );
  const end = fc.constantFrom("\n", "\r\n");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, end), { maxLength: 6 }), text, async (lines, last) => {
      const bytes = Buffer.from(lines.flat().join("") + last);
      const stored = checkedFile([bytes], "lines", { fileLines: 100, line: LONGEST });
      const refusal = await Array.fromAsync(stored).then(
        () => "",
        ({ message }: Error) => message,
      );
      const [, tooLong] = / bytes in line (\d+);/.exec(refusal) ?? [];
      const checked = await checkFile(new Blob([bytes]), LONGEST);
      expect(checked.tooLong).toBe(tooLong && Number(tooLong));
      if (checked.tooLong !== undefined) expect(checked.lines).toBeLessThan(checked.tooLong);
    }),
  );
});

type Fate = "answered" | "lost on the way" | "lost on the way back" | "refused" | "in use" | "unavailable";

/** A service that has files and batches, and does with each request what is its fate. */
function serviceOf(fates: Fate[]) {
  const files = new Set<string>();
  const batches = new Map<string, { id: string; body: unknown }>();
  const refusal = (status: number, code: string) => Response.json({ errors: [code], code }, { status });
  const run = (path: string, { method, body, headers }: RequestInit): Response => {
    if (method === "DELETE") {
      files.delete(path.split("/").at(-1)!);
      return Response.json({});
    }
    if (path.endsWith("/files")) {
      const id = `file_${files.size}`;
      files.add(id);
      return Response.json({ id });
    }
    const name = new Headers(headers).get("idempotency-key") ?? `unnamed ${batches.size}`;
    const { input_file_id: input } = JSON.parse(String(body)) as { input_file_id: string };
    if (!files.has(input)) return refusal(400, "file_not_found");
    const begun = batches.get(name) ?? { id: `batch_${batches.size}`, body };
    if (begun.body !== body) return refusal(422, "idempotency_key_reused");
    batches.set(name, begun);
    return Response.json(begun);
  };
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const fate = init.method === "DELETE" ? "answered" : (fates.shift() ?? "answered");
    if (fate === "lost on the way") throw new TypeError("Failed to fetch");
    if (fate === "refused") return refusal(429, "too_many_batches");
    if (fate === "unavailable") return refusal(503, "unavailable");
    const answer = run(path, init);
    if (fate === "in use") return refusal(409, "idempotency_key_in_use");
    if (fate === "lost on the way back") throw new TypeError("Failed to fetch");
    return answer;
  });
  return { files, batches };
}

it("one batch is begun of a chosen file, whatever becomes of the answers, until one comes", async () => {
  const fate = fc.constantFrom<Fate>(
    ...(["answered", "lost on the way", "lost on the way back", "refused", "in use", "unavailable"] as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 6 }), async (fates) => {
      // The upload is answered: a file whose answer was lost is only left behind.
      const { files, batches } = serviceOf(["answered", ...fates]);
      const file = new File(["{}"], "lines.jsonl");
      const terms = { file, endpoint: ENDPOINT, apiKeyId: "key", window: "24h" };
      let id: string | undefined;
      while (id === undefined) id = await begin(terms).catch(() => undefined);
      expect([...batches.values()].map((one) => one.id)).toEqual([id]);
      expect([...files]).toEqual(expect.arrayContaining([...batches.keys()]));
    }),
  );
});

it("a batch that may have begun is not begun with other settings, and a refused file is not left behind", async () => {
  const terms = { endpoint: ENDPOINT, apiKeyId: "key", window: "24h" };
  const { batches } = serviceOf(["answered", "lost on the way back"]);
  const file = new File(["{}"], "lines.jsonl");
  await expect(begin({ ...terms, file })).rejects.toMatchObject({ status: 0 });
  await expect(begin({ ...terms, file, window: "1h" })).rejects.toThrow("has begun, with other settings");
  expect(await begin({ ...terms, file })).toBe("batch_0");
  expect(batches.size).toBe(1);
  const { files } = serviceOf(["answered", "refused"]);
  const other = new File(["{}"], "lines.jsonl");
  await expect(begin({ ...terms, file: other })).rejects.toMatchObject({ status: 429 });
  expect(files.size).toBe(0);
});
