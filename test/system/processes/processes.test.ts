import { once } from "node:events";
import { Agent, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { openSqlite } from "@manifold-gateway/store";
import { describe, expect, it } from "vitest";
import { until } from "../../support/until.ts";
import { askAlone, KEY, load, type Service, useServices } from "./service.ts";

/** How many requests each process has answered. */
const servedBy = async (service: Service): Promise<Map<number, number>> => {
  const counts = new Map<number, number>();
  for (const [, number, count] of (await service.metrics()).matchAll(
    /^manifold_requests_total\{.*route="[^"]*completions".*process="(\d+)".*\} (\d+)$/gm,
  ))
    counts.set(Number(number), (counts.get(Number(number)) ?? 0) + Number(count));
  return counts;
};

const stop = async (service: Service): Promise<void> => {
  service.signal("SIGTERM");
  expect(await service.exited).toBe(0);
};

/** The books add up, and nothing is held. */
const expectBalanced = async ({ store: path }: Service): Promise<void> => {
  const store = await openSqlite({ path });
  expect(await store.money.audit()).toEqual([]);
  const { results } = await store.accounts.list({ offset: 0, limit: 10 });
  expect(results.map(({ held }) => held)).toEqual([0]);
  await store.close();
};

describe("several processes on one port", { timeout: 120_000 }, () => {
  const services = useServices();

  it("processes on one port share the requests, and one that is killed under load is replaced", async () => {
    const service = await services.start();
    expect(service.output().match(/listens on/g)).toHaveLength(1);
    expect(service.output()).toContain("with 1 models, in 3 processes.");
    const requests = load(4, () => askAlone(service.origin));
    await until(
      () => servedBy(service),
      ({ size }) => size === 3,
    );
    const become = await requests.end();
    expect(become.map(({ refused, failed }) => refused + failed)).toEqual(Array(4).fill(0));

    const answered = become.reduce((sum, one) => sum + one.answered, 0);
    expect([...(await servedBy(service)).values()].reduce((sum, one) => sum + one)).toBe(answered);
    // One block for each metric, whoever answers, and a line in the log says which process wrote it.
    const metrics = await service.metrics();
    expect(metrics.match(/^# TYPE manifold_requests_total /gm)).toHaveLength(1);
    expect(metrics.match(/^manifold_process_up\{process="\d"\} 1$/gm)).toHaveLength(3);
    expect(metrics).toContain('manifold_process_restarts_total{process="2"} 0');
    const lines = service.output().match(/^\{.*"msg":"request"\}$/gm) ?? [];
    expect(new Set(lines.map((line) => JSON.parse(line).process))).toEqual(new Set([1, 2, 3]));

    const others = load(4, () => askAlone(service.origin));
    const served = (await servedBy(service)).get(2);
    await until(
      () => servedBy(service),
      (counts) => counts.get(2) !== served,
    );
    const before = service.pids();
    process.kill(before.get(2) as number, "SIGKILL");
    await service.said(/"msg":"process started"/, 4);
    const after = service.pids();
    expect(after.get(2)).not.toBe(before.get(2));
    expect([after.get(1), after.get(3)]).toEqual([before.get(1), before.get(3)]);
    // The new one takes its part.
    await until(
      () => servedBy(service),
      (counts) => (counts.get(2) ?? 0) > 0,
    );
    const ends = await others.end();
    // Only requests of the killed one fail, and a loop has one request in hand at a time.
    expect(ends.map(({ failed }) => failed).filter((failed) => failed > 1)).toEqual([]);
    expect(ends.map(({ refused }) => refused)).toEqual(Array(4).fill(0));
    expect(await service.metrics()).toContain('manifold_process_restarts_total{process="2"} 1');
    expect(service.output()).toContain('"how":"signal SIGKILL"');
    await stop(service);
    await expectBalanced(service);
  });

  it("processes are replaced one by one at a SIGHUP: no request fails, on old and on new connections", async () => {
    const service = await services.start();
    const before = service.pids();
    const alone = load(2, () => askAlone(service.origin));
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    const kept = load(2, () => askKept(service.origin, agent));
    const stream = askAlone(service.origin, { text: `${"long ".repeat(60)}[[fault:slow=5]]`, stream: true });
    // Those that are not yet replaced do not know this provider.
    service.write({ models: ["m1", "m2"], provider: "other", server: { processes: 2, port: 9 } });
    service.signal("SIGHUP");
    const [line] = await service.said(/^\{.*"msg":"config reload.*$/m);
    // All serve at the address of the first ones.
    const waiting = ["server.port"];
    expect(JSON.parse(line)).toMatchObject({ processes: 2, waiting, msg: "config reloaded" });
    for (const become of [await alone.end(), await kept.end()])
      expect(become.map(({ refused, failed }) => refused + failed)).toEqual([0, 0]);
    expect((await stream).text.endsWith("data: [DONE]\n\n")).toBe(true);
    agent.destroy();

    expect((await askAlone(service.origin, { model: "m2" })).status).toBe(200);
    expect(service.pids().get(1)).not.toBe(before.get(1));
    expect(service.pids().get(2)).not.toBe(before.get(2));
    expect((await service.metrics()).match(/^manifold_process_up/gm)).toHaveLength(2);
    await stop(service);
    await expectBalanced(service);
  });

  it("processes keep serving their configuration where a new one is wrong, and let requests end at a SIGTERM", async () => {
    const service = await services.start({ server: { processes: 2 } });
    const before = service.pids();
    service.write({ server: { processes: 2, prot: 1 } });
    service.signal("SIGHUP");
    await service.said(/config reload failed, keeping the previous one/);
    const reloads = await until(
      () => service.reloads(),
      ({ length }) => length > 0,
    );
    expect(reloads[0]?.isApplied).toBe(false);
    expect(reloads[0]?.findings.join()).toMatch(/\.json:\d+:\d+: server\.prot/);
    // What is started anew serves what was right, not what stands in the file.
    process.kill(before.get(1) as number, "SIGKILL");
    await service.said(/"msg":"process started"/, 3);
    expect((await askAlone(service.origin)).status).toBe(200);

    const streams = Array.from({ length: 8 }, () =>
      askAlone(service.origin, { text: `${"long ".repeat(60)}[[fault:slow=5]]`, stream: true }),
    );
    // All are under way once the provider's calls are.
    await until(
      () => service.metrics(),
      (metrics) => /^manifold_requests_in_flight\{surface="chatstyle".* [1-9]/m.test(metrics),
    );
    service.signal("SIGTERM");
    for (const { text, status } of await Promise.all(streams))
      expect(status === 503 || text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(await service.exited).toBe(0);
    await expectBalanced(service);
  });

  it("processes stop in order where their supervisor is killed", async () => {
    const service = await services.start({ server: { processes: 2 } });
    service.signal("SIGKILL");
    // Its end is that of all who write to its output.
    await service.exited;
    expect(service.output().match(/the supervisor has ended; stopping/g)).toHaveLength(2);
    await expectBalanced(service);
  });

  it.each([
    [
      "the store is of one process",
      { store: "sqlite::memory:" },
      /server\.processes: 3 needs a store that processes can share/,
    ],
    [
      "a provider takes fewer requests than there are processes",
      {
        providers: {
          local: { protocol: "msgstyle", origin: "http://127.0.0.1:9", concurrency: { maxConcurrent: 2 } },
        },
      },
      /providers\.local\.concurrency\.maxConcurrent: 2 cannot be divided among the 3/,
    ],
    ["the number makes no sense", { server: { processes: 0 } }, /server\.processes: /],
  ])("processes do not start where %s", async (_, changes, why) => {
    await expect(services.start(changes)).rejects.toThrow(why);
  });

  it("processes say once that the port is in use", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    await once(busy, "listening");
    const { port } = busy.address() as AddressInfo;
    const failure = await services
      .start({ server: { port, processes: 2 } })
      .catch((error: Error) => error.message);
    expect(String(failure).match(/is in use; choose another port/g)).toHaveLength(1);
    busy.close();
  });
});

/** A request on a connection that is kept for the next one. */
function askKept(origin: string, agent: Agent): Promise<{ status: number }> {
  return new Promise((done, fail) => {
    const headers = { "x-api-key": KEY, "content-type": "application/json" };
    const url = `${origin}/api/chatstyle/v1/chat/completions`;
    const call = request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => done({ status: answer.statusCode ?? 0 }));
    });
    call.on("error", fail);
    call.end(JSON.stringify({ model: "m1", messages: [{ role: "user", content: "hi" }] }));
  });
}
