import { expect, it } from "vitest";
import { cellsOf, scripted } from "./scripted.ts";

const set = scripted();

const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
/** Marks of every wire stand in it, so that nobody passes it by unread. */
const marks = `"error":null,"usage":{"input_tokens":1,"finish_reason":"stop","stop_reason":"end_turn","finishReason":"STOP"}`;
const call = `{"type":"tool_use","id":"t","name":"f","args":{"a":${nested}},"input":{"a":${nested}}}`;
const texts = [
  `{"choices":[],"usage":${nested},${marks}}`,
  `{"type":"content_block_start","index":0,"content_block":${call},${marks}}`,
  `{"candidates":[{"content":{"parts":[{"functionCall":${call}}]},"finishReason":"STOP"}],${marks}}`,
];

it.each(cellsOf())(
  "an answer of $protocol that is nested too deep shows $name no stack trace",
  async ({ name, protocol }) => {
    for (const text of texts)
      for (const [stream, type, sent] of [
        [false, "application/json", text],
        [true, "text/event-stream", `data: ${text}\n\n`],
      ] as const) {
        set.tell({ type, text: sent });
        const response = await set.ask(name, protocol, stream);
        expect(response.status).not.toBe(500);
        expect(await response.text()).not.toMatch(/call stack|Internal/i);
      }
    await set.h.settled();
    expect(await set.h.balance()).toMatchObject({ held: 0 });
  },
);
