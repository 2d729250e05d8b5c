import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { tighten } from "@manifold-gateway/store";
import type { Development } from "../configured-accounts.ts";

/**
 * Shows the key and the password that this start created, before a later step can fail: on a terminal, or else in a
 * file that only its owner can read, since other output ends in logs. Returns the line that says where they are.
 */
export function showDevelopment(
  { key, password }: Development,
  { folder, isTerminal }: { folder: string; isTerminal: boolean },
): string | undefined {
  const lines = [
    ...(key ? [`Development key (shown once): ${key}`] : []),
    ...(password ? [`Sign in as 'dev' with the password (shown once): ${password}`] : []),
  ];
  if (lines.length === 0) return undefined;
  if (isTerminal) return lines.join("\n");
  const file = join(folder, "development.txt");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  appendFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  tighten(file);
  return `The development key and password are in ${file}.`;
}
