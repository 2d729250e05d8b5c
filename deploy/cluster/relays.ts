import { createServer as createControl } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { parseArgs } from "node:util";
import { planCluster, type Relay } from "./plan.ts";

/** Which bytes between a member and the others are lost. */
interface Cut {
  to: boolean;
  from: boolean;
}

/** One direction of a connection. */
interface Flow {
  source: Socket;
  sink: Socket;
  isCut(): boolean;
  /** What ends of the source while it is cut, to be passed on later. */
  after?: () => void;
}

const cuts = new Map<string, Cut>();
const flows = new Set<Flow>();
/** Connections that were begun while a way was cut: they are neither refused nor answered. */
const begun = new Set<() => void>();

const NONE: Cut = { to: false, from: false };
const cutOf = (member: string): Cut => cuts.get(member) ?? NONE;

/** Passes bytes on, and the end of them; while cut, both stay where they are, as on a network that drops packets. */
function pass(source: Socket, sink: Socket, isCut: () => boolean): void {
  const flow: Flow = { source, sink, isCut };
  flows.add(flow);
  const unlessCut = (end: () => void) => () => {
    if (isCut()) flow.after = end;
    else end();
  };
  source.on("data", (bytes) => {
    if (sink.write(bytes)) return;
    source.pause();
    sink.once("drain", () => isCut() || source.resume());
  });
  source.on(
    "end",
    unlessCut(() => sink.end()),
  );
  source.on("error", () => {});
  source.on(
    "close",
    unlessCut(() => {
      sink.destroy();
      flows.delete(flow);
    }),
  );
  if (isCut()) source.pause();
}

/** Lets everything go on that is no longer cut, and stops what is. */
function apply(): void {
  for (const flow of flows) {
    if (flow.isCut()) {
      flow.source.pause();
      continue;
    }
    flow.source.resume();
    flow.after?.();
  }
  for (const begin of begun) begin();
}

function serve({ member, leads, listen, to }: Relay): void {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    near.setNoDelay();
    near.on("error", () => {});
    const begin = (): void => {
      const cut = cutOf(member);
      if (near.destroyed) return void begun.delete(begin);
      // Both ways are needed to begin a connection.
      if (cut.to || cut.from) return;
      begun.delete(begin);
      const far = connect({ port: to, host: "127.0.0.1", allowHalfOpen: true });
      far.setNoDelay();
      pass(near, far, () => cutOf(member)[leads === "to" ? "to" : "from"]);
      pass(far, near, () => cutOf(member)[leads === "to" ? "from" : "to"]);
      near.resume();
    };
    begun.add(begin);
    begin();
  });
  server.listen(listen, "127.0.0.1");
}

/** `PUT /member-1/both` cuts a member, `to` and `from` one way; `none` mends it. */
function control(port: number): void {
  createControl((request, response) => {
    const [, member = "", way] = (request.url ?? "").split("/");
    cuts.set(member, { to: way === "to" || way === "both", from: way === "from" || way === "both" });
    apply();
    response.end();
  }).listen(port, "127.0.0.1");
}

const { values } = parseArgs({ options: { folder: { type: "string" }, port: { type: "string" } } });
const plan = planCluster({ folder: values.folder!, port: Number(values.port), pooler: false });
for (const relay of plan.relays) serve(relay);
control(plan.ports.control);
