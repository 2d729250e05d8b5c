import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { trace } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { telemetry } from "../../../apps/server/src/config/telemetry.ts";
import { listenForMetrics } from "../../../apps/server/src/telemetry/listen.ts";
import { INSTALL_TRACES } from "../../../apps/server/src/telemetry/start.ts";
import { startTraces } from "../../../apps/server/src/telemetry/traces.ts";

it("a collector that refuses traces is told, and the end of the process does not fail", async () => {
  const collector = createServer((request, response) => {
    request.resume();
    response.writeHead(400).end();
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
  const faults: object[] = [];
  const { traces } = telemetry.parse({ traces: { endpoint } });
  if (!traces) throw new Error("no traces");
  const tracing = startTraces(traces, (fault) => faults.push(fault));
  trace.getTracer("test").startSpan("a").end();
  await tracing.close();
  expect(faults).toHaveLength(1);
  collector.close();
});

it("a port of metrics that is in use is told by its setting", async () => {
  const busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  const { port } = busy.address() as AddressInfo;
  const listening = listenForMetrics({ host: "127.0.0.1", port }, async () => ({ type: "", text: "" }));
  await expect(listening).rejects.toThrow(/^telemetry\.metrics\.port: .*in use.*; choose another$/);
  busy.close();
});

it("the command that installs the SDK names the versions that are wanted, wherever it stands", () => {
  const root = `${import.meta.dirname}/../../..`;
  const { peerDependencies } = JSON.parse(readFileSync(`${root}/apps/server/package.json`, "utf8"));
  for (const [name, range] of Object.entries<string>(peerDependencies)) {
    if (!name.startsWith("@opentelemetry/")) continue;
    const [major, minor] = range.slice(1).split(".");
    expect(`${INSTALL_TRACES} `).toContain(` ${name}@${major === "0" ? `0.${minor}` : major} `);
  }
  for (const page of ["apps/server/README.md", "docs/observability.md"])
    expect(readFileSync(`${root}/${page}`, "utf8")).toContain(INSTALL_TRACES);
});
