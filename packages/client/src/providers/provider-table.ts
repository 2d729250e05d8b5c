import { lookup } from "@manifold-gateway/core/codec";
import {
  defineProvider,
  type Preset,
  type Provider,
  presetAddress,
  presetParts,
  presets,
} from "@manifold-gateway/providers";
import type { AnyOptions, ProviderSettings } from "../options.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** The providers of a client, each made when it is called first. */
export interface ProviderTable {
  /** Whether there is a provider of this id. */
  has(id: string): boolean;
  /** The ids of the declared providers. */
  names(): readonly string[];
  /** The provider of an id. Throws a refusal if its key or address is missing. */
  get(id: string): Provider;
}

/** A variable of the process; undefined if it is not set, or may not be read. */
function processVariable(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name];
  } catch {
    return undefined;
  }
}

export function createProviderTable({
  providers = {},
  env,
}: Pick<AnyOptions, "providers" | "env">): ProviderTable {
  const variable = (name: string | undefined): string | undefined =>
    (name === undefined ? undefined : env ? env[name] : processVariable(name)) || undefined;
  const made = new Map<string, Provider>();
  return {
    has: (id) => Object.hasOwn(providers, id) || Object.hasOwn(presets, id),
    names: () => Object.keys(providers),
    get(id) {
      const known = made.get(id);
      if (known) return known;
      const settings = (Object.hasOwn(providers, id) ? providers[id] : undefined) ?? {};
      const provider = makeProvider(id, settings, variable);
      made.set(id, provider);
      return provider;
    },
  };
}

type Variable = (name: string | undefined) => string | undefined;

function makeProvider(
  id: string,
  { preset: name, parts, ...settings }: ProviderSettings,
  variable: Variable,
): Provider {
  const preset = lookup(presets, name ?? id);
  if (!preset) {
    const { origin, speaks } = settings;
    if (origin === undefined || speaks === undefined)
      throw new ClientRefusal(
        404,
        "invalid_provider",
        `providers.${id}: needs \`origin\` and \`speaks\`, or a known \`preset\`.`,
      );
    return defineProvider(id, { ...settings, origin: absolute(origin), speaks });
  }
  const { traits, protocolTraits, ...row } = preset;
  const key = settings.key ?? variable(preset.keyVariable);
  if (
    key === undefined &&
    preset.keyVariable !== undefined &&
    settings.auth === undefined &&
    settings.origin === undefined
  )
    throw new ClientRefusal(
      401,
      "missing_key",
      `The provider '${id}' has no key: set \`providers.${id}.key\` or the variable ${preset.keyVariable}.`,
    );
  return defineProvider(id, {
    ...row,
    ...settings,
    origin: absolute(settings.origin ?? addressOf(id, preset, parts, variable)),
    key,
    serverTraits: { ...(traits && { traits }), ...(protocolTraits && { protocolTraits }) },
  });
}

function addressOf(id: string, preset: Preset, parts: ProviderSettings["parts"], variable: Variable): string {
  const fixed = variable(preset.originVariable);
  if (fixed !== undefined) return fixed;
  const names = presetParts(preset).flatMap((part) => preset.parts?.[part]?.variables ?? []);
  const env = Object.fromEntries(names.map((one) => [one, variable(one)]));
  const { origin, problems } = presetAddress(preset, parts ?? {}, env);
  if (origin !== undefined) return origin;
  const [problem] = problems;
  throw new ClientRefusal(
    400,
    "invalid_provider",
    `providers.${id}.parts.${problem?.part}: ${problem?.text}.`,
  );
}

/** The address with a host: in a page it may be relative. */
const absolute = (origin: string): string => new URL(origin, globalThis.location?.href).href;
