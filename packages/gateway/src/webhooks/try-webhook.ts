import type { Transport } from "@manifold-gateway/providers";
import { messageOf } from "../http/fault.ts";
import type { WebhookTest } from "../ports/declarations.ts";
import { timeOrderedId } from "../request/time-ordered-id.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { testBody } from "./events.ts";
import { isAccepted, sendEvent } from "./send.ts";

/** Sends a test event to an endpoint, whichever events it receives otherwise. It is sent once, and not stored. */
export async function tryWebhook(endpoint: WebhookEndpoint, transport: Transport): Promise<WebhookTest> {
  const now = Date.now();
  const begun = performance.now();
  const event = { id: `evt_${timeOrderedId(now)}`, body: testBody(endpoint.id, now) };
  const outcome = await sendEvent(endpoint, event, { transport, now });
  const ms = Math.round(performance.now() - begun);
  if (typeof outcome !== "number") {
    const finding = messageOf(outcome).replace("The provider", "The endpoint").replace(/\.$/, "");
    return { isAccepted: false, finding: `${finding}.`, ms };
  }
  const finding = isAccepted(outcome)
    ? `It has accepted the event (status ${outcome}).`
    : `It has answered with status ${outcome}: an event counts as accepted with one from 200 to 299.`;
  return { isAccepted: isAccepted(outcome), finding, ms };
}
