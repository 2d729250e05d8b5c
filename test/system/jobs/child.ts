import { createProber } from "@manifold-gateway/media";
import { createGuardedFetch, createLineClient, createTransport } from "@manifold-gateway/providers";
import { createLinks, openDisk } from "@manifold-gateway/store";
import { createJobs } from "../../../packages/gateway/src/jobs/jobs.ts";
import { shareProber } from "../../../packages/gateway/src/media/shared-prober.ts";
import { libraryAt, serviceAt } from "../../gateway/jobs/orders.ts";
import { openers } from "../../store/databases/open.ts";

/**
 * A process that does jobs until it is killed: `child.ts worker <dialect> <location> <json>`. It says each write
 * that it is about to make, so that it can be killed anywhere.
 */
const [, , , dialect, location, json] = process.argv as string[];
const { origin, folder, lease } = JSON.parse(json!) as { origin: string; folder: string; lease: number };
const store = await openers[dialect as keyof typeof openers](location!);
const links = createLinks({ base: "http://127.0.0.1", secrets: [{ id: "a", secret: "s".repeat(32) }] });
const guarded = createGuardedFetch({ allow: ["127.0.0.1/32"] });
const say = (word: string) => process.stdout.write(`${word}\n`);
const quick = { initial: 5, max: 20, factor: 1.5 };
const jobs = createJobs({
  store: {
    ...store,
    jobs: {
      ...store.jobs,
      note(ref, note) {
        say(note.phase ?? "note");
        return store.jobs.note(ref, note);
      },
      async finish(ref, end) {
        say("finish");
        const ended = await store.jobs.finish(ref, end);
        say("finished");
        return ended;
      },
    },
  },
  objects: await openDisk({ folder, links }),
  probes: shareProber(createProber({ workers: 1 })),
  client: createLineClient(createTransport()),
  // Also for assets, whose addresses are secure ones otherwise.
  fetch: (url, options) => guarded(url, { ...options, http: true }),
  service: (entry) => serviceAt(origin, entry),
  registry: { provider: "sim", service: libraryAt(origin) },
  log: {
    info() {},
    warn() {},
    error: (fields, message) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
  policy: "threshold",
  limits: {
    lease,
    rest: 50,
    concurrency: 3,
    poll: { image: quick, video: quick, speech: quick, asset: quick },
    retry: { initial: 5, max: 20 },
  },
});
say("ready");
process.stdin.once("data", () => jobs.start());
