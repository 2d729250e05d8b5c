import type { Provider } from "@manifold-gateway/providers/provider";
import { ClientRefusal } from "../reply/failure.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import type { Candidate } from "./candidate.ts";
import type { Entry } from "./entries.ts";

/**
 * The candidates for a request, in the order of its model's targets. A target whose provider cannot be called, such as
 * for want of a key, is left out; if all are, the first reason is thrown.
 */
export async function candidatesOf<Of extends Candidate>(
  { model }: Incoming,
  { entries, providers }: Services,
  candidateOf: (entry: Entry, provider: Provider) => Of | Promise<Of>,
): Promise<Of[]> {
  const candidates: Of[] = [];
  let refusal: ClientRefusal | undefined;
  for (const entry of await entries.of(model)) {
    try {
      candidates.push(await candidateOf(entry, await providers.get(entry.provider)));
    } catch (error) {
      if (!(error instanceof ClientRefusal)) throw error;
      refusal ??= error;
    }
  }
  if (candidates.length === 0 && refusal) throw refusal;
  return candidates;
}
