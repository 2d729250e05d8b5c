import { afterEach, expect, it } from "vitest";
import { CHAT, price } from "../../support/text.ts";
import { type Desk, say, startDesk } from "./desk.ts";

let desk: Desk;
afterEach(async () => {
  expect(await desk.store.money.audit()).toEqual([]);
  await desk.close();
});

/** Takes no temperature. */
const narrow = { strictParams: true, text: { supportedParameters: ["maxTokens"] } };
const dear = { input: 900_000_000, output: 900_000_000 };

const start = () =>
  startDesk(
    { a: {}, b: {}, c: {}, d: {} },
    {
      routing: { attempts: 3 },
      entries: { b: { capabilities: narrow }, c: { capabilities: narrow }, d: { price: dear } },
    },
  );

it("an entry beyond those that the credit covers is not called where those between refuse", async () => {
  desk = await start();
  desk.parties.a!.script("[[fault:status=503]]");
  const response = await desk.call(CHAT, say("hi", { temperature: 0.5 }));
  expect(response.status).toBe(503);
  expect(desk.calls()).toEqual({ a: 1, b: 0, c: 0, d: 0 });
  expect(response.headers.get("x-cost")).toBe("0.000000");
});

it("entries that refuse before the first that takes the request do not count toward the hold", async () => {
  desk = await startDesk(
    { a: {}, b: {}, c: {}, d: {} },
    {
      routing: { attempts: 2 },
      entries: { a: { capabilities: narrow }, b: { capabilities: narrow }, c: { price } },
    },
  );
  desk.parties.c!.script("[[fault:status=503]]");
  expect((await desk.call(CHAT, say("hi", { temperature: 0.5 }))).status).toBe(200);
  expect(desk.calls()).toEqual({ a: 0, b: 0, c: 1, d: 1 });
});
