import type { Config } from "./schema.ts";

/** The sections that a reload puts into force in a running process. All others are fixed when it starts. */
const RELOADED = ["providers", "models", "webhooks"] as const satisfies readonly (keyof Config)[];

/** With several processes a reload replaces them, behind the same address: only these are fixed. */
const FIXED: readonly string[] = ["server.host", "server.port"];

/** What a running process serves after a reload. */
export const reloaded = (running: Config, next: Config): Config => ({
  ...running,
  ...Object.fromEntries(RELOADED.map((section) => [section, next[section]])),
});

/** When a changed setting takes effect: at the next reload, or only at the next start. */
export function effectOf(path: string, isOneOfSeveral: boolean): "reload" | "restart" {
  const [section] = path.split(".");
  const isReloaded = isOneOfSeveral
    ? !FIXED.includes(path)
    : (RELOADED as readonly (string | undefined)[]).includes(section);
  return isReloaded ? "reload" : "restart";
}
