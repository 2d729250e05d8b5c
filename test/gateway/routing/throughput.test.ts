import { createTransport, type Transport } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHAT, price } from "../../support/text.ts";
import { type Desk, say, startDesk } from "./desk.ts";

const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");

/** Connections that tell whose answer begins to be read, after its head. */
function telling(tell: (authorization: string) => void): Transport {
  const transport = createTransport();
  return {
    ...transport,
    async send(request) {
      const response = await transport.send(request);
      const { body } = response;
      const take = body.take.bind(body);
      const bytes = body.bytes.bind(body);
      let begun = false;
      const begin = (): void => {
        if (!begun) tell(request.headers.authorization ?? "");
        begun = true;
      };
      body.take = () => {
        begin();
        return take();
      };
      body.bytes = (limit) => {
        begin();
        return bytes(limit);
      };
      return response;
    },
  };
}

describe.each([false, true])("sorting by throughput, streamed: %s", (stream) => {
  const took: Record<string, number> = {};
  let at = Date.now();
  let desk: Desk;
  beforeAll(async () => {
    const transport = telling((authorization) => {
      at += took[authorization.replace("Bearer key-of-", "")] ?? 0;
    });
    // Whatever else counts speaks for `a`.
    const dear = { input: price.input * 2, output: price.output * 2 };
    desk = await startDesk(
      { a: {}, b: {} },
      { transport, steady: () => at, entries: { b: { price: dear } } },
    );
  });
  afterAll(() => desk.close());

  /** How many words a party's answers have from now on, and how many milliseconds go by from their head to their end. */
  function pace(id: string, count: number, ms: number): void {
    took[id] = ms;
    desk.parties[id]?.reset();
    desk.parties[id]?.script(`[[text:${words(count)}]]`, { times: 100 });
  }

  /** The provider that served. */
  async function served(provider: object): Promise<unknown> {
    const response = await desk.call(CHAT, say("hi", { stream, provider }));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    await desk.settled();
    const { route } = await desk.record(response.headers.get("x-generation-id"));
    return (route as { provider: string }).provider;
  }

  const sorted = () => served({ sort: "throughput" });

  it("the entry with the most tokens per second goes first, for as long as it has them", async () => {
    pace("a", 10, 1_000);
    pace("b", 200, 4_000);
    // Nothing is known yet; then something of one only.
    expect(await sorted()).toBe("a");
    expect(await sorted()).toBe("a");
    expect(await served({ only: ["b"] })).toBe("b");
    for (let n = 0; n < 3; n++) expect(await sorted()).toBe("b");
    expect(await served({})).toBe("a");
    expect(await served({ sort: "price" })).toBe("a");

    // As many milliseconds as before, and yet slower.
    pace("b", 1, 4_000);
    const after: unknown[] = [];
    while (after.at(-1) !== "a" && after.length < 20) after.push(await sorted());
    // An average forgets little by little.
    expect(after.length).toBeGreaterThan(1);
    expect(after.at(-1)).toBe("a");
    expect(await sorted()).toBe("a");
  });
});
