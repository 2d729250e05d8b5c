import { expect, it } from "vitest";
import { NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const POLICY = { free: 3, pause: 1_000, longest: 4_000, decay: 60_000 };

export const signIns: Context = (database) => {
  const store = useStore(database);
  const newSubject = (): string => crypto.randomUUID();
  const take = (subject: string, at: number) => store().attempts.take(subject, POLICY, at);

  it("tries are free up to a number, after which each pause doubles up to the longest", async () => {
    const subject = newSubject();
    for (let n = 0; n < POLICY.free; n++) expect(await take(subject, NOW)).toBe(0);
    let at = NOW;
    for (const pause of [1_000, 2_000, 4_000, 4_000]) {
      expect(await take(subject, at + pause - 1)).toBe(1);
      at += pause;
      expect(await take(subject, at)).toBe(0);
    }
  });

  it("of many simultaneous tries in several processes only the free ones are allowed", async () => {
    const subject = newSubject();
    const other = await database().open();
    const waits = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 === 0 ? store() : other).attempts.take(subject, POLICY, NOW),
      ),
    );
    await other.close();
    expect(waits.filter((wait) => wait === 0)).toHaveLength(POLICY.free);
  });

  it("a try is forgotten after a time, taken back, or with all others of a trusted subject", async () => {
    const subject = newSubject();
    for (let n = 0; n < POLICY.free; n++) await take(subject, NOW);
    expect(await take(subject, NOW)).toBeGreaterThan(0);
    await store().attempts.giveBack(subject, NOW);
    expect(await take(subject, NOW)).toBe(0);
    expect(await take(subject, NOW)).toBeGreaterThan(0);
    const later = NOW + POLICY.decay;
    expect([await take(subject, later), await take(subject, later)]).toEqual([0, 1_000]);
    const muchLater = later + 10 * POLICY.decay;
    for (let n = 0; n < POLICY.free; n++) expect(await take(subject, muchLater)).toBe(0);
    await store().attempts.trust(subject, muchLater, muchLater + 10);
    expect(await store().attempts.isTrusted(subject, muchLater + 9)).toBe(true);
    expect(await store().attempts.isTrusted(subject, muchLater + 10)).toBe(false);
    expect(await take(subject, muchLater)).toBe(0);
    await store().attempts.expire(muchLater + 10 * POLICY.decay);
    expect(await store().attempts.isTrusted(subject, muchLater)).toBe(false);
  });

  it("a session that was ended stays so in every process until it would have expired", async () => {
    const [hash, unknown] = [newSubject(), newSubject()];
    const other = await database().open();
    for (let n = 0; n < 2; n++) await store().endedSessions.add(hash, NOW + 10);
    await other.endedSessions.expire(NOW + 10);
    expect([await other.endedSessions.has(hash), await other.endedSessions.has(unknown)]).toEqual([
      true,
      false,
    ]);
    await other.endedSessions.expire(NOW + 11);
    expect(await store().endedSessions.has(hash)).toBe(false);
    await other.close();
  });
};
