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

/** A line that may be sent with a batch of its provider. */
interface Candidate {
  number: number;
  money: LineMoney;
}

/** What takes the place of a line's call: `isTaken` once it is held for and waits in a draft. */
type Taking = Deferral & { isTaken: boolean };

/**
 * Collects the lines of a batch that are sent with batches of their providers, by the model, the entry and the path. They
 * are in memory until they are sent: `flush` sends those that are full, or old.
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

  /** Holds for a line at the batch's price, and adds its request as it would have been sent. */
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
    // After a change of the catalog, a batch has one price still.
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
    // A full one waits under its own id until its lines have joined.
    if (known) this.#drafts.set(known.id, known);
    const draft = new Draft(randomUUID(), target(), this.#deps.clock.now());
    this.#drafts.set(key, draft);
    return draft;
  }

  /** Sends the drafts that are due, or all. Resolves when they are sent, or have failed to be. */
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
