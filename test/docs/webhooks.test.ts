import { WEBHOOK_EVENTS } from "@manifold-gateway/gateway";
import { describe, expect, it } from "vitest";
import { webhookBodies } from "../../packages/gateway/src/webhooks/events.ts";
import { snippets, textOf } from "./pages.ts";

const PAGE = "docs/webhooks.md";

describe("the page about webhooks", () => {
  it("shows bodies that their schemas take, and lists every type", () => {
    const shown = snippets
      .filter(({ page, language, text }) => page === PAGE && language === "json" && text.startsWith("{"))
      .map(({ text }) => JSON.parse(text) as { type: keyof typeof webhookBodies });
    expect(shown.length).toBeGreaterThan(0);
    for (const body of shown) expect(webhookBodies[body.type].parse(body)).toEqual(body);
    for (const type of WEBHOOK_EVENTS) expect(textOf(PAGE)).toContain(`| \`${type}\` |`);
  });
});
