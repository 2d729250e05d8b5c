import type { GatewayOptions, Model } from "@manifold-gateway/gateway";
import { createFetchTransport, defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import type { Json } from "./caller.ts";
import { type Stage, startStage } from "./stage.ts";
import { model } from "./text.ts";
import { upstreamWires } from "./wires/index.ts";

/** The refusal of a body by a provider; `undefined` accepts it. */
export type Judge = (body: Json) => { status?: number; body: unknown } | undefined;

export interface RefusingStage extends Stage {
  /** The bodies that the provider received. */
  received: Json[];
  /** Milliseconds, added to the gateway's clock. */
  pass(ms: number): void;
  /** The route in the record of an answer. */
  routeOf(response: Response): Promise<Json>;
}

/** A gateway with a model `m` at a provider that refuses what the judge says. */
export async function startRefusing(
  judge: Judge,
  more: Partial<GatewayOptions> & {
    protocol?: UpstreamProtocol;
    entry?: Partial<Model["entries"][number]>;
    listens?: boolean;
  } = {},
): Promise<RefusingStage> {
  const { protocol = "chatstyle", entry, ...options } = more;
  const received: Json[] = [];
  let ahead = 0;
  const wire = upstreamWires[protocol];
  const answer = async (request: Request): Promise<Response> => {
    const body = await request.json();
    received.push(body);
    const refusal = judge(body);
    if (refusal) return Response.json(refusal.body, { status: refusal.status ?? 400 });
    if (!body.stream) return Response.json(wire.reply);
    const chunks = wire.report.chunks(undefined, wire.report.full);
    const text = chunks.map(
      (chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`,
    );
    return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  const m = model("m", "p");
  const stage = await startStage({
    listens: false,
    models: [{ ...m, entries: [{ ...(m.entries[0] as Model["entries"][number]), ...entry }] }],
    providers: new Map([
      ["p", defineProvider("p", { origin: "http://p.test", speaks: [protocol], key: "key-of-provider" })],
    ]),
    transport: createFetchTransport({ fetch: answer as typeof fetch }),
    now: () => Date.now() + ahead,
    ...options,
  });
  return Object.assign(stage, {
    received,
    pass: (ms: number) => {
      ahead += ms;
    },
    async routeOf({ headers }: Response): Promise<Json> {
      const id = headers.get("x-generation-id") ?? "";
      const record = await stage.store.generations.get({ id, accountId: "acc" });
      return record?.route;
    },
  });
}

/** A refusal in the form of the chat-completions wire. */
export const flatRefusal = (message: string, param: string | null = null) => ({
  body: { error: { message, type: "invalid_request_error", param, code: null } },
});

/** Refuses stop sequences. */
export const noStop: Judge = (body) =>
  "stop" in body
    ? flatRefusal("Unsupported parameter: 'stop' is not supported with this model.", "stop")
    : undefined;
