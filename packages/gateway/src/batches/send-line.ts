import type { Batch } from "@manifold-gateway/store";
import { InactiveKey } from "../access/inactive-key.ts";
import { storeBilling } from "../billing/store-billing.ts";
import type { Access, Caller } from "../ports/access.ts";
import type { BatchTerms } from "../ports/batches.ts";
import type { Services } from "../ports/services.ts";
import type { BatchDeps } from "./deps.ts";
import { requestIdOf } from "./forms/form.ts";
import type { LineMoney } from "./line-money.ts";

/** The answer to the request of a line. */
export interface LineReply {
  status: number;
  /** The body, as JSON text on one line. */
  answer: string;
  /** The code, if this service refused the request. */
  code?: string;
  /** The wait that the answer requests, in milliseconds. */
  wait?: number;
  /** True if the answer states that a retry cannot succeed. */
  isFinal: boolean;
}

const POINT = "http://batch";

/** Finds the caller for the lines of a batch: its key with the present restrictions. */
export function callerOf({ store }: Pick<BatchDeps, "store">, batch: Batch): () => Promise<Caller> {
  const { accountId, keyId } = batch;
  return async () => {
    const key = await store.keys.get({ id: keyId, accountId });
    if (!key?.isActive) throw new InactiveKey({ accountId, keyId });
    const { name: keyName, restrictions } = key;
    return { accountId, keyId, keyName, ...(restrictions && { restrictions }) };
  };
}

/** Sends a line's request through the service, as if the batch's key had sent it. */
export async function sendLine(
  deps: BatchDeps,
  batch: Batch,
  {
    number,
    body,
    money,
    caller,
    exchanged,
  }: {
    number: number;
    body: string;
    money: LineMoney;
    caller(): Promise<Caller>;
    exchanged?: Partial<Services> | undefined;
  },
): Promise<LineReply> {
  const { store, policy, clock } = deps;
  const { headers, address } = batch.terms as unknown as BatchTerms;
  const request = new Request(POINT + deps.prefixOf(batch.surface) + batch.endpoint, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      "x-api-key": "batch",
      "x-request-id": requestIdOf(batch, number),
    },
    body,
  });
  const access: Access = {
    byKey: caller,
    byToken: () => undefined,
    operatorOf: () => undefined,
    forget() {},
  };
  const { headroom, ...billing } = storeBilling(
    { ...store, money: { ...store.money, ...methodsOf(money) } },
    { policy, now: clock.now },
  );
  const response = await deps.send(request, {
    ...exchanged,
    access,
    addressOf: () => address,
    // The last credit may be in the hold of this very line, so its absence must not refuse the line.
    billing: money.isHeld || !headroom ? billing : { ...billing, headroom },
  });
  return toReply(response);
}

/** The methods of a `LineMoney` as an object, to replace those of the store. */
const methodsOf = (money: LineMoney) => ({
  reserve: money.reserve.bind(money),
  settle: money.settle.bind(money),
  release: money.release.bind(money),
  checkpoint: money.checkpoint.bind(money),
});

async function toReply(response: Response): Promise<LineReply> {
  const text = await response.text();
  const json = jsonOf(text);
  const seconds = Number(response.headers.get("retry-after"));
  const isOfService = response.headers.get("x-error-source") === "service";
  const { code } = (json?.value ?? {}) as { code?: unknown };
  return {
    status: response.status,
    // In JSON text, line ends occur only between values, so they can become spaces.
    answer: json ? text.replace(/[\r\n]+/g, " ") : JSON.stringify(text),
    ...(isOfService && typeof code === "string" && { code }),
    ...(seconds > 0 && { wait: seconds * 1_000 }),
    isFinal: response.headers.get("x-should-retry") === "false",
  };
}

function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
