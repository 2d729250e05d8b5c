import { expect, it } from "vitest";
import { lookupInTurn } from "../../../packages/providers/src/download/lookup-in-turn.ts";

it("looks up one name at a time, and none whose fetch has ended", async () => {
  const begun: string[] = [];
  const slow = Promise.withResolvers<string>();
  const lookup = lookupInTurn((hostname) => {
    begun.push(hostname);
    return hostname === "slow.example" ? slow.promise : Promise.resolve(hostname);
  });
  const ended = new AbortController();
  const { signal } = new AbortController();
  const first = lookup("slow.example", signal);
  const dropped = lookup("dropped.example", ended.signal);
  const second = lookup("second.example", signal);
  ended.abort(new Error("ended"));
  await expect(dropped).rejects.toThrow("ended");
  expect(begun).toEqual(["slow.example"]);
  slow.resolve("slow.example");
  expect(await Promise.all([first, second])).toEqual(["slow.example", "second.example"]);
  expect(begun).toEqual(["slow.example", "second.example"]);
});
