import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { upstreamWires } from "../../support/wires/index.ts";
import { cellsOf, scripted } from "./scripted.ts";

const set = scripted();
const message = "prompt is too long: 210000 tokens > 200000 maximum";
const own = { code: "too_long", n_prompt_tokens: 210_000, n_ctx: 200_000 };
describe.each(cellsOf(PROTOCOLS))("errors of $name on $protocol", ({ name, protocol }) => {
  it("a translated error keeps the provider's status, words and members", async () => {
    const text = JSON.stringify(upstreamWires[protocol].error(message, own));
    set.tell({ status: 422, text });
    const response = await set.ask(name, protocol, false);
    expect(response.status).toBe(422);
    const answer = await response.text();
    if (name === protocol) expect(answer).toBe(text);
    const { n_prompt_tokens, n_ctx } = own;
    expect(JSON.parse(answer).error).toMatchObject({ message, n_prompt_tokens, n_ctx });
  });
});
