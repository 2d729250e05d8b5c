import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import { defineRoute } from "../route.ts";

const setting = z.object({
  path: z.string(),
  value: z.unknown().describe("Of a secret, the beginning of its SHA-256."),
  isDefault: z.boolean(),
});

/** The settings that the host runs with. */
export const configurationRoute = defineRoute({
  method: "GET",
  path: "/config",
  access: "operator",
  summary: "List the settings in force",
  about: "Without secrets. `404` where the application around the service says nothing of its settings.",
  answer: z.object({ settings: z.array(setting) }),
  examples: { all: {} },
  handler({ services }) {
    const settings = services.configuration?.();
    if (!settings) throw new Refusal("no_configuration", "The settings are not shown here.");
    return { body: { settings: [...settings] } };
  },
});
