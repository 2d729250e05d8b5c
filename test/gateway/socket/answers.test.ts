import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";
import { CALL, WEATHER } from "../../system/sdk/shared.ts";
import { create, PATH, type Said, type SocketStage, stage, textOf } from "./stage.ts";

let s: SocketStage;
beforeAll(async () => {
  s = await stage();
});
afterAll(() => s.close());
beforeEach(() => s.h.simulator.reset());

/** The events of the same request as server-sent events. */
async function streamed(model: string, input: string): Promise<Said[]> {
  const response = await s.h.call(PATH, { model, input, stream: true });
  const text = await response.text();
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));
}

const kinds = (events: readonly Said[]): unknown[] => events.map(({ type, delta }) => [type, delta]);

describe.each(PROTOCOLS.map((protocol) => ({ protocol, model: modelOf(protocol) })))(
  "a model of $protocol over a WebSocket",
  ({ model }) => {
    it("a socket carries the same events as SSE, charged and logged alike", async () => {
      s.lines.splice(0);
      const line = await s.open();
      const events = await line.answer(create(model, "Say hello."));
      expect(kinds(events)).toEqual(kinds(await streamed(model, "Say hello.")));
      await s.h.settled();
      const { results } = await s.h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 2 });
      expect(results[1]).toMatchObject({ status: "succeeded", model, cost: results[0]?.cost });
      expect(results[1]?.cost).toBeGreaterThan(0);
      expect(events[0]?.headers).toMatchObject({ "x-generation-id": results[1]?.id });
      const opening = s.lines.find(({ status }) => status === 101);
      expect(s.lines).toContainEqual(
        expect.objectContaining({
          ...{ method: "POST", route: PATH, status: 200, model },
          ...{ generation: results[1]?.id, socket: opening?.request },
        }),
      );
      line.socket.close();
    });

    it("a socket continues the last response by its id, with tools", async () => {
      const line = await s.open();
      const tools = [{ type: "function", name: WEATHER.name, parameters: WEATHER.parameters }];
      const first = await line.answer(create(model, `The word is kiwi. ${CALL}`, { tools, store: false }));
      const done = first.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
      const call = done.find(({ type }) => type === "function_call");
      expect(call).toMatchObject({ name: "get_weather" });
      const second = await line.answer(
        create(model, [{ type: "function_call_output", call_id: call.call_id, output: "sunny" }], {
          ...{ tools, store: false },
          previous_response_id: first.at(-1)?.response.id,
        }),
      );
      expect(second.at(-1)?.type).toBe("response.completed");
      const sent = JSON.stringify(s.h.simulator.ledger.last()?.request);
      expect(sent).toContain("The word is kiwi.");
      expect(sent).toContain("sunny");
      expect(sent).not.toContain("previous_response_id");
      line.socket.close();
    });
  },
);

it("a socket serves one response after another to the official SDK's helper", async () => {
  const client = new OpenAI({ apiKey: KEY, baseURL: `${s.origin}/api/chatstyle/v1`, maxRetries: 0 });
  const socket = new ResponsesWS(client);
  const texts: string[] = [];
  const ids: string[] = [];
  const over = new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("response.completed", ({ response }) => {
      ids.push(response.id);
      texts.push(JSON.stringify(response.output));
      if (texts.length === 2) return resolve();
      socket.send({
        type: "response.create",
        ...{ model: "sim-msgstyle", input: "And now?", previous_response_id: response.id },
      });
    });
  });
  socket.send({ type: "response.create", model: "sim-msgstyle", input: "Remember plum." });
  await over;
  expect(new Set(ids).size).toBe(2);
  expect(JSON.stringify(s.h.simulator.ledger.last()?.request)).toContain("Remember plum.");
  socket.close();
});

it("a warm-up on a socket calls no provider, and its content goes before the next input", async () => {
  const line = await s.open();
  const warm = await line.answer(create("sim-chatstyle", [], { generate: false, instructions: "Be brief." }));
  expect(warm.map(({ type }) => type)).toContain("response.created");
  expect(warm.at(-1)).toMatchObject({ type: "response.completed", response: { output: [] } });
  expect(s.h.simulator.ledger.entries).toEqual([]);
  const events = await line.answer(
    create("sim-chatstyle", "Say hello.", { previous_response_id: warm.at(-1)?.response.id, store: false }),
  );
  expect(textOf(events)).not.toBe("");
  line.socket.close();
});

it("losses are reported with the first event on a socket", async () => {
  const line = await s.open();
  const events = await line.answer(create("sim-msgstyle", "Say hello.", { metadata: { a: "b" }, seed: 7 }));
  expect(events[0]?.headers["x-losses"]).toContain("seed");
  line.socket.close();
});

it("a socket does not know responses of other connections without a store", async () => {
  const before = await s.open();
  const first = await before.answer(create("sim-msgstyle", "Say hello.", { store: false }));
  before.socket.close();
  const line = await s.open();
  const previous_response_id = first.at(-1)?.response.id;
  const [refused] = await line.answer(create("sim-msgstyle", "And?", { previous_response_id, store: false }));
  expect(refused).toMatchObject({
    type: "error",
    status: 400,
    error: { code: "previous_response_not_found", param: "previous_response_id" },
  });
  line.socket.close();
});
