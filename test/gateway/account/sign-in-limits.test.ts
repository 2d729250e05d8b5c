import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trySignIn } from "../../../packages/gateway/src/account/sign-in-limits.ts";
import { useDatabases } from "./databases.ts";
import { type Desk, NOON, openDesk } from "./desk.ts";

describe.each(useDatabases())("sign-in limits on $name", ({ make }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ make });
  });
  afterAll(() => desk.close());
  const attempt = (login: string, address: string | undefined, at = NOON) =>
    trySignIn(desk.store.attempts, { login, address, at });
  /** How many of `count` tries are let in. */
  const letIn = async (count: number, next: (i: number) => [login: string, address: string]) => {
    let passed = 0;
    for (let i = 0; i < count; i++) if ((await attempt(...next(i))).wait === 0) passed += 1;
    return passed;
  };

  it("tries at one login are counted over all addresses", async () => {
    expect(await letIn(15, (i) => ["victim", `198.51.100.${i}`])).toBe(10);
  });

  it("strangers' tries at a login do not lock out an address that signed in there before", async () => {
    const home = "203.0.113.1";
    await (await attempt("owner", home)).right();
    expect(await letIn(15, (i) => ["owner", `198.51.101.${i}`])).toBe(10);
    expect((await attempt("owner", "198.51.101.99")).wait).toBeGreaterThan(0);
    expect((await attempt("owner", home)).wait).toBe(0);
    expect(await letIn(15, () => ["owner", home])).toBe(9);
  });

  it("tries from one network are counted over all logins, with IPv6 counted by its /64", async () => {
    expect(await letIn(102, (i) => [`guess-${i}`, `2001:db8::${i.toString(16)}`])).toBe(100);
    expect((await attempt("elsewhere", "2001:db8:0:1::1")).wait).toBe(0);
    expect((await attempt("later", "2001:db8::1", NOON + 15 * 60_000)).wait).toBe(0);
  });

  it("successful tries to sign in are not counted", async () => {
    for (let i = 0; i < 120; i++) {
      const { wait, right } = await attempt("regular", "192.0.2.1");
      expect(wait).toBe(0);
      await right();
    }
  });

  it("tries to sign in expire one by one", async () => {
    const quarter = 15 * 60_000;
    for (let i = 0; i < 40; i++) await attempt("patient", undefined, NOON + i * quarter);
    expect((await attempt("patient", undefined, NOON + 40 * quarter)).wait).toBe(0);
    for (let i = 0; i < 9; i++) await attempt("patient", undefined, NOON + 40 * quarter);
    const wait = (await attempt("patient", undefined, NOON + 40 * quarter)).wait;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(quarter);
    expect((await attempt("patient", undefined, NOON + 60 * quarter)).wait).toBe(0);
  });

  it("expired tries to sign in leave no rows in the database", async () => {
    await attempt("passing", "192.0.2.9");
    await desk.store.attempts.expire(NOON + 40 * 24 * 3_600_000);
    expect(await desk.store.attempts.isTrusted("network 192.0.2.9", 0)).toBe(false);
  });
});
