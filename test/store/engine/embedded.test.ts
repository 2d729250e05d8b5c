import { expect, it } from "vitest";
import { loadEmbedded } from "../databases/embedded.ts";

it("the tests' server leaves the end of a run to the test runner", async () => {
  const count = () => ["beforeExit", "exit"].map((event) => process.listenerCount(event));
  const before = count();
  await loadEmbedded();
  expect(count()).toEqual(before);
});
