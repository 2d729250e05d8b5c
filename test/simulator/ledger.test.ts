import fc from "fast-check";
import { expect, test } from "vitest";
import { stage, WEATHER } from "./setup.ts";

const set = stage();

interface Counts {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

type Details = Record<
  `${"prompt" | "completion" | "input" | "output"}_tokens_details`,
  Record<string, number>
>;
type Told = Record<string, number> & Details;

/** Each protocol's request for a case, and its spelling of usage read back into inclusive counts. */
const WIRES: Record<string, { ask(one: Case): [path: string, body: object]; counts(body: never): Counts }> = {
  chatstyle: {
    ask: ({ text, reason, tool }) => [
      "/v1/chat/completions",
      {
        model: "sim-text",
        messages: [{ role: "user", content: text }],
        ...(reason ? { reasoning_effort: "high" } : {}),
        ...(tool
          ? { tools: [{ type: "function", function: { name: "get_weather", parameters: WEATHER } }] }
          : {}),
      },
    ],
    counts: ({ usage: u }: { usage: Told }) => ({
      input: u.prompt_tokens!,
      cacheRead: u.prompt_tokens_details.cached_tokens!,
      cacheWrite: u.prompt_tokens_details.cache_write_tokens!,
      output: u.completion_tokens!,
      reasoning: u.completion_tokens_details.reasoning_tokens!,
    }),
  },
  responses: {
    ask: ({ text, reason, tool }) => [
      "/v1/responses",
      {
        model: "sim-text",
        input: text,
        ...(reason ? { reasoning: { effort: "high" } } : {}),
        ...(tool ? { tools: [{ type: "function", name: "get_weather", parameters: WEATHER }] } : {}),
      },
    ],
    counts: ({ usage: u }: { usage: Told }) => ({
      input: u.input_tokens!,
      cacheRead: u.input_tokens_details.cached_tokens!,
      cacheWrite: u.input_tokens_details.cache_write_tokens!,
      output: u.output_tokens!,
      reasoning: u.output_tokens_details.reasoning_tokens!,
    }),
  },
  msgstyle: {
    ask: ({ text, reason, tool, mark }) => [
      "/v1/messages",
      {
        model: "sim-text",
        max_tokens: 30_000,
        messages: [
          {
            role: "user",
            content: [{ type: "text", text, ...(mark ? { cache_control: { type: "ephemeral" } } : {}) }],
          },
        ],
        ...(reason ? { thinking: { type: "adaptive" } } : {}),
        ...(tool ? { tools: [{ name: "get_weather", input_schema: WEATHER }] } : {}),
      },
    ],
    counts: ({ usage: u }: { usage: Told }) => ({
      input: u.input_tokens! + u.cache_read_input_tokens! + u.cache_creation_input_tokens!,
      cacheRead: u.cache_read_input_tokens!,
      cacheWrite: u.cache_creation_input_tokens!,
      output: u.output_tokens!,
      reasoning: u.output_tokens_details.thinking_tokens!,
    }),
  },
  genstyle: {
    ask: ({ text, reason, tool }) => [
      "/v1beta/models/sim-text:generateContent",
      {
        contents: [{ role: "user", parts: [{ text }] }],
        ...(reason ? { generationConfig: { thinkingConfig: { thinkingBudget: -1 } } } : {}),
        ...(tool
          ? { tools: [{ functionDeclarations: [{ name: "get_weather", parametersJsonSchema: WEATHER }] }] }
          : {}),
      },
    ],
    counts: ({ usageMetadata: u }: { usageMetadata: Record<string, number> }) => ({
      input: u.promptTokenCount!,
      cacheRead: u.cachedContentTokenCount ?? 0,
      cacheWrite: 0,
      output: u.candidatesTokenCount! + (u.thoughtsTokenCount ?? 0),
      reasoning: u.thoughtsTokenCount ?? 0,
    }),
  },
};

interface Case {
  text: string;
  reason: boolean;
  tool: boolean;
  mark: boolean;
}

const cases = fc.record({
  text: fc
    .tuple(
      fc.constantFrom("", "[[cached]] ", "get_weather city: Oslo ", "[[length]] "),
      fc.string({ unit: "binary" }),
    )
    .map(([directive, rest]) => `${directive}hello ${rest.replaceAll("[", "")}`),
  reason: fc.boolean(),
  tool: fc.boolean(),
  mark: fc.boolean(),
});

test.each(Object.entries(WIRES))(
  "%s: usage on the wire adds up to the ledger's totals",
  async (_, { ask, counts }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(cases, { minLength: 1, maxLength: 4 }), async (all) => {
        set.simulator.reset();
        const sum: Counts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
        for (const one of all) {
          const told = counts((await (await set.post(...ask(one))).json()) as never);
          for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += told[key];
        }
        expect(set.simulator.ledger.totals()).toMatchObject({ ...sum, requests: all.length });
      }),
      { numRuns: 20 },
    );
  },
);

test("the same conversation costs the same input in every protocol", async () => {
  const one = { text: "get_weather city: Oslo", reason: false, tool: true, mark: false };
  for (const { ask } of Object.values(WIRES)) await set.post(...ask(one));
  const inputs = set.simulator.ledger.entries.map((entry) => entry.usage.input);
  expect(new Set(inputs).size).toBe(1);
  expect(set.simulator.ledger.entries.map((entry) => entry.calls)).toEqual(
    Array.from({ length: 4 }, () => [{ name: "get_weather", args: '{"city":"Oslo"}' }]),
  );
});

test("long prompts that come again are read from the cache without being marked", async () => {
  const messages = [{ role: "system", content: "s".repeat(8000) }];
  const ask = async (content: string) => {
    const body = { model: "sim-text", messages: [...messages, { role: "user", content }] };
    return (await (await set.post("/v1/chat/completions", body)).json()).usage.prompt_tokens_details;
  };
  expect(await ask("one")).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 });
  expect(await ask("two")).toMatchObject({ cached_tokens: 2000, cache_write_tokens: 0 });
});

test("ledger entries can be queried, and hold what was sent", async () => {
  await set.post(
    "/v1/chat/completions",
    { model: "a", messages: [{ role: "user", content: "hi" }] },
    { "x-mark": "1" },
  );
  await set.post("/v1/embeddings", { model: "b", input: "hello" });
  const [entry] = set.simulator.ledger.query({ protocol: "chatstyle", model: "a" });
  expect(entry).toMatchObject({
    operation: "generate",
    request: { model: "a" },
    headers: { "x-mark": "1" },
    text: "You said: hi",
    delivered: "complete",
    status: 200,
  });
  expect(set.simulator.ledger.query({ operation: "embed" })).toMatchObject([
    { usage: { input: 2, output: 0 } },
  ]);
});

test("a client that leaves a stream half way leaves a cut entry", async () => {
  const body = {
    model: "a",
    messages: [{ role: "user", content: "[[fault:stall=60000]] hello" }],
    stream: true,
  };
  const answer = await set.post("/v1/chat/completions", body);
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
  expect(set.simulator.ledger.last()?.delivered).toBe("cut");
});
