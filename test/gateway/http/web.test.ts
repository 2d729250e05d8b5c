import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { webExchange } from "../../../packages/gateway/src/http/web.ts";

function streaming() {
  const leaver = new AbortController();
  const exchange = webExchange(new Request("http://gateway.test/x", { signal: leaver.signal }), 1_000);
  exchange.sink.head(200, {});
  return { leaver, exchange };
}

it("a reader of its own request's answer that leaves gets the reason that it gave", async () => {
  const { leaver, exchange } = streaming();
  const reader = (await exchange.response).body?.getReader();
  const read = reader?.read();
  leaver.abort();
  await expect(read).rejects.toMatchObject({ name: "AbortError" });
  expect(exchange.sink.closed).toBe(true);
});

it("a host that cancels the body of a client that left meets no error", async () => {
  const { leaver, exchange } = streaming();
  const reader = (await exchange.response).body?.getReader();
  leaver.signal.addEventListener("abort", () => void reader?.cancel());
  leaver.abort();
  await expect(reader?.closed).resolves.toBeUndefined();
  await turn();
});

it.each([
  ["read", (request: Request) => request.text()],
  ["being read", async (request: Request) => void request.body?.getReader()],
])("a body that is %s already is refused, with what is to be done", async (_, before) => {
  const request = new Request("http://gateway.test/x", { method: "POST", body: "{}" });
  await before(request);
  await expect(webExchange(request, 1_000).body(1_000)).rejects.toMatchObject({ code: "body_consumed" });
});
