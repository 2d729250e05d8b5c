import { z } from "zod";
import { archivedUntilField } from "../../account/archived-until.ts";
import { generation } from "./account.ts";

const moment = z.iso.datetime();

export const entryState = z
  .object({
    id: z.string().describe("The neutral id, as in records."),
    model: z.string(),
    name: z.string().describe("The provider's own name for the model."),
    priority: z.number(),
    isActive: z.boolean(),
    isModelActive: z.boolean(),
    circuit: z.enum(["closed", "open", "half-open"]).describe("The state for all accounts."),
    failures: z.int(),
    openAccounts: z.int().optional().describe("Accounts for which it is open because of their own failures."),
    openSince: moment.optional().describe("When the circuit opened. Failed probes do not change it."),
    until: moment.optional().describe("When an open circuit allows a request again."),
    coolingUntil: moment.optional().describe("The end of a pause that the provider requested."),
    latency: z.number().optional().describe("Milliseconds to the first byte, averaged."),
    throughput: z.number().optional().describe("Output tokens per second, averaged."),
    learnt: z
      .array(
        z.object({
          protocol: z.string(),
          traits: z.record(z.string(), z.json()).describe("As in the configuration."),
          because: z.string().describe("The provider's words."),
          at: moment,
          until: moment.describe("When it is forgotten."),
        }),
      )
      .optional()
      .describe("What the provider's refusals have shown of the model, in this process."),
  })
  .meta({ id: "EntryState" });

const provider = z
  .object({
    id: z.string(),
    host: z.string(),
    protocols: z.array(z.string()),
    hasKey: z.boolean(),
    credentials: z
      .array(
        z.object({
          name: z.string().describe("As the configuration names it, or its number."),
          weight: z.number(),
          calls: z.int().describe("Calls of this process since its start or the last reload."),
          state: z
            .enum(["ready", "denied", "cooling"])
            .describe("denied: the provider refused it; cooling: the provider demanded a pause."),
          until: moment.optional().describe("When it is tried again."),
          status: z.int().optional().describe("The status that it was refused with."),
        }),
      )
      .optional()
      .describe("Absent where the provider has a single key."),
    concurrency: z
      .object({ most: z.int(), running: z.int(), waiting: z.int() })
      .optional()
      .describe("Absent if the provider has no limit."),
    entries: z.array(entryState),
  })
  .meta({ id: "ProviderState" });

export const state = z.object({
  process: z
    .string()
    .describe("The process that served the request, and whose circuits and loads these are."),
  at: moment,
  providers: z.array(provider),
  unknownProviders: z
    .array(z.object({ id: z.string(), entries: z.array(entryState) }))
    .describe("Providers in the catalog that this process does not know."),
});

export const providerTest = z.object({
  isReached: z.boolean(),
  ms: z.int(),
  models: z.array(z.string()).describe("The models that it lists for its key, by its own names."),
  error: z.string().optional(),
});

export const generations = z.object({
  results: z.array(
    generation.extend({ accountName: z.string().optional().describe("The name of the account `userId`.") }),
  ),
  since: moment
    .optional()
    .describe("With `sort`: only records from then on were compared; older ones were too many."),
  next: z.string().optional().describe("Send it as `before` for the records before these."),
  archivedUntil: archivedUntilField,
});
