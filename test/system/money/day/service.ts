import { type GatewayProcess, startGateways } from "../process.ts";

/** Several gateways on one configuration, of which one may be killed and replaced. */
export interface Service {
  /** The origins in turn, of those that run. */
  origin(): string;
  /** Kills one as power loss would, and starts another in its place; the next is killed after that. */
  kill(): Promise<void>;
  /** Ends all in order. */
  stop(): Promise<void>;
  /** Ends what still runs. */
  close(): Promise<void>;
  /** What all of them have logged as a defect. */
  defects(): string[];
}

export async function startService(count: number, config: object): Promise<Service> {
  const running = await startGateways(count, config);
  const all: GatewayProcess[] = [...running];
  let turn = 0;
  const origin = (): string => running[turn++ % running.length]!.origin;
  const replace = async (): Promise<void> => {
    const [dead] = running.splice(turn % running.length, 1) as [GatewayProcess];
    await dead.kill();
    const started = await startGateways(1, config);
    running.push(...started);
    all.push(...started);
  };
  // Two at one time would leave nobody to ask while their successors start.
  let replaced: Promise<void> = Promise.resolve();
  return {
    origin,
    kill() {
      replaced = replaced.then(replace);
      return replaced;
    },
    stop: async () => void (await Promise.all(running.map((one) => one.stop()))),
    async close() {
      await Promise.allSettled([replaced]);
      await Promise.all(all.map((one) => one.kill()));
    },
    defects: () =>
      all.flatMap((one) =>
        one
          .output()
          .split("\n")
          .filter((line) => /"level":[56]0/.test(line)),
      ),
  };
}
