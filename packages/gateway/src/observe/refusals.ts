import type { Log, RefusalLog } from "../ports/log.ts";

/** How long further refusals of an address are only counted, in milliseconds. */
const SPAN = 1_000;
/** The most pairs of address and code with counts of their own. Others share one count for each code. */
const MAX_SUBJECTS = 1_000;
const OTHERS = "others";

/** Makes a log of refusals that writes at most a line a second for each address and code. */
export function createRefusalLog(log: Log): RefusalLog {
  /** Refusals without a log line, counted by address and code. */
  const unwritten = new Map<string, number>();
  return {
    note(from, code, write) {
      const isSeparate = unwritten.has(`${from} ${code}`) || unwritten.size < MAX_SUBJECTS;
      const address = isSeparate ? from : OTHERS;
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
