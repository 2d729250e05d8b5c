import { z } from "zod";
import { defineRoute, type Route } from "../route.ts";
import { accepted, editorOf } from "./declarations.ts";

const test = z.strictObject({
  name: z.string().min(1).max(256),
  value: z
    .record(z.string(), z.json())
    .optional()
    .describe(
      "The member in the form of the configuration file, which is not stored. Absent: as it is declared.",
    ),
});

const proposed = z.object({
  name: z.string().describe("The provider's name for it."),
  value: z
    .record(z.string(), z.json())
    .describe("The member of `models` to declare, with a price if the public lists have one."),
  isPriced: z.boolean(),
  isRetired: z.boolean().describe("The public lists say that the provider no longer serves it."),
  declared: z
    .enum(["file", "database", "service"])
    .optional()
    .describe("Where a model of this name is declared."),
});

const requestOf = ({ name, value }: z.output<typeof test>) => ({ name, ...(value && { value }) });

/** Routes by which operators test a provider or a webhook, also before it is declared. */
export const declarationTestRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/providers/test",
    access: "operator",
    summary: "Test a provider, also before it is declared",
    about:
      "Lists its models, which is free, and answers what it does in words. The models come in a form to declare, with the prices that are known. `value` is checked as for a declaration, and is neither stored nor logged; `sealed …` in it stands for a stored credential, as long as the address stays the same.",
    body: test,
    answer: z.object({
      verdict: z
        .enum([
          "listed",
          "untried",
          "refused",
          "not_found",
          "rejected",
          "busy",
          "failing",
          "unreadable",
          "unreachable",
        ])
        .describe(
          "`listed`: all is well. `untried`: its address answers, and no call is free. `refused`: it refuses the credential. All others name what fails.",
        ),
      finding: z.string().describe("A sentence on it, without credentials."),
      todo: z.string().optional().describe("What to do, as a sentence."),
      ms: z.int(),
      models: z.array(proposed),
    }),
    examples: {
      "not declared yet": {
        body: { name: "local", value: { protocol: "chatstyle", origin: "http://127.0.0.1:8080/v1" } },
      },
    },
    uses: ["declarations"],
    async handler(context, { body }) {
      const result = accepted(await editorOf(context).testProvider(requestOf(body)));
      return { body: { ...result, models: result.models.map((model) => ({ ...model })) } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/webhooks/test",
    access: "operator",
    summary: "Send a test event to a webhook, also before it is declared",
    about: "The event `webhook.test`, signed like all others, once. `value` is not stored.",
    body: test,
    answer: z.object({
      isAccepted: z.boolean(),
      finding: z.string().describe("A sentence on it."),
      ms: z.int(),
    }),
    examples: {
      "not declared yet": {
        body: {
          name: "ops",
          value: { url: "https://ops.example.com/hooks", secret: `whsec_${"A".repeat(43)}=` },
        },
      },
    },
    uses: ["declarations"],
    async handler(context, { body }) {
      return { body: { ...accepted(await editorOf(context).testWebhook(requestOf(body))) } };
    },
  }),
];
