import { z } from "zod";
import type { Settings } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { Call } from "./call.ts";
import { fieldOf } from "./command.ts";

export const portField = z.coerce.number().int().min(0).max(65_535);
const hostField = z.string().min(1);

/** The address on which a service listens. */
export const addressOf = ({ server }: Pick<Config, "server">): string => {
  const host = server.host.includes(":") ? `[${server.host}]` : server.host;
  return `http://${host}:${server.port}`;
};

/** The address at which this machine reaches it, also if it listens on all addresses. */
export const originOf = (config: Pick<Config, "server">): string =>
  addressOf(config).replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

/**
 * A configuration with the address of the command line: `--host` and `--port` override the file and the variables, at
 * each reload as well.
 */
export function withAddress(
  { config, source, ...settings }: Settings,
  { options: { host, port } }: Pick<Call, "options">,
): Settings {
  const given = {
    ...(host !== undefined && { host: fieldOf("--host", hostField, host) }),
    ...(port !== undefined && { port: fieldOf("--port", portField, port) }),
  };
  const replaced = new Set(Object.keys(given).map((name) => `server.${name}`));
  const origins = Object.entries(source?.origins ?? {}).filter(([path]) => !replaced.has(path));
  return {
    config: { ...config, server: { ...config.server, ...given } },
    ...settings,
    source: { ...source, origins: Object.fromEntries(origins) },
  };
}
