import { connect, type Socket } from "node:net";
import { attacks } from "./attacks.ts";

/** Strikes a server so many times a second, each time on a connection of its own, until it is told to end. */
const [port, perSecond, kinds = Object.keys(attacks).join()] = process.argv.slice(2) as [
  string,
  string,
  string?,
];
/** How long a hostile client waits for an answer, or holds what it was given, in ms. */
const PATIENCE = 10_000;
/** Statuses that each kind was answered with, `0` for none. */
const became: Record<string, Record<string, number>> = {};
const open = new Set<Socket>();

function strike(kind: string): void {
  // Of another address than the honest clients.
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: "127.0.0.2" });
  open.add(socket);
  let said = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    said ||= String(chunk).slice(9, 12);
  });
  socket.on("close", () => {
    open.delete(socket);
    const counts = became[kind] ?? {};
    became[kind] = counts;
    counts[said || "0"] = (counts[said || "0"] ?? 0) + 1;
  });
  socket.write(attacks[kind] as Buffer);
  setTimeout(() => socket.destroy(), PATIENCE).unref();
}

const order = kinds.split(",");
const began = performance.now();
let struck = 0;
const timer = setInterval(() => {
  for (const due = ((performance.now() - began) * Number(perSecond)) / 1_000; struck < due; struck++)
    strike(order[struck % order.length] as string);
}, 5);
process.once("message", () => {
  clearInterval(timer);
  for (const socket of open) socket.destroy();
  setImmediate(() => process.send?.({ struck, became }, () => process.exit(0)));
});
