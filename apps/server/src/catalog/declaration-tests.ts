import type {
  DeclarationEditor,
  DeclarationRefusal,
  DeclarationTest,
  DeclaredMember,
  DeclaredSection,
} from "@manifold-gateway/gateway";
import { tryProvider, tryWebhook } from "@manifold-gateway/gateway/admin";
import type { Transport } from "@manifold-gateway/providers";
import type { Declaration, Store } from "@manifold-gateway/store";
import { toProviders } from "../config/build.ts";
import { tryMerge } from "../config/declarations.ts";
import type { Settings } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { withSecretsOf } from "../config/sealed-secrets.ts";
import { writtenMembers } from "../config/sections.ts";
import { toWebhooks } from "../config/webhooks.ts";
import { accountIdIn } from "../configured-accounts.ts";
import { ofConfiguration, readMember } from "./declaration-plan.ts";
import { proposeModels } from "./proposed-model.ts";

/** The dependencies of tests of declarations. */
export interface TestParts {
  store: Pick<Store, "declarations">;
  /** The configuration without declarations. */
  base(): Settings;
  /** The configuration in force, with them. */
  config(): Config;
  transport: Transport;
}

/** Creates the tests of providers and webhooks. The member to test may be new: it is neither stored nor logged. */
export function createDeclarationTests({
  store: { declarations },
  base,
  config,
  transport,
}: TestParts): Pick<DeclarationEditor, "testProvider" | "testWebhook"> {
  /** The configuration with the member to test. */
  const withMember = async (
    section: DeclaredSection,
    { name, value }: DeclarationTest,
  ): Promise<Config | DeclarationRefusal> => {
    if (value === undefined) return config();
    const settings = base();
    const stored = await declarations.list();
    const isSame = (one: Declaration): boolean => one.section === section && one.name === name;
    const ofFile = ofConfiguration(settings, [{ section, name }]);
    if (ofFile.length > 0) return { refusal: "declaration_of_file", errors: ofFile };
    const member = readMember(settings, { section, name, value }, stored.find(isSame));
    // Its credentials are in the value, since nothing of it is stored.
    const tested = {
      ...{ section, name, revision: Number.MAX_SAFE_INTEGER, at: 0 },
      value: withSecretsOf(member.value, member.secrets) as Record<string, unknown>,
    };
    const merged = tryMerge(settings, [...stored.filter((one) => !isSame(one)), tested]);
    const omitted = merged.omissions.find(({ declaration }) => declaration === tested)?.reasons ?? [];
    const ofBase = "problems" in merged ? merged.problems.map(({ line }) => line) : [];
    const errors = [...member.problems.map(({ line }) => line), ...omitted, ...ofBase];
    return "settings" in merged && errors.length === 0
      ? merged.settings.config
      : { refusal: "declaration_invalid", errors };
  };
  const missing = (at: string): DeclarationRefusal => ({
    refusal: "declaration_not_found",
    errors: [`${at}: is not declared`],
  });

  return {
    async testProvider(test) {
      const tested = await withMember("providers", test);
      if ("refusal" in tested) return tested;
      const provider = toProviders(tested).get(test.name);
      if (!provider) return missing(`providers.${test.name}`);
      const { models, ...trial } = await tryProvider(provider, transport);
      const preset = tested.providers[test.name]?.preset;
      const sources = sourcesOf(base(), await declarations.list());
      const proposed = proposeModels(provider, preset, models).map((model) => {
        const declared = sources.get(model.name);
        return { ...model, ...(declared && { declared }) };
      });
      return { ...trial, models: trial.verdict === "listed" || trial.verdict === "untried" ? proposed : [] };
    },
    async testWebhook(test) {
      const tested = await withMember("webhooks", test);
      if ("refusal" in tested) return tested;
      const endpoint = toWebhooks(tested.webhooks, accountIdIn(tested)).find(({ id }) => id === test.name);
      return endpoint ? tryWebhook(endpoint, transport) : missing(`webhooks.${test.name}`);
    },
  };
}

/** The places that declare models, by their names. */
function sourcesOf(base: Settings, stored: readonly Declaration[]): Map<string, DeclaredMember["source"]> {
  const ofBase = base.source?.file === undefined ? "service" : "file";
  return new Map([
    ...stored.flatMap(({ section, name }) => (section === "models" ? [[name, "database"] as const] : [])),
    ...writtenMembers(base, "models").map(([name]) => [name, ofBase] as const),
  ]);
}
