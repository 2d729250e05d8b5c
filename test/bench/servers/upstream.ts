import { bursts, unary } from "../wires.ts";
import { serve } from "./serve.ts";

/**
 * The provider of the benchmark: fixed answers, no thought. `[[paced]]` in the request asks for an event every
 * 10 ms, `[[hold]]` for a stream that stays open.
 */
serve(
  (req, res) => {
    const protocol = req.url?.includes("/messages") ? "msgstyle" : "chatstyle";
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const body = Buffer.concat(chunks);
      const tail = body.subarray(-4096).toString("latin1");
      if (!body.includes('"stream":true')) {
        res.writeHead(200, { "content-type": "application/json" });
        res.end(unary[protocol]);
        return;
      }
      res.writeHead(200, { "content-type": "text/event-stream" });
      const events = bursts[protocol] ?? [];
      if (tail.includes("[[hold]]")) {
        res.write(events.slice(0, 3).join(""));
        return;
      }
      if (!tail.includes("[[paced]]")) {
        // A write for each event, as model servers do it.
        for (const event of events) res.write(event);
        res.end();
        return;
      }
      let at = 0;
      const timer = setInterval(() => {
        if (at < events.length) res.write(events[at++]);
        else {
          clearInterval(timer);
          res.end();
        }
      }, 10);
      res.on("close", () => clearInterval(timer));
    });
  },
  Number(process.env.BENCH_UPSTREAM_PORT ?? 0),
);
