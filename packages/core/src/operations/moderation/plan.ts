import { show } from "../../capability/message-text.ts";
import type { Rejection } from "../../plan/rejection.ts";
import type { Origins } from "../../translate/origins.ts";
import type { OperationIssue } from "../codec.ts";
import {
  type OperationPlan,
  type OperationPlanOptions,
  type OperationSource,
  type OperationTarget,
  planOperation,
} from "../plan.ts";
import type { ModerationCodec } from "./codec.ts";
import type { ModerationPart, ModerationRequest } from "./ir.ts";

/** A model of a provider, on the wire on which it judges. */
export interface ModerationTarget extends OperationTarget<ModerationRequest> {
  /** The wire on which it judges. */
  codec: ModerationCodec;
  /** Whether it judges images, beside texts. Default: it does not. */
  images?: boolean;
}

/** Plans a request for moderation for one target, or rejects it with every rule that it breaks. */
export const planModeration = (
  source: OperationSource<ModerationRequest> & { codec: ModerationCodec },
  target: ModerationTarget,
  options: OperationPlanOptions<ModerationRequest> = {},
): OperationPlan<ModerationRequest> | Rejection =>
  planOperation(
    {
      operation: "moderation",
      check: (request, origins) => (target.images ? [] : Array.from(imagesIn(request, origins))),
    },
    source,
    target,
    options,
  );

function* imagesIn({ inputs, model }: ModerationRequest, origins: Origins): Generator<OperationIssue> {
  for (const [i, { parts }] of inputs.entries())
    for (const [j, part] of parts.entries()) {
      if (part.type === "text") continue;
      const path = origins.get(part) ?? `/inputs/${i}/parts/${j}`;
      const field = path.slice(1).replaceAll("/", ".");
      yield { path, message: `${field}: image is not accepted, only text (model ${show(model)})` };
    }
}

/** Bytes of text in a token. */
const TEXT = 4;
/** Tokens of an image. */
const IMAGE = 258;

const tokensOf = (part: ModerationPart): number =>
  part.type === "text" ? Math.ceil(new TextEncoder().encode(part.text).length / TEXT) : IMAGE;

/** The tokens of a request whose answer does not count them: held before it, and billed after it. */
export function estimateModeration({ inputs }: ModerationRequest): { input: number; estimated: true } {
  const parts = inputs.flatMap((input) => input.parts);
  return { input: parts.reduce((sum, part) => sum + tokensOf(part), 0), estimated: true };
}
