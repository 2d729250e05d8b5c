import { defineProvider, platformEdits, upstreamHeaders } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";

const origin = "http://127.0.0.1:1";
const sent = (
  client: Record<string, string>,
  headers?: Record<string, string>,
  platform?: "vertex" | "bedrock",
) => {
  const provider = defineProvider("p", { origin, speaks: ["msgstyle"], key: "secret", headers, platform });
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

describe("the flags of a messages request on a platform", () => {
  const client = {
    "anthropic-beta":
      "claude-code-20250219,prompt-caching-scope-2026-01-05,context-management-2025-06-27, advanced-tool-use-2025-11-20,tool-search-tool-2025-10-19",
  };

  it("those that it refuses are left out, and the others in its own spelling", () => {
    const taken = "context-management-2025-06-27,tool-search-tool-2025-10-19";
    expect(sent(client, undefined, "vertex")["anthropic-beta"]).toBe(taken);
    const always = { "anthropic-beta": "always" };
    expect(sent(client, always, "vertex")["anthropic-beta"]).toBe(`always,${taken}`);
  });

  it("no header is sent where none is left, or where they go into the body", () => {
    const refused = { "anthropic-beta": "oauth-2025-04-20" };
    expect(sent(refused, undefined, "vertex")).not.toHaveProperty("anthropic-beta");
    expect(sent(client, undefined, "bedrock")).not.toHaveProperty("anthropic-beta");
  });

  it("the members of a body have what goes there", () => {
    const options = { origin, speaks: ["msgstyle" as const], key: "secret", platform: "bedrock" as const };
    const { platform } = defineProvider("p", options).speaks.msgstyle!;
    expect(platformEdits(platform!, ["oauth-2025-04-20"])).not.toHaveProperty("anthropic_beta");
    expect(platformEdits(platform!, ["context-1m-2025-08-07"])).toMatchObject({
      anthropic_beta: ["context-1m-2025-08-07"],
    });
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
