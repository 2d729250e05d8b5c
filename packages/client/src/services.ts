import type { LearntTraits } from "@manifold-gateway/providers/routing";
import type { CallServices } from "./calls/call-candidates.ts";
import type { Entries } from "./models/entries.ts";
import type { AnyOptions } from "./options.ts";
import type { Parts } from "./parts.ts";
import type { ProviderTable } from "./providers/provider-table.ts";

/** What all requests of a client share. */
export interface Services extends CallServices, Pick<Parts, "codecs" | "check" | "adapt"> {
  options: AnyOptions;
  entries: Entries;
  providers: ProviderTable;
  learnt: LearntTraits;
}
