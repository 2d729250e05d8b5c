import type { JsonObject } from "@manifold-gateway/core/codec";
import type { GenerationFilter } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import { delayHeaders } from "../http/report-delay.ts";
import type { RequestContext } from "../ports/context.ts";
import { archivedHeaders } from "./archived-until.ts";
import { FORMS } from "./export.ts";

interface ExportFile {
  format: keyof typeof FORMS;
  name: string;
  columns: readonly string[];
  /** The beginning of its range, in ms. */
  from: GenerationFilter["from"];
}

/**
 * Sends records as a file while they are read. An export that cannot be finished breaks off the connection, so that no
 * part passes for the whole.
 */
export async function sendExport(
  { exchange: { sink }, services }: RequestContext<"stopping" | "store">,
  { format, name, columns, from }: ExportFile,
  pages: AsyncGenerator<JsonObject[]>,
): Promise<undefined> {
  const form = FORMS[format];
  // Read before the head is sent: if the database cannot be reached, a refusal can still be sent.
  const first = await pages.next();
  sink.head(200, {
    ...delayHeaders(services.store),
    ...(await archivedHeaders(services.store, { from })),
    "content-type": form.type,
    "content-disposition": `attachment; filename="${name}"`,
  });
  await sink.write(form.head(columns));
  for (let page = first; !page.done && !sink.closed; page = await pages.next()) {
    if (services.stopping()) throw new Refusal("shutting_down", "The service is shutting down.");
    await sink.write(form.rows(page.value, columns));
  }
  sink.end();
  return undefined;
}
