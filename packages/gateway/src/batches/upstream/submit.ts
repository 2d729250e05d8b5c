import { isProviderFault } from "@manifold-gateway/providers/routing";
import { logFailure } from "../../http/fault.ts";
import { retryWrite } from "../retry-write.ts";
import type { WorkContext } from "../work-context.ts";
import { callWire, type WireAnswer } from "./calls.ts";
import type { Draft } from "./draft.ts";
import { targetOf, toStored, type UpstreamTarget } from "./terms.ts";

/** The number of calls to a provider that requests a pause. */
const TRIES = 3;

/**
 * The result of sending: the provider has the upstream batch, has refused it, or may have it. The lines of a refused
 * one are given back and run one by one.
 */
type Sent = { remoteId: string } | { refusal: string } | { status: number | undefined };

/**
 * Sends a draft to its provider. The record is written before the call, so that no batch at a provider is forgotten: if
 * the answer is lost, the batch is searched for later.
 */
export async function submit(context: WorkContext, draft: Draft): Promise<void> {
  const { deps, ref } = context;
  const { store, clock, log } = deps;
  const { id, terms, requests } = draft;
  const record = { id, terms: toStored(terms), lines: requests.length, createdAt: clock.now() };
  if (!(await store.upstreamBatches.open(ref, record))) return;
  const target = targetOf(deps, terms);
  const sent = target ? await send(context, target, draft) : { refusal: "the provider is gone" };
  const fields = { batch: ref.id, upstream: id, provider: terms.model.entries[0]?.provider };
  if ("status" in sent)
    return log.warn({ ...fields, status: sent.status }, "not known whether a provider has a batch");
  if ("remoteId" in sent) {
    await retryWrite(context, () => store.upstreamBatches.change(ref, id, { remoteId: sent.remoteId }));
    return log.info(
      { ...fields, remote: sent.remoteId, lines: requests.length },
      "batch sent to its provider",
    );
  }
  await store.upstreamBatches.change(ref, id, { endedAt: clock.now(), outcome: "refused" });
  log.warn(
    { ...fields, refusal: sent.refusal },
    "batch refused by its provider, its lines are run one by one",
  );
}

async function send(context: WorkContext, target: UpstreamTarget, draft: Draft): Promise<Sent> {
  const { wire } = target;
  const { id: name, requests, terms } = draft;
  let file = "";
  if (wire.upload) {
    // An upload costs nothing. If it fails in any way, the batch was not created.
    const answer = await repeated(context, target, wire.upload(name, requests)).catch(noAnswer);
    const id = answer && answer.status < 300 ? answer.value.id : undefined;
    if (typeof id !== "string")
      return { refusal: answer ? `the file: ${answer.status}` : "the file: no answer" };
    file = id;
  }
  const create = wire.create({ name, path: terms.path, file, requests });
  const answer = await repeated(context, target, create).catch((error: unknown) => {
    logFailure(context.deps.log, error, { batch: context.ref.id, upstream: name }, "batch not sent");
    return undefined;
  });
  const made = answer && answer.status < 300 ? wire.batchOf(answer.value) : undefined;
  if (made) return { remoteId: made.id };
  const isRefused = answer && answer.status >= 400 && answer.status < 500 && answer.status !== 408;
  return isRefused ? { refusal: String(answer.status) } : { status: answer?.status };
}

function noAnswer(error: unknown): undefined {
  if (!isProviderFault(error)) throw error;
  return undefined;
}

/** Repeats a call, a few times, if the provider requests a pause: it has done nothing then. */
async function repeated(
  { deps, stops }: WorkContext,
  target: UpstreamTarget,
  call: Parameters<typeof callWire>[2],
): Promise<WireAnswer> {
  const { initial, max } = deps.limits.retry;
  for (let tries = 1; ; tries++) {
    const answer = await callWire(deps, target, call);
    if (answer.status !== 429 || tries === TRIES || stops()) return answer;
    const pause = Math.min(max, Math.max(initial * 2 ** tries, answer.wait ?? 0));
    await new Promise<void>((resolve) => void deps.clock.after(pause, resolve));
  }
}
