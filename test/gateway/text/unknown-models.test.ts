import { createFetchTransport, defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT, model, PROTOCOLS } from "../../support/text.ts";

/** Families that simulated models stand for, by the protocol of their vendor. */
const families: Record<UpstreamProtocol, readonly string[]> = {
  msgstyle: [
    "claude-3-5-haiku",
    "claude-sonnet-4-5",
    "claude-opus-4-7",
    "claude-fable-5",
    "claude-sonnet-5-5",
  ],
  genstyle: ["gemini-2.0-flash", "gemini-2.5-pro", "gemini-2.5-flash-lite", "gemini-3.1-pro", "gemma-4"],
  responses: ["gpt-5-mini", "gpt-5.1", "gpt-5.6", "o4-mini", "gpt-5-pro", "gpt-6-astra"],
  chatstyle: [
    ...["gpt-4o", "gpt-5-mini", "gpt-5.4", "o4-mini", "command-a", "deepseek-v4", "glm-5.3", "grok-3-mini"],
    ...["grok-4.20", "kimi-k2.6", "minimax-m2", "mistral-large", "gpt-oss"],
  ],
  conversestyle: [],
};
const models = Object.entries(families).flatMap(([protocol, all]) =>
  all.map((family) => ({ family, protocol: protocol as UpstreamProtocol })),
);

const parameters = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
const arguments_ = { a: "x" };
/** A request of each kind of agent, in its own protocol. */
const agents: Record<string, { protocol: UpstreamProtocol; ask(model: string): [path: string, body: Json] }> =
  {
    "an agent on messages": {
      protocol: "msgstyle",
      ask: (name) => [
        "/api/msgstyle/v1/messages",
        {
          model: name,
          max_tokens: 4000,
          system: "Be good.",
          temperature: 0.3,
          stop_sequences: ["END"],
          tools: [{ name: "look", input_schema: parameters }],
          messages: [
            { role: "user", content: "Hi" },
            {
              role: "assistant",
              content: [{ type: "tool_use", id: "toolu_01AbCdEfGhIj", name: "look", input: arguments_ }],
            },
            {
              role: "user",
              content: [
                { type: "tool_result", tool_use_id: "toolu_01AbCdEfGhIj", content: "ok" },
                { type: "text", text: "Go on." },
              ],
            },
          ],
        },
      ],
    },
    "a thinking agent on messages": {
      protocol: "msgstyle",
      ask: (name) => [
        "/api/msgstyle/v1/messages",
        {
          model: name,
          max_tokens: 4000,
          tools: [{ name: "look", input_schema: parameters }],
          thinking: { type: "adaptive" },
          output_config: { effort: "max" },
          messages: [{ role: "user", content: "Hi" }],
        },
      ],
    },
    "an agent on generate content": {
      protocol: "genstyle",
      ask: (name) => [
        `/api/genstyle/v1beta/models/${name}:generateContent`,
        {
          systemInstruction: { parts: [{ text: "Be good." }] },
          contents: [
            { role: "user", parts: [{ text: "Hi" }] },
            { role: "model", parts: [{ functionCall: { name: "look", args: arguments_ } }] },
            { role: "user", parts: [{ functionResponse: { name: "look", response: { output: "ok" } } }] },
          ],
          generationConfig: { temperature: 0, topP: 0.95, topK: 64, thinkingConfig: { thinkingBudget: 0 } },
          tools: [{ functionDeclarations: [{ name: "look", parametersJsonSchema: parameters }] }],
        },
      ],
    },
    "a client of chat completions": {
      protocol: "chatstyle",
      ask: (name) => [
        CHAT,
        {
          model: name,
          ...{
            temperature: 0.2,
            top_p: 0.9,
            presence_penalty: 0.1,
            stop: ["END"],
            reasoning_effort: "minimal",
          },
          messages: [
            { role: "system", content: "Be good." },
            { role: "user", content: "Hi" },
            { role: "assistant", content: "Yes?" },
            { role: "system", content: "Answer in Latin." },
            { role: "user", content: "Go on." },
          ],
        },
      ],
    },
  };

/** A gateway with models whose names are in no list, each of which stands for a family. */
async function startUnknown(learnFromRefusals: boolean): Promise<Stage> {
  const simulator = createSimulator();
  const named = models.map(({ family }, i) => [`unknown-${i}-x`, `sim-as-${family}`] as const);
  const vendor = async (request: Request): Promise<Response> => {
    const spelled = (text: string): string =>
      named.reduce((left, [name, family]) => left.replace(name, family), text);
    const { method, headers } = request;
    return simulator.fetch(
      new Request(spelled(request.url), { method, headers, body: spelled(await request.text()) }),
    );
  };
  return startStage({
    listens: false,
    models: models.map(({ protocol }, i) => model(`unknown-${i}-x`, `of-${protocol}`)),
    providers: new Map(
      PROTOCOLS.map((protocol) => {
        const id = `of-${protocol}`;
        return [id, defineProvider(id, { origin: "http://p.test", speaks: [protocol], key: "k" })];
      }),
    ),
    transport: createFetchTransport({ fetch: vendor as typeof fetch }),
    routing: { learnFromRefusals, circuit: { failures: 10_000 } },
  });
}

const cases = models.flatMap(({ family, protocol }, i) =>
  Object.entries(agents)
    .filter(([, agent]) => agent.protocol !== protocol)
    .map(([who, agent]) => ({ who, family, protocol, request: agent.ask(`unknown-${i}-x`) })),
);

describe("a model that is in no list", () => {
  const stages = {} as Record<"deaf" | "learning", Stage>;
  beforeAll(async () => {
    stages.deaf = await startUnknown(false);
    stages.learning = await startUnknown(true);
  });
  afterAll(async () => {
    await stages.deaf.close();
    await stages.learning.close();
  });

  it("refuses many requests of other protocols if nothing is learnt", async () => {
    let refused = 0;
    for (const { request } of cases) {
      const { status } = await stages.deaf.call(...request);
      expect([200, 400, 422]).toContain(status);
      if (status !== 200) refused += 1;
    }
    expect(refused).toBeGreaterThan(cases.length / 3);
  });

  // A request may break more rules than there are calls for it; then its sender's next try is right.
  it.each(cases)("is understood within two requests: $who, $family on $protocol", async ({ request }) => {
    const { call } = stages.learning;
    const first = await call(...request);
    const response = first.status === 200 ? first : await call(...request);
    expect({ status: response.status, error: response.status === 200 ? "" : await response.text() }).toEqual({
      status: 200,
      error: "",
    });
    const third = await call(...request);
    expect(third.headers.get("x-attempts")).toMatch(/^\w+;status=200;ms=\d+$/);
  });

  it("is described in the losses, in the provider's words", async () => {
    const i = models.findIndex(({ family }) => family === "claude-opus-4-7");
    const [path, body] = agents["an agent on generate content"]?.ask(`unknown-${i}-x`) ?? ["", {}];
    const { call, store } = stages.learning;
    await call(path, body);
    const response = await call(path, body);
    const id = response.headers.get("x-generation-id") ?? "";
    const { route } = (await store.generations.get({ id, accountId: "acc" })) ?? {};
    expect((route as Json).losses).toContainEqual(
      expect.objectContaining({
        path: "/generationConfig/temperature",
        detail: expect.stringContaining(
          "refused by the provider: `temperature` is deprecated for this model",
        ),
      }),
    );
  });
});
