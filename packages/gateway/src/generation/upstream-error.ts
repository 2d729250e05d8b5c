import type { AnyCaller, AnyProvider } from "@manifold-gateway/core";
import { convertRefusal, NoReason } from "@manifold-gateway/core/reply";
import { secretsOf } from "@manifold-gateway/providers";
import { Refusal } from "../http/refusal.ts";
import { errorSource } from "../http/source.ts";
import type { Answer, Context } from "../ports/context.ts";
import { traceHeaders } from "../routing/request-trace.ts";
import { noteRefusal } from "./provider-error.ts";
import { readAnswer } from "./read-answer.ts";
import { restByBody } from "./rest-by-body.ts";
import type { Answered, Plan } from "./stages.ts";

/** The protocols between which an error is converted. */
interface Conversion {
  /** The protocols of the upstream and of the caller. */
  from: Pick<AnyProvider, "protocol" | "failure">;
  to: Pick<AnyCaller, "protocol" | "failure">;
  /** The upstream is a platform with an error format of its own. */
  isForeign?: boolean;
}

const NOTHING = new Uint8Array();

/**
 * Settles a generation as failed, and converts the provider's error to the caller's protocol. If both sides speak the
 * same one, the body is forwarded.
 */
export async function answerRefusal<Of extends Plan>(
  { services, exchange }: Pick<Context<"limits" | "routing">, "services" | "exchange">,
  { response, plan, generation, trace }: Answered<Of>,
  { from, to, isForeign }: Conversion,
): Promise<Answer> {
  let bytes: Uint8Array = NOTHING;
  try {
    bytes = await readAnswer(response.body, exchange.sink, services.limits);
  } catch {
    // Without a readable body, the status is the whole message.
  }
  noteRefusal(trace, response.status, bytes, plan.endpoint.provider);
  await generation.settle("failed");
  const refused = { status: response.status, headers: response.headers, bytes };
  const secrets = () => secretsOf(plan.endpoint.provider);
  try {
    const { failure, whole } = convertRefusal(refused, from, to, {
      secrets,
      now: Date.now(),
      foreignErrors: isForeign,
    });
    if (response.headers["retry-after"] === undefined) restByBody(services, plan, failure);
    return { ...whole, headers: { ...errorSource.provider, ...traceHeaders(trace), ...whole.headers } };
  } catch (error) {
    if (!(error instanceof NoReason)) throw error;
    throw new Refusal("provider_failed", error.message, { headers: error.headers });
  }
}
