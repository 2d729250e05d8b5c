import type { AnyCaller, AnyProvider } from "@manifold-gateway/core";
import type { Dialect } from "@manifold-gateway/core/dialect";
import type { CapabilityCheck } from "@manifold-gateway/core/plan";
import { costOf } from "./catalog/cost.ts";
import { createClient } from "./client.ts";
import type { ClientFetch } from "./index.ts";
import type { AnyOptions, ClientOptions, ProviderSettings } from "./options.ts";
import { givenCodecs } from "./protocols/given-codecs.ts";
import { noPresets } from "./providers/provider-table.ts";
import { toRequest } from "./request/request.ts";
import { generateText } from "./text/text.ts";

/** The options of a client that has only the parts that it is given. */
export interface BareOptions<Providers extends Record<string, ProviderSettings>, Models extends string>
  extends Omit<ClientOptions<Providers, Models, keyof NoInfer<Providers> & string>, "check" | "env"> {
  /** The protocols of SDKs: codecs, or their halves such as `caller` of `@manifold-gateway/core/chatstyle/caller`. */
  callers: readonly [AnyCaller, ...AnyCaller[]];
  /** The protocols of providers: codecs, or halves such as `provider` of `@manifold-gateway/core/msgstyle/provider`. */
  upstreams: readonly AnyProvider[];
  /** Providers by id: there are no others. */
  providers: Providers;
  /** The check for targets with capabilities: `textCheck` of `@manifold-gateway/core/check`. */
  check?: CapabilityCheck | false;
  /**
   * What adapts JSON Schemas to a target: `dialect` of `@manifold-gateway/core/dialect`. Requests with schemas, those of tools
   * and of the answer, are only translated with it.
   */
  dialect?: Dialect;
}

/**
 * Makes a `fetch` like that of the package's main entry point, of the given protocols and providers alone: for bundles of
 * a single file. It serves text, and knows no presets.
 *
 *     import { caller as chatstyle } from "@manifold-gateway/core/chatstyle/caller";
 *     import { provider as msgstyle } from "@manifold-gateway/core/msgstyle/provider";
 *
 *     const fetch = createFetch({
 *       callers: [chatstyle],
 *       upstreams: [msgstyle],
 *       providers: { mine: { origin: "https://models.example", speaks: ["msgstyle"], key } },
 *     });
 */
export function createFetch<
  const Providers extends Record<string, ProviderSettings>,
  const Models extends string = string,
>(options: BareOptions<Providers, Models>): ClientFetch {
  const { callers, upstreams, check, dialect, ...rest } = options;
  const models = Object.values((rest as AnyOptions).models ?? {}).flat();
  if (check === undefined && models.some((one) => typeof one === "object" && one.capabilities !== undefined))
    throw new TypeError("A target has `capabilities`: pass the option `check`, textCheck or false.");
  const client = createClient(
    { ...(rest as AnyOptions), check: check !== false, env: {} },
    {
      codecs: givenCodecs(
        callers,
        dialect ? upstreams.map((upstream) => ({ dialect, ...upstream })) : upstreams,
      ),
      presets: noPresets,
      check: async () => check || undefined,
      pricing: async () => ({ costOf }),
      operations: { text: async () => generateText },
    },
  );
  return async (input, init) => client.request(toRequest(input, init));
}
