import { styleText } from "node:util";

type Color = Parameters<typeof styleText>[0];

const LEVELS: Record<number, [name: string, color: Color]> = {
  20: ["debug", "gray"],
  30: ["info", "green"],
  40: ["warn", "yellow"],
  50: ["error", "red"],
};

/** Matches values that need no quotes. Others are quoted, so that they cannot control a terminal. */
const PLAIN = /^[\p{L}\p{N}_.:/@%+=,*~-]+$/u;

const show = (value: unknown): string =>
  typeof value === "string" && PLAIN.test(value) ? value : (JSON.stringify(value) ?? "");

/** Shows a stack on several lines. */
const stackOf = (text: string): string =>
  text
    .split("\n")
    .map((line) => `    ${line.trim().replace(/\p{Cc}/gu, " ")}`)
    .join("\n");

/** Formats a log line for a person: the time of day, the level, the message, and its fields. */
export function prettyLine(line: string, isColored: boolean): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const paint = (color: Color, text: string): string =>
    isColored ? styleText(color, text, { validateStream: false }) : text;
  const [name, color] = LEVELS[Number(level)] ?? ["fatal", "red"];
  const moment = new Date(Number(time));
  const clock = `${moment.toTimeString().slice(0, 8)}.${String(moment.getMilliseconds()).padStart(3, "0")}`;
  const isStack = (value: unknown): value is string =>
    typeof value === "string" && value.includes("\n    at ");
  const pairs = Object.entries(fields)
    .filter(([, value]) => !isStack(value))
    .map(([key, value]) => `${paint("gray", `${key}=`)}${show(value)}`);
  const stacks = Object.values(fields).filter(isStack).map(stackOf);
  const head = [
    paint("gray", clock),
    paint(color, name.padEnd(5)),
    paint("bold", show(msg).replace(/^"|"$/g, "")),
  ];
  return `${[[...head, ...pairs].join(" "), ...stacks].join("\n")}\n`;
}
