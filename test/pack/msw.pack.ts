import { expect, it } from "vitest";
import { describeWhole, run, write } from "./project.ts";

const PROGRAM = `
import { createSimulator } from "@manifold-gateway/simulator";
import { simulatorHandlers } from "@manifold-gateway/testing/msw";
import { setupServer } from "msw/node";

setupServer(...simulatorHandlers(createSimulator())).listen({ onUnhandledRequest: "error" });
const ask = (content) =>
  fetch("https://api.openai.com/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content }] }),
  }).then(async (answer) => \`\${answer.status} \${await answer.text()}\`);
console.log(await ask("Hello"));
console.log(await ask("[[fault:status=503]] Hello"));
`;

describeWhole("handlers for msw", (fresh) => {
  it.each([
    ["the latest version", fresh.project],
    ["the earlier major version", fresh.whole.earlier],
  ])("answer for a vendor with %s, in streams and with faults", (_, project) => {
    const there = { ...fresh, project };
    const said = run(there, fresh.nodes.node24 ?? "", write(there, "handlers.mjs", PROGRAM));
    expect(said).toMatch(/^200 data: /);
    expect(said).toMatch(/\[DONE\]\s+503 /);
  });
});
