import { z } from "zod";
import { byOf } from "../account/audit.ts";
import { DECLARED_SECTIONS } from "../catalog/sections.ts";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import type { RequestContext } from "../ports/context.ts";
import type { DeclarationEditor, DeclarationOutcome, DeclarationRefusal } from "../ports/declarations.ts";
import { defineRoute, type Route } from "../route.ts";
import { change } from "./configuration.ts";

const section = z.enum(DECLARED_SECTIONS);
const name = z.string().min(1).max(256);
const value = z
  .record(z.string(), z.json())
  .describe("The member in the form of the configuration file. Credentials read `sealed …` in answers.");

const member = z
  .object({
    section,
    name,
    source: z
      .enum(["file", "database", "service"])
      .describe("Where it can be changed. `service`: it is built in and cannot be."),
    file: z.string().optional(),
    revision: z.int().optional().describe("The number of its last change."),
    changedAt: z.iso.datetime().optional(),
    value,
    problems: z.array(z.string()).describe("Why it is not in force. Empty: it is."),
  })
  .meta({ id: "DeclaredMember" });

const terms = {
  confirm: z
    .boolean()
    .default(false)
    .describe("True to make the change even if it breaks what callers use now."),
  preview: z.boolean().default(false).describe("True to get its effects only."),
};

const outcome = z
  .object({
    isApplied: z.boolean(),
    revisions: z.array(z.int()).describe("The numbers of the changes, by which they can be undone."),
    members: z.array(
      z.object({ section: z.string(), name, before: value.optional(), after: value.optional() }),
    ),
    problems: z.array(z.string()).describe("Only in a preview: why the change would be refused."),
    breaks: z.array(z.string()).describe("What callers use now and cannot use after the change."),
    doubts: z
      .array(z.string())
      .describe("What in the changed members is probably not meant as it is, such as a price of one token."),
    changes: z.array(change),
    routes: z
      .array(z.object({ model: z.string(), before: z.array(z.string()), after: z.array(z.string()) }))
      .describe("The entries that may serve each changed model, by priority."),
  })
  .meta({ id: "DeclarationOutcome" });

/** The editor of declarations. Throws a 404 where the host has none. */
export function editorOf({ services }: RequestContext<"declarations">): DeclarationEditor {
  if (services.declarations) return services.declarations;
  throw new Refusal("no_configuration", "The catalog of this service cannot be changed while it runs.");
}

/** The result of an editor's function. Throws its refusal. */
export function accepted<T extends object>(result: T | DeclarationRefusal): T {
  if ("refusal" in result) throw new Refusal(result.refusal, [...result.errors]);
  return result;
}

const answerOf = (result: DeclarationOutcome) => ({ body: JSON.parse(JSON.stringify(accepted(result))) });

const example = {
  section: "models",
  name: "fast",
  value: { entries: [{ provider: "chatstyle", name: "sim-chat", price: { input: 1, output: 2 } }] },
};

/** Routes by which operators change providers, models, webhooks and key defaults while the service runs. */
export const declarationRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/declarations",
    access: "operator",
    summary: "List providers, models, webhooks and key defaults with the place that declares each",
    about: "Those of the file can be changed there only; all others by this interface.",
    answer: z.object({ members: z.array(member) }),
    examples: { all: {} },
    uses: ["declarations"],
    async handler(context) {
      const members = (await editorOf(context).list()).map(({ at, ...one }) => ({
        ...one,
        ...(at !== undefined && { changedAt: momentOf(at) }),
        problems: [...one.problems],
      }));
      return { body: { members } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/declarations",
    access: "operator",
    summary: "Make, change or remove providers, models, webhooks and key defaults",
    about:
      "All changes or none, in all processes within a second. They are checked as the configuration file is. A change that breaks what callers use now is refused, unless `confirm` is true. Credentials are encrypted and never shown; in a later change, `sealed …` keeps one, as long as the address stays the same.",
    body: z.strictObject({
      changes: z
        .array(
          z.strictObject({
            section,
            name,
            value: value.optional().describe("Absent: it is removed."),
            revision: z.int().optional().describe("Refuses the change if another one was made since."),
          }),
        )
        .min(1)
        .max(500),
      ...terms,
    }),
    answer: outcome,
    examples: { preview: { body: { changes: [example], preview: true } } },
    uses: ["addressOf", "declarations", "now"],
    async handler(context, { body: { changes, confirm, preview } }) {
      const by = byOf(context);
      const requests = changes.map(({ section, name, value, revision }) => ({
        ...{ section, name },
        ...(value && { value }),
        ...(revision !== undefined && { revision }),
      }));
      const editor = editorOf(context);
      return answerOf(await editor.change(requests, { isConfirmed: confirm, isPreview: preview, by }));
    },
  }),
  defineRoute({
    method: "POST",
    path: "/declarations/undo",
    access: "operator",
    summary: "Undo changes of declarations",
    about:
      "By the numbers that the audit log has as `revision` of `after`. Of each name only the last change can be undone; a credential comes back with what it belonged to.",
    body: z.strictObject({ revisions: z.array(z.int()).min(1).max(500), ...terms }),
    answer: outcome,
    examples: { preview: { body: { revisions: [1], preview: true } } },
    uses: ["addressOf", "declarations", "now"],
    async handler(context, { body: { revisions, confirm, preview } }) {
      const by = byOf(context);
      const editor = editorOf(context);
      return answerOf(await editor.undo(revisions, { isConfirmed: confirm, isPreview: preview, by }));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/declarations/export",
    access: "operator",
    summary: "Export the whole as a configuration file",
    about: "The file's and the database's members in one. Each credential is a variable of the environment.",
    answer: z.object({ document: z.record(z.string(), z.json()), variables: z.array(z.string()) }),
    examples: { whole: {} },
    uses: ["declarations"],
    async handler(context) {
      const { document, variables } = await editorOf(context).export();
      return { body: { document, variables: [...variables] } };
    },
  }),
];
