import type { Config } from "./schema.ts";

/** The sections that a reload applies to a running process. All others are fixed at its start. */
const RELOADED = [
  "providers",
  "models",
  "webhooks",
  "keyDefaults",
] as const satisfies readonly (keyof Config)[];

/** The settings that are fixed with several processes: a reload replaces the processes at the same address. */
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
