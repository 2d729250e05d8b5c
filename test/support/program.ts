import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/**
 * The file that starts a program as a process: a bundle of its modules, of which each test run makes one. Loading a
 * thousand modules one by one takes most of a start. Outside of a test run, as in a benchmark, it is the source.
 */
export async function programOf(entry: string): Promise<string> {
  if (!process.env.VITEST) return join(ROOT, entry);
  const { inject } = await import("vitest");
  const answer = await fetch(`${inject("bundles")}/?${new URLSearchParams({ entry })}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** The server's command line. `test/system/server/start.test.ts` starts its sources as well. */
export const MAIN = await programOf("apps/server/src/main.ts");
