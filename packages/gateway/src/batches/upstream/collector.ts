import { randomUUID } from "node:crypto";
import { bytesOf } from "@manifold-gateway/providers";
import type { Batch } from "@manifold-gateway/store";
import { openGeneration } from "../../generation/generation.ts";
import type { TextService } from "../../generation/services.ts";
import type { Answer, Context } from "../../ports/context.ts";
import type { Deferral } from "../../ports/deferral.ts";
import { priceTimes } from "../../routing/terms.ts";
import type { PlannedText } from "../../text/plan-text.ts";
import type { BatchDeps } from "../deps.ts";
import type { LineMoney } from "../line-money.ts";
import { Draft, type DraftTarget } from "./draft.ts";
import { upstreamWireOf } from "./fitting.ts";
import { termsFor } from "./terms.ts";

/** A line that may be sent with an upstream batch. */
interface Candidate {
  number: number;
  money: LineMoney;
}

/** The deferral of a line's call. `isTaken` is true once the line has its hold and is in a draft. */
type Taking = Deferral & { isTaken: boolean };

/**
 * Collects lines for upstream batches, in one draft for each model, entry and path. Drafts are in memory until `flush`
 * sends those that are full or old.
 */
export class Collector {
  readonly #deps: BatchDeps;
  readonly #batch: Batch;
  readonly #send: (draft: Draft) => Promise<void>;
  readonly #drafts = new Map<string, Draft>();

  constructor(deps: BatchDeps, batch: Batch, send: (draft: Draft) => Promise<void>) {
    this.#deps = deps;
    this.#batch = batch;
    this.#send = send;
  }

  take(line: Candidate): Taking {
    const taking: Taking = {
      isTaken: false,
      answer: async (context: Context<TextService>, planned: PlannedText) => {
        const answer = await this.#join(context, planned, line);
        taking.isTaken = answer !== undefined;
        return answer;
      },
    };
    return taking;
  }

  /** Makes a line's hold at the batch price, and adds its request to the draft as it would have been sent alone. */
  async #join(
    context: Context<TextService>,
    planned: PlannedText,
    { number, money }: Candidate,
  ): Promise<Answer | undefined> {
    const fit = upstreamWireOf({ context, planned, batch: this.#batch });
    if (!fit) return undefined;
    const { batches, wire } = fit;
    const { body, endpoint, resolution } = planned.queue.first();
    const { model, entry, provider, protocol, terms } = resolution;
    const price = priceTimes(terms.price, batches.factor);
    const base = provider.speaks[protocol]?.base ?? "";
    const path = endpoint.path.slice(base.length);
    // The revision is part of the key, so that all lines of a draft have one price even if the catalog changes.
    const key = JSON.stringify([resolution.id, protocol, path, model.revision, price]);
    const draft = this.#draftOf(key, () => {
      const { credentials } = provider;
      const identity = (): string => this.#batch.id;
      const picked = credentials && context.services.routing.credentials.pick({ credentials, identity });
      const rest = { protocol, path, ...(picked && { credential: picked.name }) };
      return { wire, terms: termsFor(model, entry, price, rest) };
    });
    const { amount: _, ...opening } = planned.opening;
    await draft.join(async () => {
      money.sendWith(draft.id);
      const { calls } = await openGeneration(context, { ...planned, opening: { ...opening, price } });
      calls.close();
      const text = Buffer.from(bytesOf(body))
        .toString()
        .replace(/[\r\n]+/g, " ");
      return wire.requestOf(String(number), text, path);
    });
    return { status: 202, body: {} };
  }

  #draftOf(key: string, target: () => DraftTarget): Draft {
    const known = this.#drafts.get(key);
    if (known && known.size < known.wire.most) return known;
    // A full draft moves to a key of its own, where it waits until its lines have joined.
    if (known) this.#drafts.set(known.id, known);
    const draft = new Draft(randomUUID(), target(), this.#deps.clock.now());
    this.#drafts.set(key, draft);
    return draft;
  }

  /** Sends the due drafts, or all of them. Resolves when each was sent or could not be. */
  async flush(all = false): Promise<void> {
    const { limits, clock } = this.#deps;
    const { bytes, age } = limits.upstream;
    const sum = [...this.#drafts.values()].reduce((total, draft) => total + draft.bytes, 0);
    const most = Math.max(...[...this.#drafts.values()].map((draft) => draft.bytes));
    const due = [...this.#drafts].filter(
      ([, draft]) =>
        all ||
        draft.requests.length >= draft.wire.most ||
        clock.now() - draft.beganAt >= age ||
        (sum >= bytes && draft.bytes === most),
    );
    for (const [key] of due) this.#drafts.delete(key);
    for (const [, draft] of due) {
      await draft.settled();
      if (draft.requests.length > 0) await this.#send(draft);
    }
  }
}
