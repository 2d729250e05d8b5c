import type { Batch } from "@manifold-gateway/store";
import type { TextService } from "../../generation/services.ts";
import { guardsOf } from "../../guards/checker.ts";
import type { Context } from "../../ports/context.ts";
import { nothingMetered } from "../../text/billable-items.ts";
import { fallbacksOf } from "../../text/fallback.ts";
import type { PlannedText } from "../../text/plan-text.ts";
import { isByService } from "./choice.ts";
import { upstreamWires } from "./wires/index.ts";

/** A line of a batch that is about to be sent. */
interface Line {
  context: Context<TextService>;
  planned: PlannedText;
  batch: Batch;
}

const planOf = ({ planned }: Line) => planned.queue.first();
const wireOf = (line: Line) => upstreamWires[planOf(line).resolution.protocol];
const durationOf = ({ createdAt, expiresAt }: Batch): number => expiresAt - createdAt;

function batchesOf(line: Line) {
  const { provider, protocol } = planOf(line).resolution;
  return provider.batches?.protocols.includes(protocol) ? provider.batches : undefined;
}

/** The reasons for which a line cannot be sent with an upstream batch and is sent alone. */
const obstacles: Readonly<Record<string, (line: Line) => boolean>> = {
  "its key says so": ({ context }) => context.caller.restrictions?.batchBy?.includes("provider") === false,
  "its entry says so": (line) => planOf(line).resolution.entry.batches === false,
  "the request of the batch says so": ({ batch }) => isByService(batch),
  "the batch has less time than the provider takes": (line) =>
    durationOf(line.batch) < (wireOf(line)?.duration ?? 0),
  "the request is translated": (line) => planOf(line).translated,
  "a guard may check it": ({ context }) =>
    guardsOf(context, "request").length + guardsOf(context, "reply").length > 0,
  "its answer may be kept": ({ planned }) => planned.caching !== undefined,
  "another model may answer it": ({ context, planned }) => fallbacksOf(context, planned.ask).length > 0,
  "it is billed for more than tokens": (line) => planOf(line).metered !== nothingMetered,
};

/** The batch endpoint of the provider to which a line is sent, and its wire; undefined if the line is sent alone. */
export function upstreamWireOf(line: Line) {
  const [batches, wire] = [batchesOf(line), wireOf(line)];
  if (!batches || !wire || Object.values(obstacles).some((stands) => stands(line))) return undefined;
  return { batches, wire };
}
