import type { Gateway } from "@manifold-gateway/gateway";
import { openGateway } from "./gateway.ts";

interface Env {
  UPSTREAM: string;
  DATABASE: string;
  SERVICE: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

/** An object that lives on between requests, as the connections to a database have to: a request's own end with it. */
export class Service {
  readonly #gateway: Promise<Gateway>;

  constructor(_: unknown, { UPSTREAM, DATABASE }: Env) {
    this.#gateway = openGateway({ upstream: UPSTREAM, database: DATABASE });
  }

  async fetch(request: Request): Promise<Response> {
    return (await this.#gateway).fetch(request);
  }
}

export default {
  fetch: (request: Request, { SERVICE }: Env): Promise<Response> =>
    SERVICE.get(SERVICE.idFromName("gateway")).fetch(request),
};
