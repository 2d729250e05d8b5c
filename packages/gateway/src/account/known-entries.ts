import { addSums, newSums, type ServedEntry, type UsagePoint } from "@manifold-gateway/store";
import type { Services } from "../ports/services.ts";
import { allEntries } from "../routing/entry-state.ts";

/** The entries of the catalog, and those that served requests before they were removed, by their ids. */
export type KnownEntries = ReadonlyMap<string, ServedEntry>;

/** Reads the known entries. */
export async function knownEntries(
  services: Pick<Services, "store" | "wholeCatalog">,
): Promise<KnownEntries> {
  const entries = new Map(await services.store.usage.served());
  for (const { id, model, entry } of allEntries(services))
    entries.set(id, { entry: id, provider: entry.provider, name: entry.name, model: model.id });
  return entries;
}

/** The ids of a provider's entries. */
export const entriesOf = (entries: KnownEntries, provider: string): string[] =>
  [...entries.values()].flatMap((one) => (one.provider === provider ? [one.entry] : []));

/** Merges points under other names, such as the providers of their entries, in the order of time. */
export function regroup(points: readonly UsagePoint[], nameOf: (name: string) => string): UsagePoint[] {
  const groups = new Map<string, UsagePoint>();
  for (const point of points) {
    const name = nameOf(point.name ?? "");
    const place = `${point.at} ${name}`;
    let group = groups.get(place);
    if (!group) {
      group = { at: point.at, name, ...newSums(false) };
      groups.set(place, group);
    }
    addSums(group, point);
  }
  return [...groups.values()];
}
