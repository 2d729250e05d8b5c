import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { tighten } from "@manifold-gateway/store";
import type { Development } from "../configured-accounts.ts";

const fileIn = (folder: string): string => join(folder, "development.txt");

/** Where the key and the password are that an earlier start created. */
export function knownDevelopment(folder: string): string {
  const file = fileIn(folder);
  return existsSync(file)
    ? `The development key and password are in ${file}.`
    : `The development key was shown at the first start; set MANIFOLD_DEV_KEY to choose one, or remove ${folder} for a new one.`;
}

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
  const file = fileIn(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  appendFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  tighten(file);
  return `The development key and password are in ${file}.`;
}
