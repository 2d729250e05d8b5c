import { DownloadFault, type Trouble, UpstreamFault } from "@manifold-gateway/providers";
import { ObjectFault } from "@manifold-gateway/store";
import { match, P } from "ts-pattern";
import { causeFields } from "../http/fault.ts";
import { BadOutput, isPassing, LostOutput, NotReady } from "./archive.ts";
import { fail, LOST, succeed } from "./end.ts";
import { readAsk } from "./inputs.ts";
import { GRACE, type LeasedJob, OutOfTime } from "./leased-job.ts";
import { lineOf } from "./line.ts";
import type { Provided } from "./operation.ts";
import { retry } from "./retry.ts";

const UNSTORED: Trouble = { kind: "unavailable", message: "The output could not be fetched and stored." };

/** Stores the outputs and ends the job, or postpones that. */
export async function storeOutputs(
  held: LeasedJob,
  { operation, service }: Provided,
  result: object,
  ask?: object,
): Promise<void> {
  try {
    const known = ask ?? (held.job.kind === "speech" ? await readAsk(held) : undefined);
    const made = await held.within(GRACE.store, (timed) =>
      operation.keep(timed, known, result, lineOf(timed, service, "fetch")),
    );
    await succeed(held, made);
  } catch (error) {
    if (held.signal.aborted) return;
    const warn = (): void =>
      held.deps.log.warn(
        { job: held.job.id, fault: codeOf(error), ...causeFields(error) },
        "job output not stored",
      );
    return match(error)
      .with(P.instanceOf(LostOutput), () => fail(held, LOST, { orphan: true }))
      .with(P.instanceOf(BadOutput), ({ message }) => fail(held, { kind: "unavailable", message }))
      .with(P.instanceOf(OutOfTime), () => fail(held, UNSTORED))
      .with(
        P.union(
          P.when(isPassing),
          P.instanceOf(NotReady),
          P.instanceOf(UpstreamFault),
          P.instanceOf(ObjectFault),
        ),
        () => {
          warn();
          return retry(held, UNSTORED);
        },
      )
      .with(P.instanceOf(DownloadFault), () => {
        warn();
        return fail(held, UNSTORED);
      })
      .otherwise(() => {
        throw error;
      });
  }
}

const codeOf = (error: unknown): string =>
  error instanceof UpstreamFault ? error.kind : ((error as { code?: string }).code ?? (error as Error).name);
