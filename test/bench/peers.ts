import type { Target } from "./rig.ts";

interface Peer {
  name: string;
  /** The base URL of its chat completions. */
  url: string;
  key?: string;
  /** Default: `bench`. */
  model?: string;
  headers?: Record<string, string>;
  /** Of its process, whose CPU is then measured. */
  pid?: number;
}

/** Other gateways, which whoever runs the benchmark has started: `BENCH_PEERS` lists them in JSON. */
export function readPeers(text = process.env.BENCH_PEERS): Target[] {
  const peers = JSON.parse(text || "[]") as Peer[];
  return peers.map(({ name, url, key, model, headers, pid }) => {
    const { origin, pathname } = new URL(url);
    return {
      name,
      origin,
      path: `${pathname.replace(/\/$/, "")}/chat/completions`,
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
      mayFail: true,
      ...(model && { model }),
      ...(pid && { pid }),
    };
  });
}
