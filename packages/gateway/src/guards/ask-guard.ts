import { parseBounded } from "@manifold-gateway/core/codec";
import { type Transport, UpstreamFault } from "@manifold-gateway/providers";
import { z } from "zod";
import { toSeconds } from "../http/moments.ts";
import type { Guard, GuardedText, GuardPhase } from "../ports/guards.ts";
import { signatureHeaders } from "../webhooks/sign.ts";

/** The size limit of an answer, in bytes: it may repeat all texts of a request with their places. */
const LONGEST = 16 * 1024 * 1024;
/** The longest reason that is shown, in characters. */
const REASON = 500;

const reason = z
  .string()
  .optional()
  .transform((text) => text?.slice(0, REASON));
const answerSchema = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("allow"), reason }),
  z.object({
    decision: z.literal("mask"),
    texts: z.array(z.object({ place: z.string(), text: z.string() })),
    reason,
  }),
  z.object({ decision: z.literal("refuse"), reason }),
]);
/** The answer of a guard. A text that it does not name stays as it is. */
export type GuardAnswer = z.output<typeof answerSchema>;

/** The facts that a guard gets about the request. */
export interface GuardedRequest {
  id: string;
  account: string;
  key: string | undefined;
  surface: string;
  /** The end user's id, as the caller stated it. */
  user: string | undefined;
}

/** A guard gave no answer, or an unreadable one. The message says what arrived. */
export class GuardFailure extends Error {}

interface Asking {
  /** A unique id of the question: receivers that reject replays accept each id once. */
  question: string;
  transport: Transport;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Asks a guard about texts, signed as webhooks are. Throws `GuardFailure`. */
export async function askGuard(
  { url, secrets, timeout }: Guard,
  phase: GuardPhase,
  request: GuardedRequest,
  texts: readonly GuardedText[],
  { question, transport, now }: Asking,
): Promise<GuardAnswer> {
  const body = JSON.stringify({ type: `guard.${phase}`, ...request, texts });
  const { origin, pathname, search } = new URL(url);
  try {
    const response = await transport.send({
      ...{ origin, path: pathname + search, method: "POST", body },
      headers: {
        "content-type": "application/json",
        "user-agent": "manifold",
        ...signatureHeaders({ id: question, timestamp: toSeconds(now), body }, secrets),
      },
      ...{ firstByte: timeout, idle: timeout },
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status !== 200) {
      response.body.cancel();
      throw new GuardFailure(`status ${response.status}`);
    }
    const answer = answerSchema.safeParse(
      parseBounded(new TextDecoder().decode(await response.body.bytes(LONGEST))),
    );
    if (answer.success) return answer.data;
  } catch (error) {
    if (error instanceof UpstreamFault) throw new GuardFailure(error.kind, { cause: error });
    throw error;
  }
  throw new GuardFailure("an answer that is none of allow, mask and refuse");
}
