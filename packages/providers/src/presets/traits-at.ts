import type { Preset } from "./preset.ts";
import { presets } from "./table.ts";

type PresetTraits = Pick<Preset, "traits" | "protocolTraits">;

const PART = /\\\{\w+\\\}/g;

interface Place extends PresetTraits {
  origin: RegExp;
  path: string;
}

const toPlace = (address: string, { traits, protocolTraits }: Preset): Place => {
  const end = `${address}/`.indexOf("/", "https://".length);
  const [origin, path] = [address.slice(0, end), address.slice(end)];
  const pattern = origin.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(PART, "[\\w-]+");
  return {
    origin: new RegExp(`^${pattern}$`),
    path,
    ...(traits && { traits }),
    ...(protocolTraits && { protocolTraits }),
  };
};

/** The addresses of vendors whose servers differ from their protocols, those with the longest paths first. */
const places: readonly Place[] = Object.values(presets)
  // A host that is a part as a whole could be any.
  .filter(({ kind, origin }) => kind !== "server" && !origin.includes("//{host}"))
  .flatMap((preset) =>
    [preset.origin, ...Object.values(preset.regions ?? {})].map((address) => toPlace(address, preset)),
  )
  .sort((a, b) => b.path.length - a.path.length);

/**
 * What is known of the server at this address, for a provider that is declared without the name of a preset. An address
 * with an unknown path has the traits of its host.
 */
export function traitsAt(address: string): PresetTraits {
  const { origin, pathname } = new URL(address);
  const atHost = places.filter((place) => place.origin.test(origin));
  const { traits, protocolTraits } =
    atHost.find(({ path }) => `${pathname}/`.startsWith(`${path}/`)) ?? atHost.at(-1) ?? {};
  return { ...(traits && { traits }), ...(protocolTraits && { protocolTraits }) };
}
