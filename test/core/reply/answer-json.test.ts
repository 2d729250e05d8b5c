import { type AnyCodec, codecs, translateBody } from "@manifold-gateway/core";
import { type Json, type JsonObject, run } from "@manifold-gateway/core/codec";
import { fold, type Reply, unfold } from "@manifold-gateway/core/ir";
import { CallerRequest, planRequest, Rejection, readBody } from "@manifold-gateway/core/plan";
import { openReply } from "@manifold-gateway/core/reply";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { head, pairs } from "../../laws/fixtures.ts";

const schema: JsonObject = {
  type: "object",
  properties: { a: {} },
  required: ["a"],
  additionalProperties: false,
};
const answer = (text: string, more: Partial<Reply["choices"][number]> = {}): Reply => ({
  choices: [{ parts: [{ type: "text", text }], finish: { reason: "stop" }, ...more }],
});
const bodyOf = (codec: AnyCodec, reply: Reply): Json =>
  codec.reply.gather(
    run(
      codec.reply.encode(head, () => {}),
      unfold(reply),
    ),
  );
const read = (codec: AnyCodec, body: Json): string =>
  fold(run(codec.reply.decode(), codec.reply.burst(body)))
    .choices[0]?.parts.map((part) => (part.type === "text" ? part.text : ""))
    .join("") as string;

const translated = (text: string, from: AnyCodec, to: AnyCodec, answerSchema: Json = schema) => {
  const { body, losses } = translateBody(bodyOf(from, answer(text)), { from, to, head, answerSchema });
  return { text: read(to, body), losses };
};

/** JSON of the schema, as a model writes it. */
const json = fc
  .record({ a: fc.jsonValue(), b: fc.jsonValue() }, { requiredKeys: ["a"] })
  .chain((value) => fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, 2)))
  .filter((text) => !text.includes("`"));
/** Ways to put words around it. */
const around = fc.constantFrom<(text: string) => string>(
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => `\`\`\`\n${text}\n\`\`\`\n`,
  (text) => `Here is the answer:\n\n\`\`\`json\n${text}\n\`\`\`\nDo you need more?`,
  (text) => `Sure! ${text}`,
  (text) => `For {this} and [that] (see [1]): ${text} That is all {really}.`,
);

describe.each(pairs)("an answer of %s for a caller of %s", (_, _to, from, to) => {
  it("a fence or prose around JSON of the schema is left out as a loss", () => {
    fc.assert(
      fc.property(json, around, (text, wrap) => {
        const made = translated(wrap(text), from, to);
        expect(made.text).toBe(text);
        expect(made.losses.filter(({ path }) => path === "/choices/0")).toEqual([
          expect.objectContaining({ why: "approximated" }),
        ]);
      }),
      { numRuns: 20 },
    );
  });

  it("an answer that is JSON of the schema stays as it is, without a loss", () => {
    fc.assert(
      fc.property(json, (text) => {
        const made = translated(text, from, to);
        expect(made.text).toBe(text);
        expect(made.losses.filter(({ path }) => path === "/choices/0")).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it("an answer without JSON of the schema stays as it is, and a loss says so", () => {
    for (const text of ["I cannot say.", '{"a":', '```json\n{"b":1}\n```', "[1]", "[".repeat(500)]) {
      const made = translated(text, from, to);
      expect(made.text).toBe(text);
      expect(made.losses.filter(({ path }) => path === "/choices/0")).toEqual([
        expect.objectContaining({ why: "unsupported", detail: "the answer has no JSON of the schema" }),
      ]);
    }
  });
});

it("digits of JSON that is taken out of prose are kept, and the object around a list is taken off", () => {
  const [from, to] = [codecs.msgstyle, codecs.chatstyle] as AnyCodec[] as [AnyCodec, AnyCodec];
  expect(translated('It is {"a":12345678901234567890}.', from, to).text).toBe('{"a":12345678901234567890}');
  const list: JsonObject = { type: "array", items: {} };
  expect(translated('```json\n{"answer":[1, 2]}\n```', from, to, list).text).toBe("[1, 2]");
  expect(translated("They are [1, 2].", from, to, list).text).toBe("[1, 2]");
});

it("an answer that calls a tool keeps its words", () => {
  const [from, to] = [codecs.msgstyle, codecs.chatstyle] as AnyCodec[] as [AnyCodec, AnyCodec];
  const parts: Reply["choices"][number]["parts"] = [
    { type: "text", text: "Let me look." },
    { type: "call", id: "c1", name: "look", arguments: "{}" },
  ];
  const body = bodyOf(from, { choices: [{ parts, finish: { reason: "tool_calls" } }] });
  const made = translateBody(body, { from, to, head, answerSchema: schema });
  expect(read(to, made.body)).toBe("Let me look.");
  expect(made.losses).toEqual([]);
});

describe("the reply to a planned request with a schema", () => {
  const wire = {
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    response_format: { type: "json_schema", json_schema: { name: "x", schema } },
  };
  const opened = (target: AnyCodec, traits: object, stream = false) => {
    const body = readBody(JSON.stringify({ ...wire, stream }));
    if (body instanceof Rejection) throw body;
    const request = new CallerRequest({ codec: codecs.chatstyle as AnyCodec, body, model: "m" });
    const plan = planRequest(request, { codec: target, model: "m", traits });
    if (plan instanceof Rejection) throw plan;
    return (options = {}) => openReply(plan, head, options);
  };
  const fenced = '```json\n{"a":1}\n```';
  const bytesOf = (codec: AnyCodec): Uint8Array =>
    new TextEncoder().encode(JSON.stringify(bodyOf(codec, answer(fenced))));
  const { chatstyle, genstyle } = codecs as unknown as Record<string, AnyCodec>;
  const textOf = (body: unknown): string =>
    read(chatstyle!, (typeof body === "string" ? JSON.parse(body) : body) as Json);

  it("a fenced answer is read as its JSON, unless the trait forbids it", () => {
    expect(textOf(opened(genstyle!, {})().whole(200, {}, bytesOf(genstyle!)).body)).toBe('{"a":1}');
    const kept = opened(genstyle!, { jsonInText: false })().whole(200, {}, bytesOf(genstyle!));
    expect(textOf(kept.body)).toBe(fenced);
  });

  it("a fenced answer stays as it is where the caller's wire is the provider's, also if it is translated", () => {
    for (const traits of [{}, { ignores: ["responseFormat"] }])
      expect(textOf(opened(chatstyle!, traits)().whole(200, {}, bytesOf(chatstyle!)).body)).toBe(fenced);
  });

  it("a fenced answer stays as it is in a stream, also in one that the provider answered whole", () => {
    const reply = opened(genstyle!, {}, true)({ unary: true });
    const text = reply.push(bytesOf(genstyle!)) + reply.finish();
    expect(text).toContain("```json");
  });
});
