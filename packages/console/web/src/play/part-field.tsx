import type { CallPart, MediaPart, Part, ResultPart } from "@manifold-gateway/core/ir";
import { Icon } from "../ui/icons.tsx";
import { changeRequest } from "./desk.ts";
import { dataUrl, sayMedia } from "./media-parts.ts";
import { changePart, removePart } from "./messages.ts";

interface PartFieldProps<P extends Part = Part> {
  of: P;
  /** The places of the message and of the part in it. */
  at: [message: number, part: number];
  label: string;
}

/** A part of a message, to be changed where people write such parts. */
export function PartField({ of: part, at, label }: PartFieldProps) {
  switch (part.type) {
    case "text":
      return (
        <textarea
          rows={2}
          data-filter
          aria-label={label}
          value={part.text}
          onInput={({ currentTarget: { value: text } }) =>
            changeRequest(changePart(...at, (before) => ({ ...before, text }) as Part))
          }
        />
      );
    case "media":
      return <MediaField of={part} at={at} label={label} />;
    case "call":
      return <CallField of={part} at={at} label={label} />;
    case "result":
      return <ResultField of={part} at={at} label={label} />;
    case "reasoning":
      return (
        <Fixed at={at} label={part.seal ? "Thoughts, sealed by the provider" : "Thoughts"}>
          <pre>{part.text || "(hidden)"}</pre>
        </Fixed>
      );
    case "opaque":
      return (
        <Fixed at={at} label={`A part that only ${part.protocol} has`}>
          <pre>{JSON.stringify(part.value, null, 2)}</pre>
        </Fixed>
      );
  }
}

const Remove = ({ at, name }: { at: PartFieldProps["at"]; name: string }) => (
  <button
    type="button"
    class="bare"
    aria-label={`Remove ${name}`}
    onClick={() => changeRequest(removePart(...at))}
  >
    <Icon name="close" />
  </button>
);

interface FixedProps {
  at: PartFieldProps["at"];
  label: string;
  children: preact.ComponentChildren;
}

const Fixed = ({ at, label, children }: FixedProps) => (
  <div class="line">
    <details>
      <summary>{label}</summary>
      {children}
    </details>
    <Remove at={at} name={label.toLowerCase()} />
  </div>
);

function MediaField({ of: part, at }: PartFieldProps<MediaPart>) {
  const url = part.kind === "image" ? dataUrl(part) : undefined;
  const words = sayMedia(part);
  return (
    <div class="line file">
      {url !== undefined && <img src={url} alt="" />}
      <span class="wrap words">{words}</span>
      <Remove at={at} name={words} />
    </div>
  );
}

function CallField({ of: part, at, label }: PartFieldProps<CallPart>) {
  const { name, freeform, seal } = part;
  return (
    <div class="line">
      <label class="stack">
        <span>
          Call of <code>{name}</code> {seal && <span class="faint">sealed by the provider</span>}
        </span>
        <textarea
          class="code"
          rows={1}
          spellcheck={freeform === true}
          aria-label={`${label}: arguments of the call of ${name}`}
          value={part.arguments}
          onInput={({ currentTarget: { value } }) =>
            changeRequest(changePart(...at, (before) => ({ ...before, arguments: value }) as Part))
          }
        />
      </label>
      <Remove at={at} name={`the call of ${name}`} />
    </div>
  );
}

function ResultField({ of: part, at, label }: PartFieldProps<ResultPart>) {
  const { id, name = id, failed = false, parts } = part;
  const set = (more: Partial<ResultPart>): void =>
    changeRequest(changePart(...at, (before) => ({ ...before, ...more }) as Part));
  const texts = parts.flatMap((one) => (one.type === "text" ? [one.text] : []));
  const others = parts.filter((one) => one.type !== "text");
  return (
    <div class="line">
      <label class="stack">
        <span>
          Result of <code>{name}</code>
        </span>
        <textarea
          class="code"
          rows={2}
          data-result
          aria-label={`${label}: result of ${name}`}
          placeholder="what the tool answers"
          value={texts.join("\n")}
          onInput={({ currentTarget: { value: text } }) =>
            set({ parts: [{ type: "text", text }, ...others] })
          }
        />
        {others.length > 0 && <span class="faint">and {others.length} files</span>}
      </label>
      <label>
        <input
          type="checkbox"
          checked={failed}
          onChange={({ currentTarget: { checked } }) =>
            changeRequest(
              changePart(...at, (before) => {
                const { failed: _, ...rest } = before as ResultPart;
                return checked ? { ...rest, failed: true } : rest;
              }),
            )
          }
        />
        failed
      </label>
      <Remove at={at} name={`the result of ${name}`} />
    </div>
  );
}
