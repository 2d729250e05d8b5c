import { GUARD_PHASES, type Guard } from "@manifold-gateway/gateway";
import { z } from "zod";
import { id, ownerName } from "./names.ts";
import { type Problem, problemAt } from "./problem.ts";
import { endpointSecret, endpointUrl } from "./webhooks.ts";

const guard = z.strictObject({
  name: id.describe("For records, the header x-guard, logs and metrics."),
  url: endpointUrl,
  secret: endpointSecret,
  check: z
    .array(z.enum(GUARD_PHASES))
    .min(1)
    .default([...GUARD_PHASES])
    .describe("What goes to providers, what comes from them, or both."),
  accounts: z
    .array(ownerName)
    .min(1)
    .optional()
    .describe("The accounts whose requests it checks: their names in this file, or their ids. Default: all."),
  timeout: z.int().min(10).max(60_000).default(2_000).describe("Milliseconds to wait for its answer."),
  onFailure: z
    .enum(["refuse", "allow"])
    .default("refuse")
    .describe("What happens without an answer: the request is refused, or goes on unchecked."),
});

/** The addresses that check the texts of requests and replies. */
export const guards = z.array(guard).max(8).default([]);

/** Converts guards to the gateway's form; `accountOf` returns the id of an account by its name. */
export const toGuards = (of: z.output<typeof guards>, accountOf: (name: string) => string): Guard[] =>
  of.map(({ name, url, secret, check, accounts, timeout, onFailure }) => ({
    id: name,
    url,
    secrets: Array.isArray(secret) ? secret : [secret],
    phases: check,
    ...(accounts && { accounts: accounts.map(accountOf) }),
    timeout,
    onFailure,
  }));

/** Finds names that two guards have. */
export const problemsOfGuards = (of: z.output<typeof guards>): Problem[] =>
  of.flatMap(({ name }, at) =>
    of.findIndex((other) => other.name === name) < at
      ? [problemAt(["guards", at, "name"], `another one is '${name}'`)]
      : [],
  );
