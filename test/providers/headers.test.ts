import { defineProvider, upstreamHeaders } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

const origin = "http://127.0.0.1:1";
const sent = (client: Record<string, string>, headers?: Record<string, string>) => {
  const provider = defineProvider("p", { origin, speaks: ["msgstyle"], key: "secret", headers });
  return upstreamHeaders(provider, "msgstyle", false, (name) => client[name]);
};
const flags = Array.from({ length: 30 }, (_, i) => `some-feature-with-a-long-name-2026-01-${i + 10}`);

describe("the flags of a messages request", () => {
  it.each(["msgstyle-beta", "anthropic-beta"])(
    "the flags of a messages request go upstream as they were written: %s",
    (name) => {
      expect(sent({ [name]: "one-1, two-2" })["anthropic-beta"]).toBe("one-1, two-2");
      expect(sent({ [name]: flags.join(",") })["anthropic-beta"]).toBe(flags.join(","));
    },
  );

  it("the flags of both spellings are joined, each once", () => {
    const both = { "msgstyle-beta": "one, two", "anthropic-beta": "two,three" };
    expect(sent(both)["anthropic-beta"]).toBe("one,two,three");
  });

  it("the flags of a request do not replace what the provider is always sent", () => {
    const always = { "anthropic-beta": "always" };
    expect(sent({}, always)["anthropic-beta"]).toBe("always");
    expect(sent({ "anthropic-beta": "one" }, always)["anthropic-beta"]).toBe("always,one");
  });

  it("flags that are not plain text, or are longer than any list of them, are not sent", () => {
    expect(sent({ "anthropic-beta": "one\r\nx: 1" })).not.toHaveProperty("anthropic-beta");
    expect(sent({ "anthropic-beta": "x".repeat(5_000) })).not.toHaveProperty("anthropic-beta");
  });
});

describe("the version of a messages request", () => {
  it("the version is the caller's, in the neutral spelling first, else the oldest", () => {
    expect(sent({})["anthropic-version"]).toBe("2023-06-01");
    expect(sent({ "anthropic-version": "2026-10-21" })["anthropic-version"]).toBe("2026-10-21");
    const both = { "msgstyle-version": "2026-10-21", "anthropic-version": "2023-06-01" };
    expect(sent(both)["anthropic-version"]).toBe("2026-10-21");
    expect(sent({ "anthropic-version": "x".repeat(300) })["anthropic-version"]).toBe("2023-06-01");
  });
});
