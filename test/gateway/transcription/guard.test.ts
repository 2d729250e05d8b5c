import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { listen } from "../../support/listen.ts";
import type { Stage } from "../../support/stage.ts";
import { form, NATIVE, send, speech, startTranscription } from "./stage.ts";

let decision: Json;
let received: Json[] = [];
let h: Stage;
const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) text += piece;
  received.push(JSON.parse(text).texts);
  response.setHeader("content-type", "application/json").end(JSON.stringify(decision));
});
beforeAll(async () => {
  const { origin } = await listen(server);
  const guard = { id: "words", url: origin, secrets: [`whsec_${"A".repeat(32)}`], timeout: 5000 };
  h = await startTranscription({ guards: [{ ...guard, phases: ["request"], onFailure: "refuse" }] });
});
afterAll(async () => {
  await h.close();
  server.closeAllConnections();
  server.close();
});

const sent = () => h.simulator.ledger.entries.length;

it("a guard is sent the words of a request with a recording, and nothing of the recording itself", async () => {
  decision = { decision: "allow" };
  received = [];
  await send(h, form({ model: "seconds", prompt: "About boats." }, { name: "ada.wav" }));
  const content = [{ type: "audioBase64", data: speech().toString("base64") }];
  await h.json(NATIVE, { model: "seconds", content, prompt: "About boats." });
  const prompt = { place: "/prompt", text: "About boats." };
  expect(received[0]).toEqual([prompt, { place: "/file/name", text: "ada.wav" }]);
  expect(received[1]).toEqual([prompt]);
});

it("a form with a text that a guard refuses or changes reaches no provider", async () => {
  const before = sent();
  for (const one of [
    { decision: "refuse" },
    { decision: "mask", texts: [{ place: "/prompt", text: "About." }] },
  ]) {
    decision = one;
    const response = await send(h, form({ model: "seconds", prompt: "About boats." }));
    expect([response.status, (await response.json()).code]).toEqual([403, "guard_refused"]);
  }
  expect(sent()).toBe(before);
});
