import {
  DECLARED_SECTIONS,
  type DeclarationOutcome,
  type DeclarationRequest,
  type DeclarationTerms,
} from "@manifold-gateway/gateway";
import { z } from "zod";
import { createDeclarationEditor } from "../catalog/declaration-editor.ts";
import { toModels } from "../config/build.ts";
import { readDocument } from "../config/document.ts";
import { ConfigError } from "../config/read.ts";
import type { Call, Run } from "./call.ts";
import { byCommand, fieldOf, withStore } from "./command.ts";
import { show, showAll } from "./show.ts";

/** Runs work on the declarations of the configured store. Running servers look for changes by themselves. */
export const withEditor = (
  call: Call,
  work: (editor: ReturnType<typeof createDeclarationEditor>, terms: DeclarationTerms) => Promise<number>,
): Promise<number> =>
  withStore(call, (store, _, settings) => {
    const editor = createDeclarationEditor({
      store,
      base: () => settings,
      modelsOf: async (merged) => toModels(merged.settings.config),
      changed: async () => {},
    });
    const { confirm, dryRun } = call.options;
    return work(editor, { isConfirmed: confirm === true, isPreview: dryRun === true, by: byCommand() });
  });

const sectionOf = (word: unknown) => fieldOf("section", z.enum(DECLARED_SECTIONS), word);

const readValue = async (call: Call): Promise<NonNullable<DeclarationRequest["value"]>> =>
  fieldOf(
    "the value",
    z.record(z.string(), z.json()),
    readDocument("standard input", await call.read("all")).value,
  );

/** Prints what a change did or would do, in lines or as JSON. */
function report(call: Call, outcome: DeclarationOutcome): number {
  if ("refusal" in outcome) {
    const hint =
      outcome.refusal === "declaration_breaks" ? ["nothing was changed; --confirm makes it nonetheless"] : [];
    throw new ConfigError([...outcome.errors, ...hint].join("\n"));
  }
  show(call, { ...outcome });
  return outcome.problems.length > 0 ? 1 : 0;
}

/** The commands of `catalog` that change what is declared beside the file. */
export const declarations = {
  list: (call) =>
    withEditor(call, async (editor) => {
      await showAll(
        call,
        ["section", "name", "source", "revision", "problems"],
        (await editor.list()).map((member) => ({ ...member })),
      );
      return 0;
    }),
  set: async (call) => {
    const [section, name = ""] = call.words;
    const change = { section: sectionOf(section), name, value: await readValue(call) };
    return withEditor(call, async (editor, terms) => report(call, await editor.change([change], terms)));
  },
  remove: (call) =>
    withEditor(call, async (editor, terms) => {
      const [section, name = ""] = call.words;
      return report(call, await editor.change([{ section: sectionOf(section), name }], terms));
    }),
  undo: (call) =>
    withEditor(call, async (editor, terms) => {
      const revision = fieldOf("revision", z.coerce.number().int().min(1), call.words[0]);
      return report(call, await editor.undo([revision], terms));
    }),
  export: (call) =>
    withEditor(call, async (editor) => {
      call.print(JSON.stringify((await editor.export()).document, null, 2));
      return 0;
    }),
} satisfies Record<string, Run>;
