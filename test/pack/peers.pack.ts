import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import server from "../../apps/server/package.json" with { type: "json" };
import store from "../../packages/store/package.json" with { type: "json" };
import { describeFresh, run } from "./project.ts";

/** Packages as they are to be asked for: in the latest version that is compatible with the one we know. */
const asked = (peers: Record<string, string>): string =>
  Object.entries(peers)
    .map(([name, range]) => `${name}@${/^\^(0\.\d+|[1-9]\d*)/.exec(range)?.[1]}`)
    .join(" ");

describeFresh("what is installed only by those who use it", (fresh) => {
  /** What the service says that does not start with such a configuration. */
  const refusal = (more: object): string => {
    const config = join(fresh.project, "lacking.json");
    writeFileSync(config, JSON.stringify({ store: "sqlite::memory:", server: { port: 0 }, ...more }));
    const command = join(fresh.project, "node_modules/.bin/manifold");
    try {
      return run(fresh, fresh.nodes.node24 ?? "", command, "--config", config);
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };

  it("a bucket needs its client library", () => {
    const packages = asked(store.peerDependencies);
    const said = refusal({ objects: "s3:b" });
    expect(said).toMatch(new RegExp(`^objects: s3:b cannot be opened: .* npm install ${packages}\\n$`));
  });

  it("traces need the SDK that sends them", () => {
    const { "@manifold-gateway/demo": _, ...sdk } = server.peerDependencies;
    const packages = asked(sdk);
    const said = refusal({ telemetry: { traces: {} } });
    expect(said).toMatch(new RegExp(`^telemetry.traces: .* npm install ${packages}\\n$`));
  });
});
