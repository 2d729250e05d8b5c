import type { Client } from "./client.ts";
import type { ClientOptions, ProviderSettings } from "./options.ts";
import { toRequest } from "./request/request.ts";

export type {
  AttemptEvent,
  CallEvent,
  ClientOptions,
  LossEvent,
  ProviderSettings,
  Target,
  TargetName,
  TargetOptions,
  Targets,
  UsageEvent,
} from "./options.ts";

/** What every SDK accepts as its `fetch`. */
export type ClientFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Makes a `fetch` for the SDK of any vendor: the requests are answered by the models of any provider.
 *
 *     const fetch = createFetch({ models: { best: ["anthropic/claude-opus-4-7", "openai/gpt-6-sol"] } });
 *     new OpenAI({ fetch, apiKey: "unused" }).chat.completions.create({ model: "best", messages });
 *
 * Errors are answers in the shape of the SDK's protocol. The promise rejects only for requests that are aborted.
 */
export function createFetch<
  const Providers extends Record<string, ProviderSettings> = Record<never, ProviderSettings>,
  const Models extends string = string,
>(options: ClientOptions<Providers, Models> = {}): ClientFetch {
  // Its code is loaded by the first request: a program starts without it.
  let client: Client | undefined;
  return async (input, init) => {
    const request = toRequest(input, init);
    if (!client) {
      const [{ createClient }, { allParts }] = await Promise.all([
        import("./client.ts"),
        import("./all-parts.ts"),
      ]);
      // Several first requests share one client, which knows the health of keys.
      client ??= createClient(options, allParts);
    }
    return client.request(request);
  };
}
export { createHandler, type HandlerOptions } from "./handler/handler.ts";
export type { HookContext, Hooks } from "./handler/hooks.ts";
