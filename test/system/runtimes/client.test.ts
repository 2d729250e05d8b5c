import { createSimulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimes } from "./client-runtimes.ts";
import { answersOf } from "./programs/client.ts";

const simulator = createSimulator();
let upstream: string;
beforeAll(async () => {
  upstream = (await simulator.listen()).origin;
});
afterAll(() => simulator.close());

describe("the program of the client", () => {
  it("the client answers an SDK and plain requests, whole, streamed and translated", async () => {
    const words = "You said: Hello, wörld 🌍";
    expect(await answersOf(upstream)).toMatchObject({
      whole: words,
      streamed: words,
      forwarded: `"content":"${words}"`,
      generated: expect.arrayContaining([", wörld 🌍"]),
      finish: "stop",
      called: [{ name: "get_weather", arguments: '{"city":"Zürich"}' }],
      unknown: ["NotFoundError", 404],
      busy: ["RateLimitError", 429],
      cut: true,
      aborted: ["APIUserAbortError", undefined],
      lost: expect.arrayContaining(["/seed"]),
      used: { input: expect.any(Number), output: expect.any(Number) },
    });
  });

  it.for(runtimes)("the client in $name gives what it gives here", async ({ missing, run }, { skip }) => {
    if (missing !== undefined) skip(missing);
    const here = JSON.parse(JSON.stringify(await answersOf(upstream)));
    expect(await run(upstream)).toEqual(here);
  });
});
