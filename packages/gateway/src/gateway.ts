import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "h3";
import { mount } from "./mount.ts";
import type { Surface } from "./route.ts";
import type { Services } from "./services.ts";
import { chatSurface } from "./surfaces/chatstyle.ts";
import { generateSurface } from "./surfaces/genstyle.ts";
import { messagesSurface } from "./surfaces/msgstyle.ts";
import { nativeSurface } from "./surfaces/native.ts";

/** The gateway: one handler for every runtime, and one for Node that pays for no web classes. */
export interface Gateway {
  /** Web-standard: a request in, a response out. */
  fetch(request: Request): Response | Promise<Response>;
  /** For `node:http` servers. */
  node(request: IncomingMessage, response: ServerResponse): void;
}

/** All surfaces, in the order in which they are documented. */
export const surfaces: readonly Surface[] = [nativeSurface, chatSurface, messagesSurface, generateSurface];

/** Composes the surfaces over services: an h3 app that can be mounted in any server. */
export function createGateway(services: Services): Gateway {
  const app = mount(surfaces, services);
  const node = toNodeHandler(app);
  return {
    fetch: (request) => app.fetch(request),
    node: (request, response) => void node(request, response),
  };
}
