import type { NewEvent } from "@manifold-gateway/store";
import { HOUR } from "../http/moments.ts";
import type { Catalog } from "../ports/catalog.ts";
import { entryId } from "../routing/candidate.ts";
import type { WebhookEvent } from "./events.ts";

/** The event of an opened circuit: one an hour for each entry, however many processes report it. */
export function circuitOpened(catalog: Pick<Catalog, "list">, id: string, at: number): NewEvent {
  const found = catalog
    .list()
    .flatMap((model) => model.entries.map((entry) => ({ model, entry })))
    .find(({ model, entry }) => entryId(model, entry) === id);
  const data = { entry: id, ...(found && { model: found.model.id, provider: found.entry.provider }) };
  const type: WebhookEvent = "entry.circuit_opened";
  return { name: `circuit ${id} ${Math.floor(at / HOUR)}`, type, data, createdAt: at };
}
