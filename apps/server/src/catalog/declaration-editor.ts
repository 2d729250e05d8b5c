import {
  DECLARED_SECTIONS,
  type DeclarationEditor,
  type DeclarationOutcome,
  type DeclarationTerms,
  type DeclaredMember,
  type Model,
} from "@manifold-gateway/gateway";
import type { Declaration, Store } from "@manifold-gateway/store";
import { keyVaultOf } from "../config/build.ts";
import { type Merged, tryMerge } from "../config/declarations.ts";
import { doubtsOf } from "../config/doubts/index.ts";
import { unknownAccounts } from "../config/doubts/references.ts";
import { exportConfiguration } from "../config/export.ts";
import type { Settings } from "../config/load.ts";
import type { Problem } from "../config/problem.ts";
import { withoutSecrets } from "../config/redact-secrets.ts";
import { openSecrets, pathOf } from "../config/sealed-secrets.ts";
import { writtenMembers } from "../config/sections.ts";
import { changedModels, effectsOf } from "./declaration-effects.ts";
import {
  type DeclarationPlan,
  ofConfiguration,
  planDeclarations,
  type WantedMember,
} from "./declaration-plan.ts";

/** The dependencies of a declaration editor. */
export interface EditorParts {
  store: Store;
  /** The configuration without declarations. */
  base(): Settings;
  /** The models to store for a configuration. */
  modelsOf(merged: Merged): Promise<readonly Model[]>;
  /** Called after a change, to serve it. */
  changed(): Promise<unknown>;
}

/** The number of times that a change is planned again, if others make changes meanwhile. */
const TRIES = 5;

type Values = DeclaredMember["value"];

/** Creates an editor of what is declared beside the configuration. Tests are separate, as they send requests. */
export function createDeclarationEditor({
  store,
  base,
  modelsOf,
  changed,
}: EditorParts): Omit<DeclarationEditor, `test${string}`> {
  const { declarations } = store;

  const make = async (
    wanted: () => Promise<WantedMember[] | DeclarationOutcome>,
    { isConfirmed, isPreview, by }: DeclarationTerms,
  ): Promise<DeclarationOutcome> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const settings = base();
      const after = await declarations.revision();
      const stored = await declarations.list();
      const requested = await wanted();
      if (!Array.isArray(requested)) return requested;
      const ofFile = ofConfiguration(settings, requested);
      if (ofFile.length > 0) return { refusal: "declaration_of_file", errors: ofFile };
      const before = tryMerge(settings, stored);
      const plan = planDeclarations(settings, { before, stored }, requested);
      if (plan.problems.length > 0 && !isPreview)
        return { refusal: "declaration_invalid", errors: plan.problems };
      // If the file cannot be used, no models are served yet.
      const models = "settings" in before ? await modelsOf(before) : [];
      const next = plan.merged && plan.problems.length === 0 ? await modelsOf(plan.merged) : models;
      const effects = effectsOf(models, next);
      const breaks = [...plan.losses, ...effects.breaks];
      if (breaks.length > 0 && !isConfirmed && !isPreview)
        return { refusal: "declaration_breaks", errors: breaks };
      const done =
        !isPreview &&
        (await declarations.change({
          after,
          declarations: plan.declarations,
          models: changedModels(models, next),
          by,
        }));
      if (done) await changed();
      if (done || isPreview)
        return {
          isApplied: done,
          revisions: done ? plan.declarations.map((_, at) => after + at + 1) : [],
          members: plan.declarations.map((one) => memberChange(one, stored)),
          ...effects,
          problems: plan.problems,
          breaks,
          doubts: plan.merged ? await doubtsAbout(plan, plan.merged, { store, models: next }) : [],
        };
    }
    return { refusal: "declaration_outdated", errors: ["Others make changes at the same time; try again."] };
  };

  return {
    list: async () => listMembers(base(), await declarations.list()),
    change: (changes, terms) =>
      make(async () => {
        const stored = new Map((await declarations.list()).map((one) => [pathOf(one).join("."), one]));
        for (const { section, name, value, revision } of changes) {
          const at = pathOf({ section, name }).join(".");
          const before = stored.get(at);
          const isOfBase = ofConfiguration(base(), [{ section, name }]).length > 0;
          if (!before && !value && !isOfBase)
            return { refusal: "declaration_not_found", errors: [`${at}: is not declared`] };
          if (revision !== undefined && revision !== before?.revision)
            return {
              refusal: "declaration_outdated",
              errors: [`${at}: was changed since revision ${revision}`],
            };
        }
        return changes.map(({ section, name, value }) => ({ section, name, ...(value && { value }) }));
      }, terms),
    undo: (revisions, terms) =>
      make(async () => {
        const members: WantedMember[] = [];
        for (const revision of revisions) {
          const history = await declarations.historyOf(revision);
          const [change, before] = [history.at(-1), history.at(-2)];
          if (!change)
            return { refusal: "declaration_not_found", errors: [`there is no change ${revision}`] };
          if (change.revision !== revision)
            return {
              refusal: "declaration_outdated",
              errors: [`${pathOf(change).join(".")}: was changed again, by revision ${change.revision}`],
            };
          const secrets = before && openSecrets(before, keyVaultOf(base().config));
          const { section, name } = change;
          members.push({
            ...{ section, name },
            ...(before?.value && { value: before.value }),
            ...(secrets && { secrets }),
          });
        }
        return members;
      }, terms),
    export: async () => exportConfiguration(base(), await declarations.list()),
  };
}

/** The doubts about the members that a plan changes. */
async function doubtsAbout(
  { declarations }: DeclarationPlan,
  { settings: { config } }: Merged,
  { store, models }: { store: Store; models: readonly Model[] },
): Promise<string[]> {
  const listed = models.map(({ id }) => id);
  const all = [...doubtsOf(config, listed), ...(await unknownAccounts(config, store))];
  // A declared webhook has its name in it, and a place at the end of the list.
  const nameOf = ([section, name]: Problem["path"]) =>
    section === "webhooks" ? config.webhooks[Number(name)]?.name : name;
  return all
    .filter(({ path }) =>
      declarations.some(({ section, name }) => section === path[0] && name === nameOf(path)),
    )
    .map(({ line }) => line);
}

function memberChange(next: Pick<Declaration, "section" | "name" | "value">, stored: readonly Declaration[]) {
  const before = stored.find(({ section, name }) => section === next.section && name === next.name);
  return {
    ...{ section: next.section, name: next.name },
    ...(before?.value && { before: before.value as Values }),
    ...(next.value && { after: next.value as Values }),
  };
}

function listMembers(base: Settings, stored: readonly Declaration[]): DeclaredMember[] {
  const file = base.source?.file;
  const merged = tryMerge(base, stored);
  const { omissions } = merged;
  const ofFile = "problems" in merged ? merged.problems : [];
  return DECLARED_SECTIONS.flatMap((section) => [
    ...writtenMembers(base, section).map(
      ([name, value], at): DeclaredMember => ({
        ...{ section, name },
        ...(file === undefined ? { source: "service" } : { source: "file", file }),
        value: withoutSecrets(value) as Values,
        problems: ofFile
          .filter(({ path }) => path[0] === section && (path[1] === name || path[1] === at))
          .map(({ line }) => line),
      }),
    ),
    ...stored
      .filter((one) => one.section === section)
      .map(
        (one): DeclaredMember => ({
          ...{ section, name: one.name, source: "database", revision: one.revision, at: one.at },
          value: (one.value ?? {}) as Values,
          problems: omissions.find(({ declaration }) => declaration === one)?.reasons ?? [],
        }),
      ),
  ]);
}
