import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { relayLimits } from "../../../packages/gateway/src/http/vendor-limits.ts";
import { callers, wires } from "../../support/wires/index.ts";
import type { UpstreamWire } from "../../support/wires/wire.ts";
import { scripted } from "../text/scripted.ts";

const set = scripted();
const limits = {
  "anthropic-ratelimit-requests-remaining": "0",
  "anthropic-ratelimit-unified-status": "rejected",
  "anthropic-ratelimit-unified-5h-reset": "1785456000",
  "x-ratelimit-limit-requests": "60",
  "x-ratelimit-reset-tokens": "6m0s",
  "x-should-retry": "false",
};
const kept = {
  "anthropic-organization-id": "org",
  "openai-organization": "org",
  "openai-project": "project",
  "x-ratelimit-organization": "org",
  "set-cookie": "a=1",
  "request-id": "vendor",
};
const names = [...Object.keys(limits), ...Object.keys(kept)].filter((name) => name !== "request-id");
const relayed = ({ headers }: Response) =>
  Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])));

const replies = (protocol: UpstreamProtocol) => {
  const { reply, report, error } = wires[protocol] as UpstreamWire;
  const chunks = report
    .chunks()
    .map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}`);
  return [
    { stream: false, answer: { text: JSON.stringify(reply) } },
    { stream: true, answer: { type: "text/event-stream", text: `${chunks.join("\n\n")}\n\n` } },
    { stream: true, answer: { status: 429, text: JSON.stringify(error("Slower.", {})) } },
    { stream: false, answer: { status: 429, text: JSON.stringify(error("Slower.", {})) } },
  ];
};

describe.each(callers)("a provider's headers about its limits, on %s", (protocol) => {
  it.each(replies(protocol))(
    "they pass to a caller of the same protocol, and no others: %o",
    async ({ stream, answer }) => {
      set.tell({ ...answer, headers: { ...limits, ...kept } });
      const response = await set.ask(protocol, protocol, stream);
      expect(response.status, await response.text()).toBe(answer.status ?? 200);
      expect(relayed(response)).toEqual(limits);
      expect(response.headers.get("request-id")).not.toBe("vendor");
    },
  );

  it("they do not pass to a caller of another protocol", async () => {
    for (const { stream, answer } of replies(protocol)) {
      set.tell({ ...answer, headers: limits });
      const response = await set.ask(protocol === "chatstyle" ? "msgstyle" : "chatstyle", protocol, stream);
      await response.text();
      expect(relayed(response)).toEqual({});
    }
  });
});

it("a header that HTTP does not allow is left out, and the answer is whole", async () => {
  const long = "x".repeat(300);
  set.tell({
    text: JSON.stringify((wires.chatstyle as UpstreamWire).reply),
    headers: { "x-ratelimit-limit-requests": "größer", "x-ratelimit-limit-tokens": long },
  });
  const response = await set.ask("chatstyle", "chatstyle", false);
  expect([response.status, relayed(response)]).toEqual([200, {}]);
});

it("a limit of the caller's key comes before the vendor's of the same name", () => {
  const headers = {};
  const stamp = { "x-ratelimit-limit-requests": "5" };
  const received = { "x-ratelimit-limit-requests": "60", "x-ratelimit-limit-tokens": "1000" };
  relayLimits(headers, received, { stamp });
  expect(headers).toEqual({ "x-ratelimit-limit-tokens": "1000" });
});
