import { collectLosses, ignoreLosses } from "@manifold-gateway/core";
import { type Json, type JsonObject, toObject } from "@manifold-gateway/core/codec";
import {
  estimateRerank,
  mostRerank,
  type RerankRequest,
  rerankShortfall,
  rerankstyle,
  rerankWires,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyReply, anyWire } from "./arbitraries.ts";

const wires = Object.entries(rerankWires);
const { decode, schema } = rerankstyle.request;
const read = (wire: JsonObject): RerankRequest => decode(wire);
const request = (more: JsonObject = {}): RerankRequest =>
  read({ model: "m", query: "q", documents: ["a", "b", "c"], ...more });

/** The members of a request that reach a wire: of documents only what is compared. */
const kept = ({ returnDocuments: _, documents, ...rest }: RerankRequest) => ({
  ...rest,
  documents: documents.map(({ text }) => text),
});

describe.each(wires)("requests on the wire %s", (name, codec) => {
  test("everything of a request comes back, but for what a loss names", () => {
    fc.assert(
      fc.property(anyWire, (wire) => {
        expect(schema.safeParse(wire).error).toBeUndefined();
        const sent = read(wire);
        const { losses, lose } = collectLosses();
        const back = codec.request.decode(codec.request.encode(sent, lose));
        const lost = new Set(losses.map(({ path }) => path.slice(1)));
        const expected = Object.fromEntries(Object.entries(kept(sent)).filter(([key]) => !lost.has(key)));
        expect(kept(back)).toEqual(expected);
      }),
    );
  });

  test("no provider is asked for the documents", () => {
    const body = codec.request.encode(request({ return_documents: true }), ignoreLosses);
    expect(body.return_documents ?? false).toBe(false);
  });

  test("replies come back in order and no longer than requested, and clients of every wire read them", () => {
    const pairs = anyWire.map(read).chain((sent) => fc.tuple(fc.constant(sent), anyReply(sent)));
    fc.assert(
      fc.property(pairs, ([sent, reply]) => {
        expect(rerankShortfall(sent, reply)).toBeUndefined();
        const body = codec.reply.encode(reply, sent);
        const back = codec.reply.decode(body);
        const scores = back.results.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(back.results).toHaveLength(
          Math.min(sent.topN ?? Number.POSITIVE_INFINITY, reply.results.length),
        );
        for (const result of back.results) expect(reply.results).toContainEqual(result);
        expect(back.usage).toEqual(reply.usage);
        expect(codec.reply.decode(codec.reply.encode(back, sent))).toEqual(back);
      }),
    );
  });

  test(`the endpoint is the same on each: ${name}`, () => {
    expect(codec.endpoint?.(request())).toBe("/rerank");
  });
});

