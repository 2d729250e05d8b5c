import { readdirSync } from "node:fs";
import { join } from "node:path";
import { agents } from "@manifold-gateway/console/agents";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/commands.ts";
import { ROOT, textOf } from "./pages.ts";

describe("the pages of coding agents", () => {
  it("are one for each agent that setup knows", () => {
    const pages = readdirSync(join(ROOT, "docs/agents")).sort();
    expect(pages).toEqual(
      Object.keys(agents)
        .map((agent) => `${agent}.md`)
        .sort(),
    );
  });

  it.each(Object.keys(agents))("have what setup prints for %s", async (agent) => {
    const page = textOf(`docs/agents/${agent}.md`);
    const { output } = await runCommand([
      "setup",
      agent,
      "--url",
      "http://127.0.0.1:8787",
      "--model",
      "sim-chat",
    ]);
    const parts = output.split(/^#.*\n/m).map((part) => part.trim());
    for (const part of parts) expect(page).toContain(part);
    expect(page).toContain(`setup ${agent}`);
  });
});
