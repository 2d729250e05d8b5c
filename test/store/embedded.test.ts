import { expect, it } from "vitest";
import { loadEmbedded } from "./databases/embedded.ts";

it("the tests' server leaves it to the runner how a run ends", async () => {
  const count = () => ["beforeExit", "exit"].map((event) => process.listenerCount(event));
  const before = count();
  await loadEmbedded();
  expect(count()).toEqual(before);
});
