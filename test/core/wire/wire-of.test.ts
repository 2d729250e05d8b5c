import { codecs, type Protocol } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { endpoints, likelyProtocol, wireOf } from "@manifold-gateway/core/wire";
import { surfaces } from "@manifold-gateway/gateway";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const none = new Headers();
const wireAt = (path: string, body?: JsonObject, headers = none) => wireOf("POST", path, headers, body);

/** Wires that clients speak: of the others only providers. */
const spoken = Object.values(codecs).filter(({ protocol }) => protocol !== "conversestyle");

/** The names that models have: with slashes and colons, and with segments that paths have as well. */
const segment = fc.constantFrom("a", "b:8b", "models", "v1", "generateContent", "llama-4", "x y", "ü");
const modelName = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const base = fc.constantFrom("", "/api", "/openai", "https://host.example", "http://127.0.0.1:8787/api/any");

describe("the wire of a request", () => {
  it.each(spoken)("is $protocol at the codec's own endpoint, whatever base is before it", (codec) => {
    fc.assert(
      fc.property(base, modelName, fc.boolean(), (before, model, stream) => {
        const path = `${before}/v1${codec.endpoint(encodeURIComponent(model), stream)}`;
        const wire = wireAt(path, { model, stream });
        expect(wire).toMatchObject({ protocol: codec.protocol, operation: "text", model });
        expect(wire?.stream).toBe(stream || codec.protocol === "native");
        expect(wire?.form).toBe("events");
      }),
    );
  });

  it("is known at every route of the surfaces that generates text, vectors, images or speech, transcribes, judges, or counts", () => {
    const found = surfaces
      .filter(({ name }) => ["chatstyle", "msgstyle", "genstyle"].includes(name))
      .flatMap(({ name, prefix, routes }) =>
        routes
          .filter(
            ({ method, access, path }) =>
              method === "POST" && access === "key" && !/\/(videos|files|batches)\b/.test(path),
          )
          .map(({ path }) => ({ name, path: prefix + path.replace("**:model", "models/best") })),
      );
    expect(found.length).toBeGreaterThan(15);
    for (const { name, path } of found) {
      const wire = wireAt(path, { model: "best" });
      const protocols: Protocol[] = name === "chatstyle" ? ["chatstyle", "responses"] : [name as Protocol];
      // The two surfaces whose bodies name the model have one path for embeddings.
      if (wire?.operation !== "embedding") expect(protocols, path).toContain(wire?.protocol);
      expect(wire?.model, path).toBe("best");
    }
    for (const { end } of endpoints.filter((row) => row.protocol !== "native"))
      expect(
        found.some(({ path }) => path.endsWith(end)),
        end,
      ).toBe(true);
  });

  it("has the model of a path as SDKs write it, with and without `models/`, under any version", () => {
    fc.assert(
      fc.property(base, modelName, fc.constantFrom("v1", "v1beta", "v1alpha"), (before, model, version) => {
        const path = `${before}/${version}/models/${encodeURI(model)}:generateContent`;
        expect(wireAt(path)?.model).toBe(model);
      }),
    );
    for (const [path, model] of [
      ["/v1/models/a/b:8b:generateContent", "a/b:8b"],
      ["/v1beta/a/b:streamGenerateContent?alt=sse", "a/b"],
      ["/v1beta/accounts/fireworks/models/llama:generateContent", "accounts/fireworks/models/llama"],
      ["/v1beta/models/accounts/fireworks/models/llama:generateContent", "accounts/fireworks/models/llama"],
      ["/api/v1/genstyle/v1beta/models/m:countTokens", "m"],
      ["/v1beta/tunedModels/mine:generateContent", "mine"],
      ["/v1/projects/p/locations/l/publishers/google/models/m:generateContent", "m"],
      ["/models/m:generateContent", "m"],
      ["/v1beta/models/50%:generateContent", "50%"],
      ["/v1beta/models/:generateContent", undefined],
      [":generateContent", undefined],
    ] as const)
      expect(wireAt(path)?.model, path).toBe(model);
  });

  it("is a stream of one array where generate-content names no events", () => {
    const path = "/v1beta/models/m:streamGenerateContent";
    const form = (query: string, accept?: string) =>
      wireAt(path + query, {}, new Headers(accept === undefined ? {} : { accept }))?.form;
    expect(form("")).toBe("array");
    expect(form("?alt=json", "text/event-stream")).toBe("array");
    expect(form("?alt=sse")).toBe("events");
    expect(form("?key=k&alt=sse#x")).toBe("events");
    expect(form("", "application/json, text/event-stream")).toBe("events");
    expect(wireAt("/v1beta/models/m:generateContent")).toMatchObject({ form: "events", stream: false });
  });

  it("brings the edits of bodies that are forwarded", () => {
    expect(wireAt("/chat/completions", { stream: true })?.edits).toEqual({
      stream_options: { include_usage: true },
    });
    expect(wireAt("/chat/completions", {})?.edits).toEqual({});
    expect(wireAt("/v1/models/m:generateContent", { contents: "Hi" })?.edits).toEqual({
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    });
    expect(wireAt("/messages", { stream: true })?.edits).toEqual({});
  });

  it("has no model where the body has none that is a text", () => {
    for (const body of [{}, { model: "" }, { model: true }] as JsonObject[])
      expect(wireAt("/chat/completions", body)).not.toHaveProperty("model");
  });

  it("is none for other methods and paths", () => {
    expect(wireOf("GET", "/v1/chat/completions", none)).toBeUndefined();
    expect(wireOf("post", "/v1/chat/completions", none)?.protocol).toBe("chatstyle");
    for (const path of [
      "",
      "/",
      "/v1/models",
      "/v1/batches",
      "/v1/threads/t/messages",
      "/xresponses",
      "?/messages",
    ])
      expect(wireAt(path), path).toBeUndefined();
  });
});

it("an error about an unknown path is in the likely protocol of its client", () => {
  expect(likelyProtocol("/v1/files", new Headers({ "anthropic-version": "2023-06-01" }))).toBe("msgstyle");
  expect(likelyProtocol("/v1/files", new Headers({ "x-goog-api-key": "k" }))).toBe("genstyle");
  expect(likelyProtocol("/v1beta/files", none)).toBe("genstyle");
  expect(likelyProtocol("/v1/files", none)).toBe("chatstyle");
});
