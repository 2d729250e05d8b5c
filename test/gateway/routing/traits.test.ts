import { defineProvider } from "@manifold-gateway/providers";
import { afterEach, describe, expect, it } from "vitest";
import { CHAT } from "../../support/text.ts";
import { type Desk, say, startDesk } from "./desk.ts";

let desk: Desk;
afterEach(() => desk.close());

const MESSAGES = "/api/msgstyle/v1/messages";
const headers = { "x-explain": "true" };
const ask = (more: object = {}): object => ({ ...say("hi"), max_tokens: 100, ...more });

/** A gateway whose one model has this name at its provider, which speaks both wires of its vendor. */
async function serving(name: string, more: object = {}): Promise<void> {
  const speaks = defineProvider("a", {
    origin: "http://127.0.0.1:9",
    speaks: ["chatstyle", "responses"],
  }).speaks;
  desk = await startDesk({ a: { down: true, more: { speaks, ...more } } }, { entries: { a: { name } } });
}

const explain = async (path: string, body: object) => (await desk.call(path, body, { headers })).json();

describe("the traits of a known model", () => {
  const tools = [{ name: "run", description: "d", input_schema: { type: "object", properties: { a: {} } } }];
  const chatTools = [{ type: "function", function: { name: "run", parameters: { type: "object" } } }];

  it.each([
    ["gpt-5.6", MESSAGES, ask({ tools }), "responses"],
    ["gpt-5.6", MESSAGES, ask(), "chatstyle"],
    ["gpt-5.1", MESSAGES, ask({ tools }), "chatstyle"],
    ["gpt-6-astra", CHAT, say("hi", { tools: chatTools }), "responses"],
    ["gpt-6-astra", CHAT, say("hi"), "chatstyle"],
    ["gpt-5.1-codex", CHAT, say("hi"), "responses"],
    // The caller's own wire passes through, and the vendor judges it.
    ["gpt-5.6", CHAT, say("hi", { tools: chatTools }), "chatstyle"],
  ])("choose a wire that takes the request: %s at %s", async (name, path, body, protocol) => {
    await serving(name);
    const { route } = await explain(path, body);
    expect(route.candidates[0]).toMatchObject({ name, protocol });
  });

  it("are explained with the row that decided, its source, and the origin of each", async () => {
    await serving("openai/gpt-5-mini-2025-08-07", { traits: { efforts: ["high"], refuses: ["seed"] } });
    const { route } = await explain(MESSAGES, ask({ temperature: 0.2 }));
    const [{ families, traits }] = route.candidates;
    expect(families).toContainEqual({
      row: "gpt-5",
      at: expect.any(String),
      read: expect.stringMatching(/^\d{4}-\d\d$/),
    });
    expect(traits).toContainEqual({ trait: "sampling", value: "usual", from: "family" });
    expect(traits).toContainEqual({ trait: "efforts", value: ["high"], from: "provider" });
    const { value } = traits.find(({ trait }: { trait: string }) => trait === "refuses");
    expect(value).toEqual(expect.arrayContaining(["stop", "seed"]));
  });

  it("are replaced by those of the entry, also refused parameters", async () => {
    desk = await startDesk(
      { a: { down: true, more: { traits: { refuses: ["seed"] } } } },
      { entries: { a: { name: "gpt-5", traits: { refuses: [], maxOutput: 10 } } } },
    );
    const { route, losses } = await explain(MESSAGES, ask({ stop_sequences: ["END"] }));
    expect(losses.map(({ path }: { path: string }) => path)).toEqual(["/max_tokens"]);
    expect(route.candidates[0].traits).toContainEqual({ trait: "refuses", value: [], from: "entry" });
  });

  it("are not shown to callers, because they tell the provider's model", async () => {
    await serving("gpt-5");
    const response = await desk.call(CHAT, say("hi"), { headers: { ...headers, "x-admin-key": "" } });
    expect((await response.json()).route.candidates).toEqual([
      { entry: expect.any(String), protocol: "chatstyle" },
    ]);
  });
});
