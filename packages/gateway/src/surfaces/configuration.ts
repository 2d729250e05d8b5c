import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import { defineRoute } from "../route.ts";

const setting = z.object({
  path: z.string(),
  value: z.unknown().describe("For a secret, the beginning of its SHA-256."),
  isDefault: z.boolean(),
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

const change = z.object({
  model: z.string(),
  entry: z.string().optional().describe("Provider and name there; absent for the model as a whole."),
  what: z.enum(["added", "changed", "removed"]),
  field: z.string().optional().describe("`price.input`; absent where the whole is added or removed."),
  before: z.unknown().optional().describe("Prices in US dollars."),
  after: z.unknown().optional(),
});

/** The settings that the host runs with. */
export const configurationRoute = defineRoute({
  method: "GET",
  path: "/config",
  access: "operator",
  summary: "List the settings in force",
  about: "Without secrets. `404` if the host of the service does not provide its settings.",
  answer: z.object({ settings: z.array(setting) }),
  examples: { all: {} },
  handler({ services }) {
    const settings = services.configuration?.();
    if (!settings) throw new Refusal("no_configuration", "This service does not show its settings.");
    return { body: { settings: [...settings] } };
  },
});

/** What the next reload would do to the catalog. */
export const catalogComparisonRoute = defineRoute({
  method: "GET",
  path: "/config/catalog",
  access: "operator",
  summary: "Compare the configuration with the stored models",
  about:
    "Reads the file of this process anew, and lists what a reload or a start would add, change and remove: models, entries, prices. Nothing is stored. A file that cannot be used is a list of `problems`.",
  answer: z.object({ problems: z.array(z.string()), changes: z.array(change) }),
  examples: { all: {} },
  async handler({ services }) {
    if (!services.compareCatalog)
      throw new Refusal("no_configuration", "This service does not show its settings.");
    const { problems, changes } = await services.compareCatalog();
    return { body: { problems: [...problems], changes: [...changes] } };
  },
});
