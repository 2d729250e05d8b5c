import { collectLosses, ignoreLosses } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRequest, anyVectors, ask, listed, text, wires } from "./arbitraries.ts";

describe.each(wires)("embeddings of $protocol", (codec) => {
  test("request.decode(request.encode(r)) = r", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        const back = codec.request.decode(codec.request.encode(request, lose));
        expect(back).toEqual(listed(codec, request));
        expect(losses).toEqual([]);
      }),
    );
  });

  test.each(wires)("a request that came by $protocol arrives whole", (from) => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const came = from.request.decode(from.request.encode(request, ignoreLosses));
        const back = codec.request.decode(codec.request.encode(came, ignoreLosses));
        expect(back).toEqual(listed(codec, listed(from, request)));
      }),
    );
  });

  test("reply.decode(reply.encode(reply, r)) = reply, in either encoding", () => {
    fc.assert(
      fc.property(anyVectors, fc.constantFrom("float", "base64"), (vectors, encoding) => {
        const request = ask(
          vectors.map(() => text("x")),
          { encoding },
        );
        const wire = JSON.parse(JSON.stringify(codec.reply.encode({ vectors }, request))) as Json;
        // JSON has no negative zero.
        const plain = vectors.map((vector) => vector.map((x) => (encoding === "float" ? x + 0 : x)));
        expect(codec.reply.decode(wire).vectors.map((v) => v.map((x) => x + 0))).toEqual(
          plain.map((v) => v.map((x) => x + 0)),
        );
      }),
    );
  });

  test("any body of a client or a provider is read without a throw, and re-reading changes nothing", () => {
    const names = ["input", "content", "contents", "requests", "parts", "text", "type", "data", "inlineData"];
    const key = fc.oneof(fc.constantFrom(...names, "embedding", "values", "index", "config"), fc.string());
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(key, tie("json"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, json, { maxKeys: 4 }), (wire) => {
        const once = codec.request.decode(wire);
        const again = codec.request.decode(codec.request.encode(once, ignoreLosses));
        expect(again.inputs.length).toBe(once.inputs.length);
        const { vectors } = codec.reply.decode(wire);
        expect(vectors.flat().every(Number.isFinite)).toBe(true);
      }),
    );
  });

  test("token ids arrive or are a loss of the whole input", () => {
    const { losses, lose } = collectLosses();
    const wire = codec.request.encode(ask([{ tokens: [1, 2] }]), lose);
    if (codec.tokens) expect(codec.request.decode(wire).inputs).toEqual([{ tokens: [1, 2] }]);
    expect(losses.map((loss) => loss.path)).toEqual(codec.tokens ? [] : ["/inputs/0"]);
  });

  test.each(["image", "audio", "video", "document"] as const)(
    "media of kind %s by URL are taken as declared, else a loss",
    (kind) => {
      const request = ask([
        { parts: [{ type: "media", kind, source: { type: "url", url: "https://a.test/x" } }] },
      ]);
      const { losses, lose } = collectLosses();
      const back = codec.request.decode(codec.request.encode(request, lose));
      const taken = codec.urls.includes(kind);
      expect(losses.map((loss) => loss.path)).toEqual(taken ? [] : ["/inputs/0/parts/0"]);
      if (taken) expect(back).toEqual(listed(codec, request));
    },
  );

  test("unknown fields come back on the same wire and are losses on the others", () => {
    const wire = { ...codec.request.encode(ask([text("a")]), ignoreLosses), odd: { deep: [1] } };
    const request = codec.request.decode(wire);
    expect(codec.request.encode(request, ignoreLosses)).toEqual(wire);
    for (const other of wires.filter((candidate) => candidate !== codec)) {
      const { losses, lose } = collectLosses();
      expect(other.request.encode(request, lose)).not.toHaveProperty("odd");
      expect(losses).toEqual([{ path: "/extra/odd", why: "unsupported" }]);
    }
  });

  test("the body that a codec writes passes its own schema", () => {
    const wire = codec.request.encode(ask([text("a"), text("b")], { dimensions: 8 }), ignoreLosses);
    expect(codec.request.schema.safeParse(wire).error).toBeUndefined();
  });
});
