import { expect, it } from "vitest";
import { startStage } from "../../support/stage.ts";

it.each([
  [undefined, "/"],
  ["https://ai.example.com", "/"],
  ["https://example.com/ai/", "/ai"],
])(
  "the document of a service at %s begins its paths at %s of the host that it is read from",
  async (base, root) => {
    const stage = await startStage({ models: [], ...(base && { base }) });
    try {
      const { servers } = await (await fetch(`${stage.origin}/openapi.json`)).json();
      expect(servers).toEqual([{ url: root }]);
    } finally {
      await stage.close();
    }
  },
);

it("the document follows an address that changes", async () => {
  let base = "https://example.com/one";
  const stage = await startStage({ models: [], base: () => base });
  const rootOf = async () => (await (await fetch(`${stage.origin}/openapi.json`)).json()).servers[0].url;
  try {
    expect(await rootOf()).toBe("/one");
    base = "https://example.com/two";
    expect(await rootOf()).toBe("/two");
  } finally {
    await stage.close();
  }
});
