import { z } from "zod";
import { isAdmitted, RECHECK_MS } from "../access/recheck.ts";
import { streamHeaders } from "../http/stream.ts";
import type { RequestContext } from "../ports/context.ts";
import type { Listener, ListenerEvent } from "../ports/events.ts";
import type { Services } from "../ports/services.ts";
import { type ContextOf, defineRoute } from "../route.ts";

/** Milliseconds after which an idle stream sends a keep-alive comment. */
const BEAT = 5_000;
/** The most seconds for which one stream lasts; a browser then reconnects by itself. */
const LONGEST = 3_600;

const query = z.object({
  seconds: z
    .preprocess(
      (text) => (typeof text === "string" && /^\d{1,4}$/.test(text) ? Number(text) : text),
      z.int(`must be a whole number from 0 to ${LONGEST}`).min(0).max(LONGEST),
    )
    .default(LONGEST)
    .describe("How long the stream lasts."),
});

const about =
  "`request` (`started`, `answering`, `ended`), `attempt` (`sent`, `answered`, `failed`), `settled`, `job`, for operators `circuit`; each with JSON. They are the events of the process that serves the request. For a slow reader, `gap` says how many events were left out. The stream ends when the service stops, and within a second after the credential is no longer accepted.";

const toText = ({ event, data }: ListenerEvent): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Writes events as they occur, at the reader's pace, until the reader leaves or the stream ends. */
async function relay(
  context: RequestContext<"access" | "addressOf" | "now">,
  listener: Listener,
  { access, seconds }: { access: "caller" | "operator"; seconds: number },
): Promise<void> {
  const { sink } = context.exchange;
  const takeAway = sink.onLeave(() => listener.close());
  const end = performance.now() + seconds * 1_000;
  let checked = performance.now();
  let written = checked;
  sink.head(200, { "content-type": "text/event-stream", ...streamHeaders, "x-accel-buffering": "no" });
  try {
    await sink.write(": listening\n\n");
    while (!listener.isOver && performance.now() < end) {
      // A timer may fire a fraction of a millisecond early: the loop then waits for the rest.
      await listener.wait(Math.max(0, Math.min(checked + RECHECK_MS, end) - performance.now()));
      if (performance.now() - checked >= RECHECK_MS) {
        if (!(await isAdmitted(context.exchange, context.services, { access }))) break;
        checked = performance.now();
      }
      const events = listener.take().map(toText).join("");
      const text = events === "" && performance.now() - written >= BEAT ? ": still here\n\n" : events;
      if (text === "") continue;
      await sink.write(text);
      written = performance.now();
    }
  } finally {
    takeAway();
    listener.close();
    sink.end();
  }
}

const events = <Access extends "caller" | "operator">(
  access: Access,
  whose: string,
  who: (context: ContextOf<Access>) => Who,
) =>
  defineRoute({
    method: "GET",
    path: "/events",
    access,
    quiet: true,
    summary: `Listen to what happens to ${whose}, as server-sent events`,
    about,
    query,
    also: { "text/event-stream": z.string() },
    examples: { "what there is": { query: { seconds: "0" } } },
    uses: ["access", "addressOf", "events", "now"],
    async handler(context, { query: { seconds } }) {
      const listener = context.services.events.listen(who(context));
      await relay(context, listener, { access, seconds });
      return undefined;
    },
  });

type Who = Parameters<Services["events"]["listen"]>[0];

export const accountEventsRoute = events("caller", "the account's requests", ({ caller: { accountId } }) => ({
  owner: `account ${accountId}`,
  account: accountId,
}));

export const allEventsRoute = events("operator", "all requests", ({ operator }) => ({
  owner: `operator ${operator}`,
}));
