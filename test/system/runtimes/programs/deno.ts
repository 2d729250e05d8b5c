import { openGateway } from "./gateway.ts";

declare const Deno: {
  env: { get(name: string): string };
  serve(
    options: { port: number; hostname: string; onListen(address: { port: number }): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): void;
};

const gateway = await openGateway({ upstream: Deno.env.get("UPSTREAM"), database: Deno.env.get("DATABASE") });
const onListen = ({ port }: { port: number }): void => console.log(JSON.stringify({ port }));
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, gateway.fetch);
