import { type Preset, presetAddress, presets } from "@manifold-gateway/providers";
import { type Problem, problemAt } from "./problem.ts";
import { readText } from "./read.ts";
import type { Config } from "./schema.ts";
import type { Environment } from "./variables.ts";
import { isServiceAccount } from "./wire.ts";

type ProviderConfig = Config["providers"][string];

/**
 * Completes the providers of presets by the environment: the key or the identity in the vendor's usual variable unless
 * the file has one, and the address, whose parts are in the file or in variables. Returns the problems.
 */
export function completePresets(config: Config, env: Environment): Problem[] {
  return Object.entries(config.providers).flatMap(([id, provider]) => {
    const preset = provider.preset === undefined ? undefined : presets[provider.preset];
    const at = (member: string, text: string): Problem =>
      problemAt(["providers", id, ...member.split(".")], text);
    if (!preset || provider.origin !== undefined) {
      const why = preset
        ? "is not used beside 'origin'; remove it"
        : "belongs to a preset, and there is none";
      if (provider.parts) return [at("parts", why)];
    }
    if (!preset) return [];
    return [...completeIdentity(provider, preset, env, at), ...completeAddress(provider, preset, env, at)];
  });
}

type At = (member: string, text: string) => Problem;

function completeIdentity(provider: ProviderConfig, preset: Preset, env: Environment, at: At): Problem[] {
  const { keyVariable, identityVariable, auth } = preset;
  const key = keyVariable === undefined ? undefined : env[keyVariable];
  const isKeyed = !provider.auth || !("kind" in provider.auth);
  if (key && isKeyed) provider.key ??= key;
  const file = identityVariable === undefined ? undefined : env[identityVariable];
  if (!file || provider.auth || provider.key !== undefined || !auth || !("kind" in auth)) return [];
  const serviceAccount = readText(file, identityVariable as string);
  if (!isServiceAccount(serviceAccount))
    return [at("auth", `${identityVariable} names a file that is no key file of a service account`)];
  provider.auth = { kind: "google", serviceAccount };
  return [];
}

function completeAddress(provider: ProviderConfig, preset: Preset, env: Environment, at: At): Problem[] {
  if (provider.origin !== undefined) return [];
  const { auth } = provider;
  // Signed calls name a region already.
  const signed = auth && "kind" in auth && auth.kind === "aws" ? { region: auth.region } : {};
  const known = Object.keys(preset.parts ?? {});
  const { origin, problems } = presetAddress(
    preset,
    { ...(known.includes("region") && signed), ...provider.parts },
    env,
  );
  if (origin !== undefined && known.length + Object.keys(provider.parts ?? {}).length > 0)
    provider.origin = origin;
  return problems.map(({ part, text }) => at(`parts.${part}`, text));
}
