/**
 * What stands before a snippet of TypeScript where a page leaves it out, by the name that the page gives in a comment
 * above the snippet: `<!-- snippet: options -->`.
 */
export const preambles: Readonly<Record<string, string>> = {
  chatRequest: `
    const chatRequest = (await import("@manifold-gateway/core")).chatstyle.request.schema.parse({
      model: "some-model",
      messages: [{ role: "user", content: "Hello" }],
    });`,
  options: `
    const store = await (await import("@manifold-gateway/store")).openSqlite({ path: ":memory:" });
    const models: import("@manifold-gateway/gateway").Model[] = [];
    const catalog = (await import("@manifold-gateway/gateway")).createCatalog(models);
    const providers = new Map<string, import("@manifold-gateway/providers").Provider>();`,
  gatewayOptions: `
    const options = {
      store: await (await import("@manifold-gateway/store")).openSqlite({ path: ":memory:" }),
      catalog: (await import("@manifold-gateway/gateway")).createCatalog([]),
      providers: new Map<string, import("@manifold-gateway/providers").Provider>(),
    };`,
  runtimes: `
    type Handler = (request: Request) => Response | Promise<Response>;
    const Deno = { serve: (_options: { port: number }, _handler: Handler) => {} };
    const Bun = { serve: (_options: { port: number; fetch: Handler }) => {} };`,
  vendors: `
    {
      const { createSimulator } = await import("@manifold-gateway/simulator");
      const simulator = createSimulator();
      const network = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const request = new Request(input, init);
        return new URL(request.url).hostname === "127.0.0.1" ? network(input, init) : simulator.fetch(request);
      };
      Object.assign(process.env, { ANTHROPIC_API_KEY: "any", OPENAI_API_KEY: "any" });
    }`,
  webhookSecret: `const secret = "whsec_" + Buffer.alloc(32).toString("base64");`,
  apiKey: `const apiKey = process.env.KEY;`,
  upstreamBytes: `
    const upstreamBytes = [new TextEncoder().encode('data: {"type":"message_stop"}\\n\\n')];
    const send = (text: string) => console.log(text);`,
};
