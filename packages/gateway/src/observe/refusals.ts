import type { Log, RefusalLog } from "../ports/log.ts";

/** For how long refusals of one address are counted, in milliseconds. */
const SPAN = 1_000;
/** Addresses and codes with counts of their own at one time; the refusals of others are counted together. */
const APART = 1_000;
const OTHERS = "others";

export function createRefusalLog(log: Log): RefusalLog {
  /** By address and code, refusals that have no line. */
  const unwritten = new Map<string, number>();
  return {
    note(from, code, write) {
      const isApart = unwritten.has(`${from} ${code}`) || unwritten.size < APART;
      const address = isApart ? from : OTHERS;
      const subject = `${address} ${code}`;
      const before = unwritten.get(subject);
      unwritten.set(subject, before === undefined ? 0 : before + 1);
      if (before !== undefined) return;
      write();
      setTimeout(() => {
        const refused = unwritten.get(subject) ?? 0;
        unwritten.delete(subject);
        if (refused > 0) log.info({ address, code, refused }, "requests refused");
      }, SPAN).unref?.();
    },
  };
}
