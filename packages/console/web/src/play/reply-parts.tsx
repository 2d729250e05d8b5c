import type { CallPart, MediaPart, Part, ResultPart } from "@manifold-gateway/core/ir";
import type { AnswerPart } from "../codecs/reply-reader.ts";
import { dataUrl, sayMedia } from "./media-parts.ts";

/** An answer as people read it: text, thoughts apart from it, calls and pictures. Nothing in it is markup. */
export function ReplyParts({ of: parts }: { of: readonly AnswerPart[] }) {
  const hasSeveral = parts.some(({ choice }) => choice > 0);
  return (
    <>
      {parts.map(({ index, choice, part }, at) => (
        <div key={index}>
          {hasSeveral && choice !== parts[at - 1]?.choice && <h3>Alternative {choice + 1}</h3>}
          <ContentPart of={part} />
        </div>
      ))}
    </>
  );
}

/** A part of a message as people read it. */
export function ContentPart({ of: part }: { of: Part }) {
  switch (part.type) {
    case "text":
      return (
        <>
          <pre class={part.refusal ? "answer warn" : "answer"}>{part.text}</pre>
          {part.citations && part.citations.length > 0 && (
            <ul class="sources">
              {part.citations.map(({ url, title, quote }, at) => (
                <li key={at}>
                  {url === undefined ? (
                    (title ?? quote)
                  ) : (
                    <a href={/^https?:/.test(url) ? url : undefined} target="_blank" rel="noreferrer">
                      {title ?? url}
                    </a>
                  )}
                </li>
              ))}
            </ul>
          )}
        </>
      );
    case "reasoning":
      return (
        <details class="thoughts">
          <summary>Thoughts</summary>
          <pre>{part.text || "(hidden by the provider)"}</pre>
        </details>
      );
    case "call":
      return <Call of={part} />;
    case "result":
      return <Result of={part} />;
    case "media":
      return <Media of={part} />;
    case "opaque":
      return (
        <details>
          <summary>A part that only {part.protocol} has</summary>
          <pre>{JSON.stringify(part.value, null, 2)}</pre>
        </details>
      );
  }
}

function Call({ of: { name, arguments: text } }: { of: CallPart }) {
  return (
    <div class="call">
      <b>
        Call of <code>{name}</code>
      </b>
      <pre>{pretty(text)}</pre>
    </div>
  );
}

const Result = ({ of: { name, id, parts, failed } }: { of: ResultPart }) => (
  <div class="call">
    <b class={failed ? "bad" : undefined}>
      {failed ? "Failed result" : "Result"} of <code>{name ?? id}</code>
    </b>
    {parts.map((part, at) => (
      <ContentPart key={at} of={part} />
    ))}
  </div>
);

/** Arguments with line breaks, once they are whole. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Media({ of: part }: { of: MediaPart }) {
  const url = dataUrl(part);
  if (url !== undefined && part.kind === "image") return <img src={url} alt="Generated" />;
  if (url !== undefined && part.kind === "audio")
    // biome-ignore lint/a11y/useMediaCaption: a model's words stand beside it where it has any
    return <audio controls src={url} />;
  return <p class="wrap">{sayMedia(part)}</p>;
}
