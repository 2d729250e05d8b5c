import { describe, expect, it } from "vitest";
import { cellsOf, scripted } from "../text/scripted.ts";

const set = scripted();
const text = JSON.stringify({ error: { message: "Slower.", type: "rate_limit_error" } });
const DAY = "86400";

describe.each(cellsOf())("a provider's pause, on $name from $protocol", ({ name, protocol }) => {
  it.each([
    ["99999999999999999999", DAY],
    ["86401", DAY],
    ["Fri, 31 Dec 9999 23:59:59 GMT", DAY],
    ["86400", DAY],
    ["0.02", "0.02"],
    ["Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00 GMT"],
    ["1e400", null],
    ["soon", null],
  ])("is a day at most: %s", async (sent, relayed) => {
    set.tell({ status: 429, text, headers: { "retry-after": sent } });
    const response = await set.ask(name, protocol, false);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, relayed]);
  });
});

it("a pause in an error's body is a day at most, too", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "99999999999s" }];
  const error = { code: 429, message: "Slower.", status: "RESOURCE_EXHAUSTED", details };
  set.tell({ status: 429, text: JSON.stringify({ error }) });
  const response = await set.ask("chatstyle", "genstyle", false);
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, DAY]);
});
