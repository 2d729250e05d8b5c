import { openGateway } from "./gateway.ts";

declare const Bun: {
  env: { UPSTREAM: string; DATABASE: string };
  serve(options: { port: number; hostname: string; fetch(request: Request): Response | Promise<Response> }): {
    port: number;
  };
};

const gateway = await openGateway({ upstream: Bun.env.UPSTREAM, database: Bun.env.DATABASE });
const { port } = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: gateway.fetch });
console.log(JSON.stringify({ port }));
