import { NO_USAGE } from "../content/tokens.ts";
import type { Incoming, Outgoing, State, Ticket } from "../http/exchange.ts";
import type { MediaCall } from "../protocols/protocol.ts";
import { dueFault, failWith } from "../script/fault-schedule.ts";

function callOf(state: State, incoming: Incoming, ticket: Ticket): MediaCall {
  const { route, params, url, headers, bytes } = incoming;
  const { model, body, hash, entry } = ticket;
  const { now = Date.now, secret = (accessKey: string) => `${accessKey}-secret` } = state.options;
  return {
    method: route.method,
    params,
    url,
    headers,
    bytes,
    model,
    body,
    hash,
    entry,
    now: now(),
    origin: url.origin,
    memory: state.memory,
    mediaStore: state.mediaStore,
    batches: state.batches,
    secret,
  };
}

/** Answers a media request: the wire reads the request, its directives decide the outcome. */
export function media(state: State, incoming: Incoming, ticket: Ticket): Outgoing {
  const { protocol, media: ask } = incoming.route;
  const { entry } = ticket;
  const { text, stream = false, answer: run } = ask!(callOf(state, incoming, ticket));
  const directives = ticket.take(text, 1);
  const fault = dueFault(state.happened, directives.fault, text);
  entry.stream = stream;
  if (!fault.late) failWith(fault, stream);
  // A request that is sent elsewhere, or meets a proxy's page, has not reached the vendor.
  if (fault.redirect !== undefined || (fault.html && !fault.late))
    return { protocol, status: 200, headers: {}, fault, entry, answer: { body: null } };
  const made = run(directives.outcome ?? {}, !fault["no-usage"]);
  const { status = 200, headers = {}, usage, ...answer } = made;
  if (fault.late) failWith(fault, false);
  if (stream && fault["error-after"] !== undefined) state.mediaStore.jobs.revoke(entry);
  entry.usage = { ...NO_USAGE, ...usage };
  return { protocol, status, headers, fault, entry, answer };
}
