import { msgstyle, protocols, translateRequest } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";

const line = (hash: string) => `x-vendor-billing-header: version=2.1; hash=${hash};`;
const block = (text: string) => ({ type: "text", text });
const requestOf = (system: Json): JsonObject => ({
  model: "m",
  max_tokens: 10,
  system,
  messages: [{ role: "user", content: "hi" }],
});

const upstreams = (["chatstyle", "responses", "genstyle", "conversestyle"] as const).map(
  (name) => [name, protocols.codecs[name]] as const,
);

describe("a line for the vendor's accounts at the head of the system text", () => {
  it.each(upstreams)("is left out for %s, so that the prompt begins as the last one did", (_, to) => {
    const translated = (system: Json) => translateRequest(requestOf(system), { from: msgstyle, to });
    const forms = (hash: string) => [
      [block(line(hash)), block("Be brief.")],
      [block(`${line(hash)}\nBe brief.`)],
      `${line(hash)}\nBe brief.`,
      line(hash),
    ];
    const later = forms("2").map(translated);
    forms("1").forEach((system, i) => {
      const { wire, losses } = translated(system);
      expect(wire).toEqual(later[i]?.wire);
      expect(JSON.stringify(wire)).not.toContain("hash");
      expect(losses.map(({ path }) => path)).toContain("/system");
    });
  });

  it("stays for the same protocol", () => {
    const system = [block(line("1")), block("Be brief.")];
    expect(translateRequest(requestOf(system), { from: msgstyle, to: msgstyle }).wire.system).toEqual(system);
  });

  it("is text elsewhere", () => {
    const { wire } = translateRequest(requestOf(`Be brief.\n${line("1")}`), {
      from: msgstyle,
      to: protocols.codecs.chatstyle,
    });
    expect(JSON.stringify(wire)).toContain("hash=1");
  });
});
