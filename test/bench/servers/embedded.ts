import { type Billing, createCatalog, createGateway } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { openStore, type Served } from "./seed.ts";
import { serve } from "./serve.ts";

/** The gateway as a library, in a server of Node without limits of its own and without a log. */
const options = JSON.parse(process.argv[2] as string) as Served & { isBilled: boolean };
const price = { input: 1_000_000, output: 2_000_000 };
const model = (id: string, provider: string) => ({
  id,
  inputModalities: ["text", "image"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  entries: [{ provider, name: "bench", priority: 1, isActive: true, price }],
});
const nothing = async (): Promise<void> => {};
const unbilled: Billing = { hold: async () => ({ checkpoint: nothing, settle: async () => 0 }) };
const { upstream: origin } = options;
const store = await openStore(options);
store.startHeartbeat();
const gateway = createGateway({
  store,
  // One key holds all the open streams whose memory is measured.
  limits: { streams: 100_000, concurrentRequests: 100_000 },
  ...(!options.isBilled && { billing: unbilled }),
  catalog: createCatalog([model("bench", "same"), model("bench-translated", "other")]),
  providers: new Map([
    ["same", defineProvider("same", { origin, speaks: ["chatstyle"], key: "k" })],
    ["other", defineProvider("other", { origin, speaks: ["msgstyle"], key: "k" })],
  ]),
});
serve(gateway.node);
