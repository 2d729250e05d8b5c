import type { JsonObject } from "@manifold-gateway/core/codec";
import type { RerankReply, RerankRequest } from "@manifold-gateway/core/operations";
import fc from "fast-check";

export const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
const count = fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined });
const word = fc.stringMatching(/^[a-z]{1,6}$/);
/** Made once: to make one for each request takes longer than all else. */
const model = fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/);
const defined = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

/** A document as a caller sends it: a text, or an object whose members in `named` are compared. */
const anyDocument = (named: readonly string[]) =>
  fc.oneof(anyText, fc.record({ ...Object.fromEntries(named.map((name) => [name, anyText])), id: fc.nat() }));

/** The body of a caller's request. */
export const anyWire: fc.Arbitrary<JsonObject> = fc
  .option(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { nil: undefined })
  .chain((rank_fields) =>
    fc.record({
      model,
      query: anyText.filter((text) => text !== ""),
      documents: fc.array(anyDocument(rank_fields ?? ["text"]), { minLength: 1, maxLength: 6 }),
      rank_fields: fc.constant(rank_fields),
      top_n: count,
      max_tokens_per_doc: count,
      max_chunks_per_doc: count,
      return_documents: fc.option(fc.boolean(), { nil: undefined }),
      truncation: fc.option(fc.boolean(), { nil: undefined }),
    }),
  )
  .map((wire) => defined<object>(wire) as JsonObject);

/** The results of some documents of a request, in any order. */
export const anyReply = ({ documents }: Pick<RerankRequest, "documents">): fc.Arbitrary<RerankReply> =>
  fc
    .record({
      results: fc.uniqueArray(
        fc.record({ index: fc.nat(documents.length - 1), score: fc.float({ noNaN: true, min: -9, max: 9 }) }),
        { minLength: 1, selector: ({ index }) => index },
      ),
      input: fc.option(fc.integer({ min: 1, max: 1e8 }), { nil: undefined }),
      searchUnits: fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: undefined }),
    })
    .map(({ results, input, searchUnits }) => {
      const usage = defined({ input, searchUnits });
      return { results, ...(Object.keys(usage).length > 0 && { usage }) };
    });
