import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a server of the benchmark took since it began, and holds after a collection where one was asked for. */
export interface Usage {
  cpu: { user: number; system: number };
  memory: number;
}

export function usageNow(gc = false): Usage {
  if (gc) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { cpu: process.cpuUsage(), memory: heapUsed + external };
}

/** Listens on a port that it tells the process that started it, answers its questions for usage, and ends with it. */
export function serve(listener: RequestListener, port = 0): void {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.listen({ port, host: "127.0.0.1", backlog: 16_384 }, () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  );
  process.on("message", ({ gc }: { gc?: boolean }) => process.send?.(usageNow(gc)));
  process.on("disconnect", () => process.exit(0));
}
