import { type JsonObject, parseJson } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import { callers, wires } from "../support/wires/index.ts";
import { send, startClient } from "./stage.ts";

/** The message of an error in any surface's shape. */
const messageOf = async (response: Response): Promise<string> =>
  String(((parseJson(await response.text()) as JsonObject).error as JsonObject).message);

describe("options that no compiler has checked", () => {
  const cases: [what: string, model: string, options: object, words: string][] = [
    [
      "an alias of an alias",
      "best",
      { models: { best: "good", good: "chatstyle/sim-text" } },
      "models.best: 'good'",
    ],
    [
      "an alias of an unknown provider",
      "best",
      { models: { best: "nowhere/a" } },
      "models.best: 'nowhere/a'",
    ],
    [
      "a protocol that is none",
      "mine/a",
      { providers: { mine: { origin: "http://a", speaks: ["openai"] } } },
      "'mine' cannot be called: its protocol openai is not known; those that are: chatstyle, ",
    ],
    [
      "a protocol that is no list",
      "mine/a",
      { providers: { mine: { origin: "http://a", speaks: "chatstyle" } } },
      "provider 'mine': speaks",
    ],
    [
      "an address without a scheme",
      "mine/a",
      { providers: { mine: { origin: "localhost:8000", speaks: ["chatstyle"] } } },
      "provider 'mine': origin: 'localhost:8000'",
    ],
    [
      "an address that is a path",
      "mine/a",
      { providers: { mine: { origin: "/proxy", speaks: ["chatstyle"] } } },
      "provider 'mine': origin: '/proxy'",
    ],
    [
      "a setting of a provider that there is not",
      "mine/a",
      { providers: { mine: { origin: "http://a", speaks: ["chatstyle"], heders: {} } } },
      "providers.mine: heders: there is no such field; known are preset, ",
    ],
    [
      "a price by another unit",
      "best",
      { models: { best: { target: "chatstyle/sim-text", price: { prompt: 3 } } } },
      "models.best: price: 'prompt' is not a unit of prices, which are input, ",
    ],
    [
      "a price that is no number",
      "best",
      { models: { best: { target: "chatstyle/sim-text", price: { input: "three" } } } },
      "models.best: price: price.input",
    ],
  ];
  it.each(cases)("%s is refused by its name, before anything is sent", async (_, model, options, words) => {
    const stage = startClient();
    const fetch = stage.client({ ...options, onUsage() {} });
    const response = await send(fetch, "chatstyle", model, "Hi");
    expect(response.status).toBe(404);
    expect(await messageOf(response)).toContain(words);
    expect(stage.sent).toEqual([]);
  });
});

describe.each(callers)("a client of %s", (caller) => {
  const cases: [what: string, model: string, status: number, names: string, env?: Record<string, string>][] =
    [
      ["an unknown provider", "nowhere/sim-text", 404, "'nowhere'"],
      ["a name that is no alias", "sim-text", 404, "`models`"],
      ["a preset without its key", "openai/gpt-6", 401, "OPENAI_API_KEY"],
      ["a provider without an address", "bare/sim-text", 404, "providers.bare"],
    ];
  it.each(cases)(
    "answers %s by an error of its own shape, and sends nothing",
    async (_, model, status, names) => {
      const stage = startClient();
      const fetch = stage.client({ providers: { bare: { key: "k" } } });
      const response = await send(fetch, caller, model, "Hi");
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await messageOf(response)).toContain(names);
      expect(stage.sent).toEqual([]);
    },
  );

  it.each(["{", "[]", '"text"', "", "null"])(
    "answers the body %j with 400, and sends nothing",
    async (body) => {
      const stage = startClient();
      const response = await send(stage.client(), caller, "chatstyle/sim-text", "Hi", false, { body });
      expect(response.status).toBe(400);
      expect(await messageOf(response)).toMatch(/^(body|model): /);
      expect(stage.sent).toEqual([]);
    },
  );

  it("answers a body that its schema refuses with 400 also where the provider speaks the same protocol", async () => {
    const stage = startClient();
    const body = { ...wires[caller].request, model: `${caller}/sim-text` };
    const name = ["messages", "input", "contents"].find((one) => one in body)!;
    const init = { body: JSON.stringify({ ...body, [name]: 7 }) };
    const response = await send(stage.client(), caller, `${caller}/sim-text`, "Hi", false, init);
    expect(response.status).toBe(400);
    expect(await messageOf(response)).toContain(name);
    expect(stage.sent).toEqual([]);
  });

  it("tries the targets of an alias in their order", async () => {
    const stage = startClient();
    const fetch = stage.client({ models: { best: ["msgstyle/sim-text-missing", "chatstyle/sim-text"] } });
    const response = await send(fetch, caller, "best", "[[text:Here]]");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Here");
    expect(stage.simulator.ledger.entries.map(({ protocol, status }) => [protocol, status])).toEqual([
      ["msgstyle", 404],
      ["chatstyle", 200],
    ]);
  });

  it("rejects with the reason of an aborted request", async () => {
    const stage = startClient();
    const reason = new Error("enough");
    const aborted = send(stage.client(), caller, "chatstyle/sim-text", "Hi", false, {
      signal: AbortSignal.abort(reason),
    });
    await expect(aborted).rejects.toBe(reason);
    expect(stage.sent).toEqual([]);
  });
});

it("answers a path that no protocol has with 404 in the likely shape", async () => {
  const { client, sent } = startClient();
  const response = await client()("https://api.vendor.test/v1/files", { method: "POST", body: "{}" });
  expect(response.status).toBe(404);
  expect(await messageOf(response)).toContain("POST /v1/files: the client does not serve this path");
  expect(sent).toEqual([]);
});
