import { createFetch } from "@manifold-gateway/client/bare";
import { caller as chatstyle } from "@manifold-gateway/core/chatstyle/caller";
import { textCheck } from "@manifold-gateway/core/check";
import { dialect } from "@manifold-gateway/core/dialect";
import { provider as msgstyle } from "@manifold-gateway/core/msgstyle/provider";
import { describe, expect, it } from "vitest";
import { ORIGIN, send, startClient } from "./stage.ts";

const providers = {
  mine: { origin: ORIGIN, speaks: ["msgstyle"], key: "provider-key" },
  other: { origin: ORIGIN, speaks: ["genstyle"], key: "provider-key" },
} as const;
const parts = { callers: [chatstyle], upstreams: [msgstyle], providers } as const;

describe("a client of single parts", () => {
  it("translates between the halves that it is given", async () => {
    const { options, simulator } = startClient();
    const fetch = createFetch({ ...parts, fetch: options.fetch! });
    const response = await send(fetch, "chatstyle", "mine/sim-text", "[[text:Here]]");
    expect(await response.text()).toContain("Here");
    expect(simulator.ledger.last()?.protocol).toBe("msgstyle");
  });

  it("translates schemas of tools with the dialect that it is given, and names the option without one", async () => {
    const { options, sent } = startClient();
    const fetch = createFetch({ ...parts, dialect, fetch: options.fetch! });
    const without = createFetch({ ...parts, fetch: options.fetch! });
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const body = JSON.stringify({
      model: "mine/sim-text",
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ type: "function", function: { name: "rain", parameters: schema } }],
    });
    const refused = await send(without, "chatstyle", "mine/sim-text", "Hi", false, { body });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("`dialect`")]);
    expect(sent).toEqual([]);
    const response = await send(fetch, "chatstyle", "mine/sim-text", "Hi", false, { body });
    expect(response.status).toBe(200);
    expect(await sent[0]?.json()).toMatchObject({ tools: [{ name: "rain", input_schema: schema }] });
  });

  it("names the option that lacks the protocol of a provider or of an SDK", async () => {
    const { options, sent } = startClient();
    const fetch = createFetch({ ...parts, fetch: options.fetch! });
    const unknown = await send(fetch, "chatstyle", "other/sim-text", "Hi");
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("`upstreams`")]);
    const foreign = await send(fetch, "genstyle", "mine/sim-text", "Hi");
    expect([foreign.status, await foreign.text()]).toEqual([404, expect.stringContaining("`callers`")]);
    const preset = await send(fetch, "chatstyle", "openai/gpt-6", "Hi");
    expect([preset.status, await preset.text()]).toEqual([404, expect.stringContaining("'openai'")]);
    expect(sent).toEqual([]);
  });

  it("checks capabilities with the check that it is given, and cannot be made with capabilities and none", async () => {
    const { options, sent } = startClient();
    const capabilities = { text: { params: { temperature: { type: "range", min: 0, max: 1 } } } } as const;
    const models = { best: { target: "mine/sim-text", capabilities } } as const;
    expect(() => createFetch({ ...parts, models })).toThrow("`check`");
    const fetch = createFetch({ ...parts, models, check: textCheck, fetch: options.fetch! });
    const body = JSON.stringify({
      model: "best",
      temperature: 2,
      messages: [{ role: "user", content: "Hi" }],
    });
    const response = await send(fetch, "chatstyle", "best", "Hi", false, { body });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("temperature")]);
    expect(sent).toEqual([]);
  });
});
