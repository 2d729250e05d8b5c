import { type AnyCodec, collectLosses, type Loss, type TextRequest } from "@manifold-gateway/core";
import type { Traits } from "@manifold-gateway/core/codec";
import { fitNames as fitFor } from "../../packages/core/src/translate/fit-names.ts";
import { pairCalls } from "../../packages/core/src/translate/pair-calls.ts";
import { readRequest } from "./fixtures.ts";

/** What a codec is given (mended and fitted), what it reads back of what it wrote, and what it says it lost. */
export function send(
  request: TextRequest,
  to: AnyCodec,
  traits: Traits,
): { sent: TextRequest; arrived: TextRequest; losses: Loss[] } {
  const { losses, lose } = collectLosses();
  const quiet = (): void => {};
  const target = { names: to.names, ids: to.ids, freeform: to.freeform && traits.freeform !== false };
  const sent = fitFor(pairCalls(request, quiet), target, quiet).request;
  const arrived = readRequest(to, to.request.encode(sent, lose, traits), sent.model, sent.stream);
  return { sent, arrived, losses };
}
