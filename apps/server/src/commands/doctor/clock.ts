import { type Check, fail, ok, warn } from "./check.ts";

const WARN_MS = 10_000;
const FAIL_MS = 5 * 60_000;

/** Compares our clock with others, because signatures, sessions and links depend on it. */
export const clock: Check = ({ clocks, now }) => {
  const [worst] = clocks.toSorted((one, other) => Math.abs(other.aheadMs) - Math.abs(one.aheadMs));
  const time = new Date(now()).toISOString();
  if (!worst) return [ok("clock", `${time}; there was no other to compare it with`)];
  const by = Math.round(Math.abs(worst.aheadMs) / 1_000);
  const found = `${time}, ${by} s ${worst.aheadMs > 0 ? "behind" : "ahead of"} ${worst.of}`;
  const todo = "let the machine take its time from the network (timedatectl set-ntp true)";
  if (Math.abs(worst.aheadMs) > FAIL_MS) return [fail("clock", found, todo)];
  return [Math.abs(worst.aheadMs) > WARN_MS ? warn("clock", found, todo) : ok("clock", found)];
};
