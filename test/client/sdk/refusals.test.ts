import { describe, expect, it } from "vitest";
import { drivers } from "./drivers/index.ts";
import { failureOf, world } from "./world.ts";

/** What a model's name gets wrong: the status of the SDK's error, and what its sentence names. */
const names: [what: string, model: string, status: number, names: string][] = [
  ["a provider that there is not", "nowhere/sim-text", 404, "nowhere"],
  ["a model without a provider that is no alias", "sim-text", 404, "models"],
  ["a preset whose key is missing", "groq/llama-4", 401, "GROQ_API_KEY"],
];

describe.each(drivers)("$name", (driver) => {
  describe.each([false, true])("streamed: %s", (stream) => {
    it.each(names)(
      "%s is an error of the SDK's class, and nothing is sent",
      async (_, model, status, named) => {
        const { send, options, simulator } = world();
        const thrown = driver.thrown(
          await failureOf(driver.open({ send, options, model, stream }).say("Hi")),
        );
        expect(thrown).toMatchObject({ kind: expect.any(String), status });
        expect(thrown.message).toContain(named);
        expect(simulator.ledger.entries).toEqual([]);
      },
    );
  });
});

describe.each(drivers.filter(({ wire }) => wire !== "none"))("$name", (driver) => {
  it("an error of the client itself is an answer, and never a connection error", async () => {
    const { send, options } = world();
    const answers: Response[] = [];
    const watched: typeof send = async (input, init) => {
      const answer = await send(input, init);
      answers.push(answer.clone());
      return answer;
    };
    await failureOf(driver.open({ send: watched, options, model: "nowhere/a", stream: false }).say("Hi"));
    expect(answers).toHaveLength(1);
    const [answer] = answers;
    expect(answer?.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer?.headers.get("x-request-id")).toBeTruthy();
    expect(answer?.headers.get("request-id")).toBe(answer?.headers.get("x-request-id"));
  });
});
