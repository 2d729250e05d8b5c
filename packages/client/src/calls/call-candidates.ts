import {
  type Payload,
  reframe,
  type Transport,
  type UpstreamResponse,
} from "@manifold-gateway/providers/fetch-transport";
import { type Credential, type Provider, upstreamHeaders } from "@manifold-gateway/providers/provider";
import {
  type AnsweredCall,
  type Attempt,
  Attempts,
  type CallRouting,
  type Planner,
  PlanQueue,
} from "@manifold-gateway/providers/routing";
import type { Candidate } from "../models/candidate.ts";
import type { Report } from "../report.ts";
import type { Incoming } from "../request/incoming.ts";

/** A request ready to be sent to one candidate. */
export interface CallPlan {
  resolution: Candidate;
  /** Where it is sent, and the provider with the key for that place. */
  place: { origin: string; path: string; provider: Provider };
  body: Payload;
  /** Headers of the call beside the usual ones. */
  headers?: Readonly<Record<string, string>>;
  stream: boolean;
}

/** What the calls of one request need. */
export interface CallServices {
  transport: Transport;
  routing: CallRouting;
}

/** Looks into an answer before it counts. It may return another one, such as an error in place of a broken stream. */
export type Inspect<Plan> = (plan: Plan, response: UpstreamResponse) => Promise<UpstreamResponse>;

/** The calls of one request. */
export class Calls<Plan extends CallPlan> {
  readonly #attempts: Attempts<Plan>;
  readonly #log: Attempt[] = [];
  #reported = 0;
  readonly #incoming: Incoming;
  readonly #services: CallServices;
  readonly #inspect: Inspect<Plan>;

  constructor(
    incoming: Incoming,
    services: CallServices,
    inspect: Inspect<Plan> = async (_, response) => response,
  ) {
    this.#incoming = incoming;
    this.#services = services;
    this.#inspect = inspect;
    const clocks = { routing: services.routing, now: Date.now, steady: () => performance.now() };
    this.#attempts = new Attempts(clocks, "", this, this.#log);
  }

  /** Calls one candidate after the other until one answers, with whatever status, and reports each call. */
  async first<Of extends Candidate>(
    candidates: readonly Of[],
    planner: Planner<Plan, Of>,
    report: Report,
  ): Promise<AnsweredCall<Plan>> {
    const queue = new PlanQueue<Plan, Of>({ candidates }, planner, {
      most: this.#services.routing.maxAttempts,
    });
    try {
      return await this.#attempts.call(queue, {
        credentials: ({ provider: { credentials } }) =>
          credentials && { credentials, identity: () => this.#incoming.id },
      });
    } finally {
      this.#report(report);
    }
  }

  /** Calls the candidate that answered once more, with another plan. */
  async again(
    answered: Pick<AnsweredCall<Plan>, "credential">,
    plan: Plan,
    report: Report,
  ): Promise<AnsweredCall<Plan>> {
    try {
      return await this.#attempts.callAgain(answered, plan);
    } finally {
      this.#report(report);
    }
  }

  /** The number of calls so far. */
  get count(): number {
    return this.#log.length;
  }

  /** Reports the calls that are not reported yet. */
  #report(report: Report): void {
    report.attempts(this.#log.slice(this.#reported));
    this.#reported = this.#log.length;
  }

  /** Sends the request planned for one candidate. */
  async send(plan: Plan, credential: Credential | undefined): Promise<UpstreamResponse> {
    const { header, signal } = this.#incoming;
    const { resolution, place, body, stream } = plan;
    const { provider, origin, path } = place;
    const { protocol } = resolution;
    const framing = stream ? provider.speaks[protocol]?.framing : undefined;
    const headers = upstreamHeaders(provider, protocol, stream, header, credential);
    if (framing) headers.accept = framing.contentType;
    Object.assign(headers, plan.headers);
    const request = { origin, path, method: "POST", headers, body, signal, ...provider.timeouts } as const;
    const response = await this.#services.transport.send(request);
    return this.#inspect(plan, framing ? reframe(response, framing) : response);
  }
}
