import type { Batch, NewBatch } from "@manifold-gateway/store";
import { quote, Refusal } from "../http/refusal.ts";
import type { BatchTerms } from "../ports/batches.ts";
import type { Context } from "../ports/context.ts";
import { type BatchService, batchesOf } from "./services.ts";
import { BY_HEADER, checkChoice } from "./upstream/choice.ts";

/** The headers of a batch's request that apply to each of its lines. */
const CARRIED = ["x-loss-policy", "x-tags", "x-cache", BY_HEADER];

/** A batch as its surface reads it from a request. */
export interface BatchRequest extends Pick<NewBatch, "endpoint" | "input"> {
  /** The prefix of the batch's id. */
  prefix: string;
  /** The time until it expires, in milliseconds. */
  duration: number;
  terms: Omit<BatchTerms, "headers" | "address">;
}

/** The refusal of a request that names a file which the account does not have. */
export const fileNotFound = (id: string, param: string): Refusal =>
  new Refusal("file_not_found", `${param}: there is no file ${quote(id)}.`, { param, status: 400 });

/** Begins a batch. Throws a 429 if the account has too many, and a 400 if the file no longer exists. */
export async function beginBatch(
  context: Context<BatchService>,
  { prefix, input, duration, endpoint, terms }: BatchRequest,
): Promise<Batch> {
  const { services, caller, exchange, surface } = context;
  const { limits, wake } = batchesOf(services);
  checkChoice(exchange);
  const createdAt = services.now();
  const id = `${prefix}${context.reservedId ?? services.id()}`;
  const headers = Object.fromEntries(
    CARRIED.flatMap((name) => {
      const value = exchange.header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const address = services.addressOf(exchange);
  const batch: NewBatch = {
    ...{ id, accountId: caller.accountId, keyId: keyOf(caller), surface: surface.name },
    ...{ endpoint, input, createdAt },
    expiresAt: createdAt + duration,
    terms: JSON.parse(JSON.stringify({ ...terms, headers, address })) as NewBatch["terms"],
  };
  const most = limits.liveBatches;
  const begun = await services.store.batches.create(batch, { most });
  if (begun === "busy")
    throw new Refusal(
      "too_many_batches",
      `The account has ${most} running batches, the most that it may have.`,
      {
        headers: { "retry-after": "60" },
      },
    );
  if (begun === "missing") throw fileNotFound(input, "input_file_id");
  wake();
  return { ...batch, phase: "reading", total: 0, attempt: 0 };
}

/** The key of the request: routes of batches admit only keys. */
function keyOf({ keyId }: Context["caller"]): string {
  if (keyId === undefined) throw new Error("A batch is begun by a key.");
  return keyId;
}
