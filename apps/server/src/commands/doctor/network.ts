import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { messageOf } from "@manifold-gateway/gateway/admin";
import { addressOf, originOf } from "../address.ts";
import { type Check, fail, ok, seconds, warn } from "./check.ts";

/** Checks whether a gateway answers at an address. */
async function isGateway(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(5_000), redirect: "manual" });
  const body: unknown = await answer.json();
  return typeof body === "object" && body !== null && "status" in body && body.status === "up";
}

/** Checks that the port is free or used by a gateway. */
export const port: Check = async (of) => {
  const { host, port } = of.config.server;
  const address = addressOf(of.config);
  if (port === 0) return [ok("port", `${host}: the system chooses the port`)];
  const error = await listenOnce(host, port);
  if (!error) return [ok("port", `${address} is free`)];
  if (error.code !== "EADDRINUSE")
    return [fail("port", messageOf(error), "choose another host or port: server.host, server.port")];
  if (await isGateway(originOf(of.config)).catch(() => false)) {
    of.serving = originOf(of.config);
    return [ok("port", `a gateway serves at ${address}`)];
  }
  return [
    fail(
      "port",
      `${address} is in use by another program`,
      "end that program, or choose another server.port",
    ),
  ];
};

const listenOnce = (host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", done);
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });

const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** Checks that the service's public address leads to the gateway, if one runs. */
export const url: Check = async ({ config, serving, now }) => {
  const { url, host } = config.server;
  if (url === undefined)
    return LOOPBACK.test(host)
      ? [ok("server.url", `${addressOf(config)}: callers on this machine alone`)]
      : [
          warn(
            "server.url",
            `it is not set: links and polling addresses begin with ${addressOf(config)}`,
            "set it to the address that callers use, such as https://ai.example.com",
          ),
        ];
  const begun = now();
  try {
    if (serving === undefined) {
      await lookup(new URL(url).hostname);
      return [ok("server.url", `${url} has an address; it is tried while a gateway serves`)];
    }
    if (await isGateway(url.replace(/\/$/, "")))
      return [ok("server.url", `${url} leads to a gateway, in ${seconds(now() - begun)}`)];
    return [
      fail("server.url", `${url} leads to something else`, "correct server.url, or the proxy in front"),
    ];
  } catch (error) {
    return [
      fail(
        "server.url",
        `${url}: ${messageOf(error)}`,
        "correct server.url, its name server, or the proxy in front",
      ),
    ];
  }
};
