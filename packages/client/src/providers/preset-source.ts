import { lazyIdentity } from "@manifold-gateway/providers/identity";
import type { Preset } from "@manifold-gateway/providers/presets/load";
import type { ProviderSettings } from "../options.ts";
import { ClientRefusal } from "../reply/failure.ts";
import type { PresetSource } from "./provider-table.ts";
import type { Variable } from "./variables.ts";

const load = () => import("@manifold-gateway/providers/presets/load");

/** The presets of the providers' package, loaded when one is needed first. */
export const allPresets: PresetSource = {
  has: async (id) => (await (await load()).loadPreset(id)) !== undefined,
  async options(id, { preset: name, parts, ...settings }, variable) {
    if (name === undefined && settings.origin !== undefined && settings.speaks !== undefined) {
      const { traitsAt } = await import("@manifold-gateway/providers/presets");
      const known = URL.canParse(settings.origin) && traitsAt(settings.origin);
      return {
        ...settings,
        origin: settings.origin,
        speaks: settings.speaks,
        ...(known && { serverTraits: known }),
      };
    }
    const { loadPreset } = await load();
    const preset = await loadPreset(name ?? id);
    if (!preset) return undefined;
    const { traits, protocolTraits, ...row } = preset;
    const key = settings.key ?? variable(preset.keyVariable);
    const origin = settings.origin ?? (await addressOf(id, preset, parts, variable));
    if (key === undefined && needsKey(preset, settings))
      throw new ClientRefusal(
        401,
        "missing_key",
        `The provider '${id}' has no key: set \`providers.${id}.key\` or the variable ${preset.keyVariable}.`,
      );
    return {
      ...row,
      ...settings,
      origin,
      key,
      serverTraits: { ...(traits && { traits }), ...(protocolTraits && { protocolTraits }) },
    };
  },
  identify: lazyIdentity,
};

/** Whether a preset cannot be called without a key; a server of one's own may need none. */
const needsKey = ({ keyVariable, kind }: Preset, { auth, origin }: ProviderSettings): boolean =>
  keyVariable !== undefined && kind !== "server" && auth === undefined && origin === undefined;

async function addressOf(
  id: string,
  preset: Preset,
  parts: ProviderSettings["parts"],
  variable: Variable,
): Promise<string> {
  const fixed = variable(preset.originVariable);
  if (fixed !== undefined) return fixed;
  const { presetAddress, presetParts } = await load();
  const names = presetParts(preset).flatMap((part) => preset.parts?.[part]?.variables ?? []);
  const env = Object.fromEntries(names.map((one) => [one, variable(one)]));
  const { origin, problems } = presetAddress(preset, parts ?? {}, env);
  if (origin !== undefined) return origin;
  const [problem] = problems;
  throw new ClientRefusal(
    404,
    "invalid_provider",
    `providers.${id}.parts.${problem?.part}: ${problem?.text}.`,
  );
}
