import type { ImagePreview } from "@manifold-gateway/core/operations";
import type { Line, Service } from "@manifold-gateway/providers";
import { recordTrouble, withAttempt } from "./course.ts";
import { calledWith, credentialTurn } from "./credentials.ts";
import type { SubmitReply } from "./deps.ts";
import { GRACE, type LeasedJob } from "./leased-job.ts";
import { clientOf, lineOf, noteCalls } from "./line.ts";
import type { Provided } from "./operation.ts";

/** The last call of a submission, and its outcome. */
export interface SentCall {
  /** The job, with the attempts that were refused before in its course. */
  sent: LeasedJob;
  /** The service, with the credential of the call. */
  service: Service;
  /** The duration in milliseconds and the credential's name, for the course. */
  attempt: { ms: number; credential?: string };
  /** Whether anything was sent, and the status of the answer. */
  calls: { sent: boolean; status?: number };
  /** Milliseconds until one of several credentials is tried again. */
  pause: number | undefined;
  outcome: { answer: SubmitReply } | { error: unknown };
}

/** Submits a job. If a provider with several credentials refuses one of them, the next is tried. */
export async function send(
  held: LeasedJob,
  { adapter, service }: Pick<Provided, "adapter" | "service">,
  ask: object,
  hooks: { publish: Line["publish"]; preview: ((preview: ImagePreview) => void) | undefined },
): Promise<SentCall> {
  const { clock } = held.deps;
  const turn = credentialTurn(held, service);
  let sent = held;
  for (;;) {
    const credential = turn.present();
    const called = calledWith(service, credential);
    const { client, calls } = noteCalls(clientOf(sent, called, "submit"));
    const began = clock.now();
    const outcome = await sent
      .within(GRACE.call, (timed) =>
        adapter.submit({ ...lineOf(timed, called, "submit", hooks.publish), client }, ask, hooks.preview),
      )
      .then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
    const made = { ms: Math.max(0, clock.now() - began), ...(credential && { credential: credential.name }) };
    if ("error" in outcome || held.signal.aborted || !turn.goesOn(outcome.answer))
      return { sent, service: called, attempt: made, calls, pause: turn.pause(), outcome };
    sent = withAttempt(sent, { ...made, ...(calls.status !== undefined && { status: calls.status }) });
    if (outcome.answer && "trouble" in outcome.answer && outcome.answer.trouble)
      recordTrouble(sent, outcome.answer.trouble);
  }
}
