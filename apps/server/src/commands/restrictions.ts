import { restrictionsField, toRestrictionsChange } from "@manifold-gateway/gateway/admin";
import type { RestrictionsChange } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";
import { OPTIONS, type Options } from "./options.ts";

/** Parsers of options: a number, a comma-separated list, or text. */
const READERS = {
  requestsPerMinute: Number,
  tokensPerMinute: Number,
  concurrentRequests: Number,
  models: (text: string) => text.split(","),
  surfaces: (text: string) => text.split(","),
  expiresAt: (text: string) => text,
} as const;

/** The restrictions on a command line; `none` lifts one. */
export function restrictionsOf(options: Options): RestrictionsChange {
  const given: Record<string, unknown> = {};
  for (const [field, read] of Object.entries(READERS)) {
    const name = field as keyof typeof READERS;
    const text = options[name];
    if (text === undefined) continue;
    const value = text === "none" ? null : read(text);
    const parsed = restrictionsField.safeParse({ [field]: value });
    const [flag] = OPTIONS[name][0].split(" ");
    if (!parsed.success) throw new ConfigError(`${flag}: ${parsed.error.issues[0]?.message}, or none`);
    given[field] = value;
  }
  return toRestrictionsChange(given as Parameters<typeof toRestrictionsChange>[0]);
}
