import { type AnyProvider, codecs, encodeRequest, type Protocol } from "@manifold-gateway/core";
import { withDialect } from "@manifold-gateway/core/dialect";
import { loadCaller, loadProvider } from "@manifold-gateway/core/load";
import { CallerRequest, type RequestBody, readBody } from "@manifold-gateway/core/plan";
import { describe, expect, it } from "vitest";
import { of, readRequest, requests } from "../../laws/fixtures.ts";

const names = Object.keys(codecs) as Protocol[];

describe.each(names)("the halves of %s", (name) => {
  it("are those of its codec", async () => {
    const [caller, provider] = [await loadCaller[name](), await loadProvider[name]({ schemas: false })];
    const codec = codecs[name];
    expect([caller.protocol, provider.protocol]).toEqual([name, name]);
    const joined = (part: "request" | "reply" | "frame" | "failure"): object => ({
      ...caller[part],
      ...provider[part],
    });
    for (const part of ["reply", "frame", "failure"] as const) expect(codec[part]).toEqual(joined(part));
    expect(Object.keys(codec.request).sort()).toEqual(Object.keys(joined("request")).sort());
  });

  it("the provider's half writes every request as the codec does, once it has a dialect", async () => {
    const half = await loadProvider[name]({ schemas: false });
    const whole = codecs[name] as AnyProvider;
    for (const { value } of of(requests, codecs[name])) {
      const request = readRequest(codecs[name], value);
      const { wire, losses } = encodeRequest(request, withDialect(half));
      expect({ wire, losses }).toEqual(pick(encodeRequest(request, whole)));
      const body = readBody(JSON.stringify(value)) as RequestBody;
      const caller = new CallerRequest({ codec: codecs[name], body, model: "a-model" });
      if (!caller.hasSchemas()) expect(pick(encodeRequest(request, half))).toEqual({ wire, losses });
    }
  });
});

const pick = ({ wire, losses }: ReturnType<typeof encodeRequest>): object => ({ wire, losses });

it.each(names.filter((name) => name !== "native"))(
  "a request with a schema is an error of the program where the half of %s has no dialect",
  async (name) => {
    const half = await loadProvider[name]({ schemas: false });
    const tools = [{ type: "function" as const, name: "f", schema: { type: "object" } }];
    const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }];
    const request = { model: "m", stream: false, messages, tools, params: {} };
    expect(() => encodeRequest(request, half)).toThrow(TypeError);
    expect(() => encodeRequest(request, half)).toThrow("withDialect");
  },
);
