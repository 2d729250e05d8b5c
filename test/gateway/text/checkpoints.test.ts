import type { Billing } from "@manifold-gateway/gateway";
import { defineProvider, type Transport, UpstreamBody, UpstreamFault } from "@manifold-gateway/providers";
import { expect, it } from "vitest";
import { startStage } from "../../support/stage.ts";
import { model, price } from "../../support/text.ts";

const dear = { input: 5_000_000, output: 7_000_000 };
const event = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
const said = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });
const STREAM = [
  said("one "),
  said("two "),
  said("three"),
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }),
  "data: [DONE]\n\n",
];

it.each([
  { down: false, noted: undefined },
  { down: true, noted: dear },
])(
  "a long stream is checkpointed with the price of the entry that serves it, the first one down: $down",
  async ({ down, noted }) => {
    let clock = 1_700_000_000_000;
    const notes: unknown[] = [];
    const billing: Billing = {
      hold: async () => ({
        checkpoint: async (usage, served) => void notes.push([usage.estimated, served]),
        settle: async () => 1,
      }),
    };
    const transport: Transport = {
      async send({ origin }) {
        if (down && origin === "http://first") throw new UpstreamFault("connect");
        const pieces = STREAM.map((text) => Buffer.from(text));
        const body = Object.assign(new UpstreamBody(), {
          arrival: () => undefined,
          take() {
            clock += 600;
            return pieces.shift();
          },
        });
        return { status: 200, headers: { "content-type": "text/event-stream" }, body };
      },
      close: async () => {},
    };
    const entry = (provider: string, priority: number, of: typeof price) => ({
      provider,
      name: "m",
      priority,
      isActive: true,
      price: of,
    });
    const harness = await startStage({
      billing,
      transport,
      steady: () => clock,
      routing: { maxRetryAfterWait: 0 },
      models: [model("two", "first", { entries: [entry("first", 1, price), entry("second", 2, dear)] })],
      providers: new Map(
        ["first", "second"].map((id) => [
          id,
          defineProvider(id, { origin: `http://${id}`, speaks: ["chatstyle"] }),
        ]),
      ),
    });
    const response = await harness.call("/api/chatstyle/v1/chat/completions", {
      model: "two",
      stream: true,
      messages: [{ role: "user", content: "Count." }],
    });
    expect(await response.text()).toContain("three");
    // A second lies between two notes.
    expect(notes).toEqual([
      [true, noted],
      [true, noted],
      [undefined, noted],
    ]);
    await harness.close();
  },
);
