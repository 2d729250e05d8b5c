import type { IncomingMessage, ServerResponse } from "node:http";
import { openSqlite, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Listening, listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { CHAT } from "../../support/text.ts";

interface Asked {
  stream?: boolean;
  /** A fault of the simulator. */
  fault?: string;
}

/** The guard refuses texts with this word. */
const BAD = "Rosalind";
let store: Store;
let h: Stage;
let server: Listening;
const check = async (request: IncomingMessage, response: ServerResponse) => {
  let text = "";
  for await (const piece of request) text += piece;
  const { type, texts } = JSON.parse(text);
  const isBad = type === "guard.reply" && JSON.stringify(texts).includes(BAD);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ decision: isBad ? "refuse" : "allow" }));
};
beforeAll(async () => {
  server = await listen(check);
  store = await openSqlite({ path: ":memory:", records: { replies: "full" } });
  const guard = { id: "names", url: server.origin, secrets: [`whsec_${"A".repeat(32)}`], timeout: 5000 };
  h = await startStage({ store, guards: [{ ...guard, phases: ["reply"], onFailure: "refuse" }] });
});
afterAll(async () => {
  await h.close();
  await store.close();
  await server.close();
});

const ask = (text: string, { stream = true, fault = "", ...init }: RequestInit & Asked = {}) => {
  const content = `[[text:${text}]]${fault}`;
  return h.call(CHAT, { model: "sim-chatstyle", stream, messages: [{ role: "user", content }] }, init);
};
/** The newest record and its reply, once nothing is held any more. */
async function kept() {
  await h.settled();
  // A reply is read behind the end of its answer.
  await new Promise(setImmediate);
  const { results } = await store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
  const { id = "", status } = results[0] ?? {};
  return { status, reply: (await store.generations.get({ id, accountId: "acc" }))?.reply };
}

it.each([false, true])(
  "a reply that a guard refuses is not kept, and one that it allows is: %s",
  async (stream) => {
    await (await ask("All is well.", { stream })).text();
    expect(JSON.stringify((await kept()).reply)).toContain("All is well.");
    await (await ask(`One thing. It was ${BAD} who saw it.`, { stream })).text();
    expect(await kept()).toEqual({ status: "failed", reply: undefined });
  },
);

it("a stream whose caller leaves is not kept, because nobody checks its rest", async () => {
  const gone = new AbortController();
  const said = `One thing. ${"And so on. ".repeat(40)}It was ${BAD} who saw it.`;
  const response = await ask(said, { fault: "[[fault:slow=3]]", signal: gone.signal });
  await response.body?.getReader().read();
  gone.abort();
  expect(await kept()).toEqual({ status: "aborted", reply: undefined });
});

it("a stream that breaks off is not kept", async () => {
  const said = `One thing. ${"And so on ".repeat(40)}It was ${BAD} who saw it.`;
  expect(await (await ask(said, { fault: "[[fault:cut=4000]]" })).text()).toContain("error");
  expect(await kept()).toEqual({ status: "failed", reply: undefined });
});
