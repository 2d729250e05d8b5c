import { restrictionsField, toRestrictionsChange } from "@manifold-gateway/gateway/admin";
import type { RestrictionsChange } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";
import type { Options } from "./command.ts";

/** The readers of options: as a number, a list with commas, or text. */
const OPTIONS = {
  "requests-per-minute": ["requestsPerMinute", Number],
  "tokens-per-minute": ["tokensPerMinute", Number],
  "concurrent-requests": ["concurrentRequests", Number],
  models: ["models", (text: string) => text.split(",")],
  surfaces: ["surfaces", (text: string) => text.split(",")],
  "expires-at": ["expiresAt", (text: string) => text],
} as const;

/** The restrictions on a command line; `none` lifts one. */
export function restrictionsOf(options: Options): RestrictionsChange {
  const given: Record<string, unknown> = {};
  for (const [option, [field, read]] of Object.entries(OPTIONS)) {
    const text = options[option as keyof typeof OPTIONS];
    if (text === undefined) continue;
    const value = text === "none" ? null : read(text);
    const parsed = restrictionsField.safeParse({ [field]: value });
    if (!parsed.success) throw new ConfigError(`--${option}: ${parsed.error.issues[0]?.message}, or none`);
    given[field] = value;
  }
  return toRestrictionsChange(given as Parameters<typeof toRestrictionsChange>[0]);
}
