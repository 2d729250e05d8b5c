import { afterEach, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";

let h: Stage;
afterEach(() => h.close());

const explain = async (model: string) => {
  const body = { model, input: "Say hello.", reasoning: { effort: "high" }, store: true };
  const headers = { "x-explain": "true" };
  const response = await h.call("/api/chatstyle/v1/responses", body, { headers });
  return response.json();
};
const losses = ({ losses }: { losses: { path: string }[] }) => losses.map(({ path }) => path);

it("reasoning of the responses surface is left out for other protocols by default", async () => {
  h = await startStage();
  expect(losses(await explain("sim-chatstyle"))).toEqual(expect.arrayContaining(["/reasoning", "/store"]));
});

it.each(["sim-chatstyle", "sim-msgstyle", "sim-genstyle"])(
  "reasoning of the responses surface is translated where the operator turns it on: %s",
  async (model) => {
    h = await startStage({ responsesReasoning: true });
    const paths = losses(await explain(model));
    expect(paths).not.toContain("/reasoning");
    expect(paths).toContain("/store");
  },
);