describe("documents", () => {
  const fields = { title: "Llama", body: "lives in the Andes", year: 1999 };
  const ranked = request({ documents: [fields, "text"], rank_fields: ["title", "year", "none"] });

  test("members that are compared are one text, or sent as they are where a wire has them", () => {
    expect(ranked.documents[0]?.text).toBe("title: Llama\nyear: 1999");
    const { losses, lose } = collectLosses();
    expect(rerankWires.searchstyle.request.encode(ranked, lose).documents).toEqual([
      "title: Llama\nyear: 1999",
      "text",
    ]);
    expect(losses).toEqual([
      { path: "/rankFields", why: "approximated", detail: "the members are sent as one text" },
    ]);
    expect(rerankWires.searchstyle1.request.encode(ranked, ignoreLosses)).toMatchObject({
      documents: [{ title: "Llama", year: 1999 }, "text"],
      rank_fields: ["title", "year", "none"],
    });
  });

  test("an answer has the documents as the caller sent them, if it is to have them", () => {
    const reply = {
      results: [
        { index: 1, score: 2 },
        { index: 0, score: 1 },
      ],
    };
    const written = (more: JsonObject) =>
      toObject(rerankstyle.reply.encode(reply, request({ documents: [{ text: "a", id: 7 }, "b"], ...more })))
        .results;
    expect(written({ return_documents: true })).toEqual([
      { index: 1, relevance_score: 2, document: { text: "b" } },
      { index: 0, relevance_score: 1, document: { text: "a", id: 7 } },
    ]);
    expect(written({ return_documents: false })).toEqual([
      { index: 1, relevance_score: 2 },
      { index: 0, relevance_score: 1 },
    ]);
  });

  test.each<[JsonObject, string]>([
    [{ model: "" }, "model"],
    [{ query: "" }, "query"],
    [{ query: { image: "x" } }, "query"],
    [{ documents: [] }, "documents"],
    [{ documents: "a" }, "documents"],
    [{ documents: ["a", { title: "b" }] }, "documents.1"],
    [{ documents: ["a", 1] }, "documents.1"],
    [{ documents: [{ text: "a" }], rank_fields: ["title"] }, "documents.0"],
    [{ rank_fields: [] }, "rank_fields"],
    [{ top_n: 0 }, "top_n"],
    [{ top_n: 1.5 }, "top_n"],
    [{ max_tokens_per_doc: 0 }, "max_tokens_per_doc"],
    [{ return_documents: "yes" }, "return_documents"],
  ])("the schema refuses %j and names %s", (more, path) => {
    const { error } = schema.safeParse({ model: "m", query: "q", documents: ["a"], ...more });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});

describe("answers of providers", () => {
  const results = [{ index: 1, relevance_score: 0.5 }];
  test.each<[string, Json, object]>([
    ["tokens", { results, usage: { total_tokens: 9 } }, { input: 9 }],
    ["search units", { results, meta: { billed_units: { search_units: 2 } } }, { searchUnits: 2 }],
    [
      "units beside tokens that are not billed",
      { results, meta: { billed_units: { search_units: 2, input_tokens: 0 }, tokens: { input_tokens: 40 } } },
      { input: 40, searchUnits: 2 },
    ],
    ["tokens beside the results", { results, tokens: { input_tokens: 9, output_tokens: 0 } }, { input: 9 }],
    [
      "both units beside the results",
      { results, usage: { total_tokens: 40, search_units: 1, cost: 0.001 } },
      { input: 40, searchUnits: 1 },
    ],
    ["results in data", { data: results, usage: { total_tokens: 9 } }, { input: 9 }],
  ])("usage is read: %s", (_, body, usage) => {
    expect(rerankstyle.reply.decode(body)).toEqual({ results: [{ index: 1, score: 0.5 }], usage });
  });

  test("a list alone is read", () => {
    const list = [{ index: 1, score: 0.5, document: "b" }];
    expect(rerankstyle.reply.decode(list)).toEqual({ results: [{ index: 1, score: 0.5 }] });
  });

  test.each([-1, 1.5, "9", 1e300, [9]])("a figure of %j makes it missing", (total_tokens) => {
    expect(rerankstyle.reply.decode({ results, usage: { total_tokens } }).usage).toBeUndefined();
  });

  test.each<[string, Json]>([
    ["nothing", null],
    ["no results", { results: [] }],
    ["a document that was not sent", { results: [{ index: 3, relevance_score: 1 }] }],
    ["a document twice", { results: [...results, ...results] }],
    ["no score", { results: [{ index: 0 }] }],
    ["no place", { results: [{ relevance_score: 1 }] }],
  ])("%s is no ranking", (_, body) => {
    expect(rerankShortfall(request(), rerankstyle.reply.decode(body))).toContain("no readable ranking");
  });
});

describe("estimates", () => {
  test("a request of more is never estimated at less, and never above the most that it can be", () => {
    fc.assert(
      fc.property(anyWire.map(read), fc.string({ maxLength: 3_000 }), (sent, text) => {
        const before = estimateRerank(sent);
        const more = { ...sent, documents: [...sent.documents, { text }] };
        const after = estimateRerank(more);
        expect(after.input).toBeGreaterThanOrEqual(before.input);
        expect(after.searchUnits).toBeGreaterThanOrEqual(before.searchUnits);
        const most = mostRerank(more);
        expect(most.input).toBeGreaterThan(after.input);
        expect(most.searchUnits).toBeGreaterThanOrEqual(after.searchUnits);
      }),
    );
  });

  test.each([
    [100, 4, 1],
    [101, 4, 2],
    [50, 4 * 600, 1],
    [51, 4 * 600, 2],
  ])("%i documents of %i bytes are %i search units", (count, size, units) => {
    const documents = Array.from({ length: count }, () => "x".repeat(size));
    expect(estimateRerank(request({ documents })).searchUnits).toBe(units);
  });
});
