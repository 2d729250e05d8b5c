import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inParallel } from "../money/client.ts";
import { type Cluster, KEY, missing, startCluster } from "./stage.ts";

const REQUESTS = 240;
const AT_ONCE = 12;

interface Ended {
  status: number;
  text: string;
}

describe.skipIf(missing)(`three gateways behind a balancer ${missing}`, { timeout: 120_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  }, 120_000);
  afterAll(() => cluster?.stop());

  /** A request that is sent again, under its own name, as often as its connection breaks. */
  async function ask(path: string, name: string, body: object): Promise<Ended & { broke: number }> {
    for (let broke = 0; ; broke++) {
      try {
        const answer = await fetch(cluster.origin + path, {
          method: "POST",
          headers: { "x-api-key": KEY, "content-type": "application/json", "idempotency-key": name },
          body: JSON.stringify(body),
        });
        const text = await answer.text();
        // The balancer's own word for a gateway that has gone.
        if (answer.status === 502) continue;
        return { status: answer.status, text, broke };
      } catch {
        // Broken in the middle of an answer.
      }
    }
  }

  const chat = (index: number) =>
    ask("/api/chatstyle/v1/chat/completions", `chat-${index}`, {
      model: "chat",
      stream: index % 3 === 0,
      messages: [{ role: "user", content: `mark-${index}- [[fault:delay=20]]` }],
    });
  const picture = (index: number) =>
    ask("/api/v1/image/generations", `picture-${index}`, {
      model: "picture",
      content: [{ type: "text", text: `mark-${index}-` }],
    });

  it("lose nothing and charge nothing twice where one of them is killed under load", async () => {
    const ended: (Ended & { broke: number })[] = [];
    let killing: Promise<void> | undefined;
    await inParallel(AT_ONCE, async (index) => {
      if (index >= REQUESTS) return false;
      ended[index] = await (index % 10 === 9 ? picture(index) : chat(index));
      if (index > REQUESTS / 3) killing ??= cluster.gateways[0]!.kill();
      return true;
    });
    await killing;

    // 409: under way when its gateway died, which its caller is told and not charged for twice.
    const unsure = ended.filter(({ status }) => status === 409);
    const others = ended.filter(({ status }) => status !== 409 && status !== 200);
    expect(others).toEqual([]);
    expect(unsure.length).toBeLessThanOrEqual(AT_ONCE);
    expect(unsure.every(({ broke }) => broke > 0)).toBe(true);
    const answered = ended.filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThanOrEqual(REQUESTS - AT_ONCE);

    const pictures = ended.filter((_, index) => index % 10 === 9).filter(({ status }) => status === 200);
    expect(pictures.length).toBeGreaterThan(0);
    for (const { text } of pictures) {
      const [{ downloadUrl }] = JSON.parse(text).images;
      const file = await fetch(downloadUrl);
      expect(file.status).toBe(200);
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }

    // Gateways that stop in order give back what they hold of the balance.
    await Promise.all(cluster.gateways.map((one) => one.stop()));
    const store = await cluster.database.open();
    try {
      await store.money.recover(Date.now());
      const rows = await cluster.database.execute(
        "SELECT status, cost, model, held + leased AS held FROM generations",
      );
      // A picture of the dead gateway is another's to go on with, once nobody has renewed it for long enough.
      const pending = rows.filter(({ status }) => status === "pending");
      expect(pending.filter(({ model }) => model !== "picture")).toEqual([]);
      // The provider was asked once for each, and each that succeeded costs what the provider counted.
      const { entries } = cluster.simulator.ledger;
      const marks = entries.flatMap(({ request }) => /mark-\d+-/.exec(JSON.stringify(request)) ?? []);
      expect(marks).toHaveLength(new Set(marks).size);
      const costs = rows.filter(({ status }) => status === "succeeded").map(({ cost }) => Number(cost));
      expect(costs.length).toBeGreaterThanOrEqual(answered.length);
      expect(costs.every((cost) => cost > 0)).toBe(true);
      const spent = rows.reduce((sum, { cost }) => sum + Number(cost), 0);
      const [account] = await cluster.database.execute("SELECT balance, held FROM accounts");
      expect({ balance: Number(account?.balance), held: Number(account?.held) }).toEqual({
        balance: 1_000_000_000 - spent,
        held: pending.reduce((sum, { held }) => sum + Number(held), 0),
      });
      expect(await store.money.audit()).toEqual([]);
    } finally {
      await store.close();
    }
  });
});
