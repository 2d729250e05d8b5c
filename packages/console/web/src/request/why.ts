import { FAULTS, inWords } from "./words.ts";

/** One call of a provider, as records hold it. */
export interface Try {
  entry: string;
  /** Only in records as operators see them. */
  provider?: string;
  status?: number;
  fault?: string;
  ms?: number;
  perhapsCharged?: boolean;
  /** What the provider answered. */
  error?: { code?: string; type?: string; message?: string };
}

const nameOf = ({ provider, entry }: Try): string => provider ?? entry;
const isFailed = ({ status, fault, error }: Try): boolean =>
  fault !== undefined || error !== undefined || status === undefined || status >= 400;

/** What a provider answered to a call that failed, in one sentence. */
function answerOf(one: Try): string {
  const { status = 0, fault, error } = one;
  if (fault !== undefined && error === undefined)
    return `${nameOf(one)} gave no answer: ${inWords(FAULTS, fault)}.`;
  const code = error?.code ?? error?.type;
  const answered = status >= 400 ? `answered ${status}` : "failed while it answered";
  const head = [nameOf(one), answered, ...(code === undefined ? [] : [code])].join(" ");
  return error?.message === undefined ? `${head}.` : `${head}: ${error.message.trim()}`;
}

/** Why a request failed, or was sent more than once, and what followed; undefined if nothing went wrong. */
export function reasonOf(attempts: readonly Try[], status: string): string | undefined {
  const at = attempts.findLastIndex(isFailed);
  const failed = attempts[at];
  if (!failed) return undefined;
  const next = attempts[at + 1];
  if (next) return `${answerOf(failed)} It was sent again to ${nameOf(next)}, which answered.`;
  if (status !== "failed") return answerOf(failed);
  const before =
    attempts.length > 1 ? ` It was the last of ${attempts.length} attempts.` : " It was not retried.";
  return answerOf(failed) + before;
}
