import { createCatalog, createGateway } from "@manifold-gateway/gateway";
import { createLinks, openDisk } from "@manifold-gateway/store";
import { openers } from "../../store/databases/open.ts";
import { textModels, textProviders } from "../../support/text.ts";

/**
 * A process that runs batches until it is killed: `child.ts worker <dialect> <location> <json>`. It says each write
 * of a line before and after it, so that it can be killed anywhere, and stops in order at SIGTERM.
 */
const [, , , dialect, location, json] = process.argv as string[];
const { origin, folder, lease } = JSON.parse(json!) as { origin: string; folder: string; lease: number };
const store = await openers[dialect as keyof typeof openers](location!);
const links = createLinks({ base: "http://127.0.0.1", secrets: [{ id: "a", secret: "s".repeat(32) }] });
const say = (word: string) => process.stdout.write(`${word}\n`);

/** A method that says when it begins and ends. */
const spoken =
  <Given extends unknown[], Result>(name: string, method: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    say(name);
    const result = await method(...given);
    say(`${name} done`);
    return result;
  };
const { batches, batchLines } = store;
const gateway = createGateway({
  store: {
    ...store,
    batches: { ...batches, enter: spoken("enter", batches.enter), end: spoken("end", batches.end) },
    batchLines: {
      ...batchLines,
      add: spoken("add", batchLines.add),
      hold: spoken("hold", batchLines.hold),
      finish: spoken("finish", batchLines.finish),
      giveBack: spoken("give back", batchLines.giveBack),
    },
  },
  catalog: createCatalog(textModels),
  providers: textProviders(origin),
  media: {
    objects: await openDisk({ folder, links }),
    batches: { lease, rest: 50, lines: 16, retry: { initial: 5, max: 50 } },
  },
  log: {
    info() {},
    warn() {},
    error: (fields, message) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
// Nothing else keeps the process alive while it waits for the lease of one that died.
setInterval(() => {}, 60_000);
process.once("SIGTERM", async () => {
  await gateway.drain();
  await gateway.close();
  await store.close();
  process.exit();
});
