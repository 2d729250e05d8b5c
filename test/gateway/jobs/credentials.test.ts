import {
  type Credential,
  createLineClient,
  createTransport,
  type Transport,
} from "@manifold-gateway/providers";
import { createCredentialPool, weightedOrder } from "@manifold-gateway/providers/routing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JobsOptions } from "../../../packages/gateway/src/jobs/contract.ts";
import type { Jobs, Order } from "../../../packages/gateway/src/ports/jobs.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { type BodyName, orderOf, serviceAt } from "./orders.ts";
import { useStage } from "./stage.ts";

type Ref = { id: string; accountId: string };
const KEYS = ["secret-of-one", "secret-of-two", "secret-of-three"];
const nameOf = (key = ""): string => key.slice("secret-of-".length);
const known: Credential[] = KEYS.map((key) => ({ name: nameOf(key), key, weight: 1 }));

describe("jobs whose provider has several credentials", () => {
  const stage = useStage(makeSqlite);
  let connections: Transport;
  beforeAll(() => {
    connections = createTransport();
  });
  afterAll(() => connections.close());

  /** The calls of a test, by method and key. */
  let calls: { method: string; key: string }[];
  /** The keys whose submissions are refused, each with its status. */
  let refusals: Record<string, number>;
  /** Seconds that refused submissions are asked to pause, in turn. */
  let pauses: number[];
  beforeEach(() => {
    calls = [];
    refusals = {};
    pauses = [];
  });

  const transport = (): Transport => ({
    ...connections,
    async send(request) {
      const { method = "POST", headers } = request;
      const key = String(headers?.authorization ?? headers?.["x-goog-api-key"]).replace("Bearer ", "");
      calls.push({ method, key });
      const status = method === "POST" ? refusals[key] : undefined;
      const pause = status === 429 ? `,retry-after=${pauses.shift() ?? 30}` : "";
      if (status !== undefined) stage().simulator.script(`[[fault:status=${status}${pause}]]`, { times: 1 });
      return connections.send(request);
    },
  });
  const poolOf = () => createCredentialPool({ maxCooldown: 60_000 }, stage().clock.now);

  /** A worker as one process has it: its own memory of health, and a list of keys. */
  const workerWith = (keys: readonly string[], more: Partial<JobsOptions> = {}): Jobs => {
    const credentials = keys.map((key) => known.find((one) => one.key === key) as Credential);
    return stage().worker(
      {
        credentials: poolOf(),
        client: createLineClient(transport()),
        service: (entry) => ({ ...serviceAt(stage().origin, entry), key: keys[0] as string, credentials }),
        ...more,
      },
      "stops",
    );
  };
  /** The keys in the order in which a job would be sent with them. */
  const orderFor = (id: string): string[] => weightedOrder(known, id).map(({ key }) => key);

  async function order(name: BodyName, steer = "") {
    const caller = await stage().caller();
    const made = orderOf(name, caller, `A turtle. ${steer}`);
    return { made, ref: { id: made.id, accountId: caller.accountId } };
  }
  /** Has a worker submit a job, and then stop. */
  async function submitBy(worker: Jobs, made: Order): Promise<string> {
    worker.start();
    await worker.submit(made);
    await worker.wake();
    await worker.close();
    return calls.at(-1)?.key ?? "";
  }
  const attemptsOf = async (ref: Ref) =>
    ((await stage().store.generations.get(ref))!.route as { attempts: object[] }).attempts;

  test("jobs are spread over all credentials, and each stays with its own after a restart", async () => {
    const used = new Set<string>();
    for (let turn = 0; used.size < KEYS.length; turn++) {
      expect(turn).toBeLessThan(100);
      calls = [];
      const { made, ref } = await order(turn % 2 ? "video task" : "video operation");
      const key = await submitBy(workerWith(KEYS), made);
      const restarted = workerWith(KEYS.toReversed());
      restarted.start();
      expect(await stage().finish(restarted, ref)).toMatchObject({ state: "succeeded" });
      await restarted.close();
      expect(calls.length).toBeGreaterThan(1);
      expect(new Set(calls.map((call) => call.key))).toEqual(new Set([key]));
      expect(await attemptsOf(ref)).toMatchObject([{ credential: nameOf(key), status: 200 }]);
      used.add(key);
    }
  });

  test("a job is cancelled with the credential that submitted it", async () => {
    for (let turn = 0; turn < 3; turn++) {
      calls = [];
      const { made, ref } = await order("video task", "[[outcome:queued=9]]");
      const key = await submitBy(workerWith(KEYS), made);
      await workerWith(KEYS.toReversed()).cancel(ref);
      expect(calls.map(({ method }) => method)).toContain("DELETE");
      expect(new Set(calls.map((call) => call.key))).toEqual(new Set([key]));
    }
  });

  test("a job whose credential is not configured waits until it is", async () => {
    const { made, ref } = await order("video task");
    const key = await submitBy(workerWith(KEYS), made);
    calls = [];
    const without = workerWith(KEYS.filter((other) => other !== key));
    without.start();
    stage().clock.next();
    await without.wake();
    await without.close();
    expect(calls).toEqual([]);
    const again = workerWith(KEYS);
    again.start();
    expect(await stage().finish(again, ref)).toMatchObject({ state: "succeeded" });
  });

  test.each([401, 402, 403, 429])(
    "a job that one credential is refused with %i is submitted with another, which does it alone",
    async (status) => {
      const credentials = poolOf();
      const heard: unknown[] = [];
      const { made, ref } = await order("image by address");
      const [first = ""] = orderFor(made.id);
      refusals[first] = status;
      const worker = workerWith(KEYS, { credentials, onSubmitted: (_, answer) => heard.push(answer) });
      worker.start();
      await worker.submit(made);
      expect(await stage().finish(worker, ref)).toMatchObject({ state: "succeeded" });
      const [, second] = calls.map(({ key }) => key);
      expect(calls.map(({ key }) => key)).toEqual([first, second]);
      expect(await attemptsOf(ref)).toMatchObject([
        { credential: nameOf(first), status },
        { credential: nameOf(second), status: 200 },
      ]);
      expect(heard).toMatchObject([{ state: "succeeded" }]);
      const health = Object.fromEntries(known.map((one) => [one.key, credentials.of(one).state]));
      expect(health[first]).toBe(status === 429 ? "cooling" : "denied");
      expect(health[second ?? ""]).toBe("ready");
      expect(await stage().store.money.audit()).toEqual([]);
      expect(JSON.stringify(stage().logged)).not.toContain("secret-of");
      // The next one does not meet it.
      calls = [];
      const other = await order("image by address");
      await worker.submit(other.made);
      await stage().finish(worker, other.ref);
      expect(calls.map(({ key }) => key)).not.toContain(first);
      await worker.close();
    },
  );

  test.each([500, 400])("a job that meets %i is sent with no other credential", async (status) => {
    for (const key of KEYS) refusals[key] = status;
    const { made, ref } = await order("image by address");
    const worker = workerWith(KEYS);
    worker.start();
    await worker.submit(made);
    expect(await stage().finish(worker, ref)).toMatchObject({ state: "failed" });
    expect(calls).toHaveLength(1);
    await worker.close();
  });

  test("an entry pauses until the first of its credentials is tried again", async () => {
    const heard: unknown[] = [];
    for (const key of KEYS) refusals[key] = 429;
    const { made } = await order("image by address");
    pauses = [30, 20, 25];
    const worker = workerWith(KEYS, { onSubmitted: (_, answer) => heard.push(answer) });
    await submitBy(worker, made);
    expect(calls).toHaveLength(3);
    expect(heard).toMatchObject([{ state: "failed", trouble: { status: 429, retryAfter: 20_000 } }]);
  });
});
