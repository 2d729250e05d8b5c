import { z } from "zod";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import { defineRoute } from "../route.ts";

const setting = z.object({
  path: z.string(),
  value: z.unknown().describe("For a secret, the beginning of its SHA-256."),
  isDefault: z.boolean(),
  effect: z
    .enum(["reload", "restart"])
    .optional()
    .describe("When a change of it takes effect: at a reload (SIGHUP), or at the next start."),
  pending: z
    .unknown()
    .optional()
    .describe("The value of the file that was read last, if it waits for a restart; null: it was removed."),
  about: z.string().optional().describe("What it is for."),
  origin: z
    .object({
      file: z.string().optional(),
      line: z.int().optional(),
      variables: z.array(z.string()).optional().describe("Environment variables that the value is made of."),
    })
    .optional()
    .describe("Where the value stands. Absent: it is a default, or the service's own."),
});

export const change = z.object({
  model: z.string(),
  entry: z.string().optional().describe("Provider and name there; absent for the model as a whole."),
  change: z.enum(["added", "changed", "removed"]),
  field: z.string().optional().describe("`price.input`; absent where the whole is added or removed."),
  before: z.unknown().optional().describe("Prices in US dollars."),
  after: z.unknown().optional(),
});

const reload = z.object({
  by: z
    .enum(["signal", "catalog"])
    .describe(
      "`signal`: the configuration was read again after a SIGHUP. `catalog`: an operator, a command, another process or a provider's list changed the stored models.",
    ),
  at: z.iso.datetime(),
  isApplied: z.boolean().describe("False: it was refused, and the service continues as before."),
  changed: z.array(z.string()).describe("The ids of the changed models, as far as the process knows them."),
  findings: z
    .array(z.string())
    .describe("Errors and warnings with `file:line:column`, and the answers of activated providers."),
});

/** Lists the results of recent reloads. */
export const reloadsRoute = defineRoute({
  method: "GET",
  path: "/config/reloads",
  access: "operator",
  summary: "List the last reloads",
  about:
    "The last reload of each kind since the start of the process that answers, newest first. `404` if the host of the service does not provide them.",
  answer: z.object({ reloads: z.array(reload) }),
  examples: { all: {} },
  uses: ["reloads"],
  handler({ services }) {
    const reloads = services.reloads?.();
    if (!reloads) throw new Refusal("no_configuration", "This service does not show its reloads.");
    const views = reloads.map(({ at, changed, findings, ...outcome }) => ({
      ...outcome,
      at: momentOf(at),
      changed: [...changed],
      findings: [...findings],
    }));
    return { body: { reloads: views } };
  },
});

/** Lists the settings that the host runs with. */
export const configurationRoute = defineRoute({
  method: "GET",
  path: "/config",
  access: "operator",
  summary: "List the settings in force",
  about: "Without secrets. `404` if the host of the service does not provide its settings.",
  answer: z.object({ settings: z.array(setting) }),
  examples: { all: {} },
  uses: ["configuration"],
  handler({ services }) {
    const settings = services.configuration?.();
    if (!settings) throw new Refusal("no_configuration", "This service does not show its settings.");
    return { body: { settings: [...settings] } };
  },
});

/** Shows what the next reload would change in the catalog. */
export const catalogComparisonRoute = defineRoute({
  method: "GET",
  path: "/config/catalog",
  access: "operator",
  summary: "Compare the configuration with the stored models",
  about:
    "Reads the file of this process anew, and lists what a reload or a start would add, change and remove: models, entries, prices. Nothing is stored. A file that cannot be used is a list of `problems`.",
  answer: z.object({ problems: z.array(z.string()), changes: z.array(change) }),
  examples: { all: {} },
  uses: ["compareCatalog"],
  async handler({ services }) {
    if (!services.compareCatalog)
      throw new Refusal("no_configuration", "This service does not show its settings.");
    const { problems, changes } = await services.compareCatalog();
    return { body: { problems: [...problems], changes: [...changes] } };
  },
});
