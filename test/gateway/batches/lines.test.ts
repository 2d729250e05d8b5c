import fc from "fast-check";
import { expect, it } from "vitest";
import { lineOf, MODEL, useBatchStage } from "./stage.ts";

const set = useBatchStage();

/** Lines that are wrong, each with the code of its error. */
const faults: Record<string, (name: string) => [line: object | string, code: string]> = {
  "no JSON": () => ['{"custom_id":', "invalid_json_line"],
  "no object": () => ["[1]", "invalid_json_line"],
  "many members": (name) => [{ custom_id: name, body: { x: Array(100_200).fill({}) } }, "body_too_complex"],
  "deep nesting": () => [`{"body":${"[".repeat(300)}`, "body_too_complex"],
  "no name": (name) => [{ ...lineOf(name), custom_id: undefined }, "invalid_custom_id"],
  "an empty name": (name) => [{ ...lineOf(name), custom_id: "" }, "invalid_custom_id"],
  "a long name": (name) => [lineOf(name.repeat(200)), "invalid_custom_id"],
  "a name that would not come back as it is": (name) => [lineOf(`${name}\0`), "invalid_custom_id"],
  "a name with half a character": (name) => [
    JSON.stringify(lineOf(name)).replace(name, `${name}\\ud83d`),
    "invalid_custom_id",
  ],
  "another method": (name) => [{ ...lineOf(name), method: "GET" }, "invalid_method"],
  "another path": (name) => [{ ...lineOf(name), url: "/v1/embeddings" }, "invalid_url"],
  "no path": (name) => [{ ...lineOf(name), url: undefined }, "invalid_url"],
  "no body": (name) => [{ ...lineOf(name), body: "x" }, "invalid_body"],
  "a stream": (name) => [lineOf(name, "x", { stream: true }), "invalid_body"],
};
/** Lines that are requests, each with the status of its answer. */
const requests: Record<string, (name: string) => [line: object | string, status: number]> = {
  good: (name) => [lineOf(name), 200],
  "with all that JSON has": (name) => [
    `\t{"custom_id":${JSON.stringify(name)},"url":"/v1/chat/completions", "body" : {"messages":[{"role":"user","content":"\\u00e9 \\"]} ]"}],"model":"${MODEL}","max_tokens":8} }\r`,
    200,
  ],
  "no model": (name) => [lineOf(name, "x", { model: undefined }), 400],
  "unknown model": (name) => [lineOf(name, "x", { model: "none" }), 400],
  "refused by the provider": (name) => [lineOf(name, "[[fault:status=422]]"), 422],
};

it("a wrong line is that line's error and no other's, wherever it stands", async () => {
  const kind = fc.constantFrom(...Object.keys(faults), ...Object.keys(requests), "blank");
  await fc.assert(
    fc.asyncProperty(
      fc.array(kind, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (kinds, isMarked) => {
        const lines = kinds.map((name, n): [object | string, string | number | undefined] =>
          name === "blank" ? [" ", undefined] : (faults[name] ?? requests[name]!)(`line-${n}`),
        );
        // At least one is an object, or the file is refused.
        lines.push([lineOf("last"), 200]);
        const [first, ...rest] = lines.map(([line]) =>
          typeof line === "string" ? line : JSON.stringify(line),
        );
        const { id } = await set.h.begin([isMarked ? `\ufeff${first}` : first!, ...rest]);
        const { batch, output, errors } = await set.h.ended(id);
        const outcomes = [...output, ...errors].map(
          ({ response, error }) => response?.status_code ?? error.code,
        );
        const expected = lines.map(([, outcome]) => outcome).filter((outcome) => outcome !== undefined);
        const isGood = (outcome: unknown) => outcome === 200;
        expect(outcomes).toEqual([...expected.filter(isGood), ...expected.filter((one) => !isGood(one))]);
        const completed = expected.filter(isGood).length;
        expect(batch).toMatchObject({
          status: "completed",
          request_counts: { total: expected.length, completed, failed: expected.length - completed },
        });
      },
    ),
    { numRuns: 8 },
  );
  expect((await set.h.balance()).held).toBe(0);
  expect(await set.h.store.money.audit()).toEqual([]);
});

it("a name that occurs twice is the error of the later line", async () => {
  const { id } = await set.h.begin([lineOf("a"), lineOf("b"), lineOf("a", "Say goodbye.")]);
  const { output, errors } = await set.h.ended(id);
  expect(output.map(({ custom_id: name }) => name)).toEqual(["a", "b"]);
  expect(errors).toMatchObject([{ custom_id: "a", error: { code: "duplicate_custom_id", line: 3 } }]);
});
