import { useSignal } from "@preact/signals";
import type { Mark } from "./mark.ts";

interface JsonProps {
  value: unknown;
  label: string;
  marks?: ReadonlyMap<string, Mark>;
}

const MOST = 200;

/** A JSON value as text, line by line; marks stand beside the lines of the places that they are of. */
export function Json({ value, label, marks = new Map() }: JsonProps) {
  const isWhole = useSignal(false);
  const lines = toLines(value);
  const shown = isWhole.value ? lines : lines.slice(0, MOST);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keys
    <section class="json" aria-label={label} tabIndex={0}>
      <pre>
        {shown.map(({ text, pointer, indent }, at) => {
          const mark = pointer === undefined ? undefined : marks.get(pointer);
          return (
            <div key={at} class={mark ? `marked ${mark.tone}` : ""}>
              {"  ".repeat(indent)}
              {text}
              {mark && <span class="mark">{mark.text}</span>}
            </div>
          );
        })}
      </pre>
      {lines.length > shown.length && (
        <button
          type="button"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show all {lines.length} lines
        </button>
      )}
    </section>
  );
}

interface Line {
  text: string;
  indent: number;
  pointer?: string;
}

/** The lines of a value in JSON, each with the pointer of what begins in it. */
export function toLines(value: unknown, name = "", pointer = "", indent = 0, tail = ""): Line[] {
  const head = { indent, pointer };
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null)
    return [{ ...head, text: `${name}${JSON.stringify(value) ?? "undefined"}${tail}` }];
  const members = Object.entries(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return [{ ...head, text: `${name}${open}${close}${tail}` }];
  const inner = members.flatMap(([key, member], at) =>
    toLines(
      member,
      isList ? "" : `${JSON.stringify(key)}: `,
      `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      indent + 1,
      at < members.length - 1 ? "," : "",
    ),
  );
  return [{ ...head, text: `${name}${open}` }, ...inner, { indent, text: `${close}${tail}` }];
}
