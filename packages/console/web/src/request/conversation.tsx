import type { TextRequest } from "@manifold-gateway/core";
import type { Choice, Message, Part } from "@manifold-gateway/core/ir";
import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { codecs } from "../codecs/codecs.ts";
import { isWireName } from "../codecs/wires.ts";
import { ContentPart } from "../play/reply-parts.tsx";
import { Awaited } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { Facts } from "../ui/parts.tsx";
import { surfaceOfKept } from "./again.ts";
import type { Detail } from "./detail.ts";
import { ReplyGone, RequestGone } from "./gone.tsx";
import { settingsOf } from "./settings.ts";

/** What was asked and what came back, as people read it, or as it stands in the record. */
export default function Conversation({ of: one }: { of: Detail }) {
  const isRaw = useSignal(false);
  const { request, reply } = one;
  const surface = surfaceOfKept(one);
  const isText = request !== undefined && surface !== undefined && isWireName(surface);
  const read = useQuery({
    queryKey: ["request", one.id, "decoded"],
    queryFn: () => {
      const path = { model: one.model, stream: false };
      return codecs("decode", JSON.stringify(request), surface as "chat", path);
    },
    enabled: isText,
  });
  const isReadable = isText && !(read.data && "fault" in read.data);
  return (
    <>
      {isReadable && (
        <fieldset class="switch">
          <legend class="hidden">Form</legend>
          {([false, true] as const).map((raw) => (
            <button
              key={String(raw)}
              type="button"
              aria-pressed={isRaw.value === raw}
              onClick={() => {
                isRaw.value = raw;
              }}
            >
              {raw ? "Raw" : "Read"}
            </button>
          ))}
        </fieldset>
      )}
      {request === undefined && <RequestGone />}
      {isReadable && !isRaw.value ? (
        <Awaited label="the conversation" of={read}>
          {(decoded) =>
            "request" in decoded && <Bubbles of={decoded.request} reply={reply as Reply | undefined} />
          }
        </Awaited>
      ) : (
        <>
          {request !== undefined && <Json value={request} label="Request" />}
          {reply !== undefined && <Json value={reply} label="Reply" />}
        </>
      )}
      {reply === undefined && <ReplyGone of={one} />}
    </>
  );
}

type Reply = { choices: Choice[]; truncated?: true };

/** The messages of a request and the reply to it, one after the other. */
function Bubbles({ of: request, reply }: { of: TextRequest; reply: Reply | undefined }) {
  const settings = settingsOf(request);
  return (
    <>
      {settings.length > 0 && <Facts of={settings} />}
      <ol class="bubbles">
        {request.messages.map((message, at) => (
          <Bubble key={at} who={nameOf(message)} kind={message.role} parts={message.parts} />
        ))}
        {reply?.choices.map(({ parts, finish }, at) => (
          <Bubble
            key={`reply ${at}`}
            who={reply.choices.length > 1 ? `Reply ${at + 1}` : "Reply"}
            kind="reply"
            parts={parts}
            note={finish && `ended by ${finish.reason.replaceAll("_", " ")}`}
          />
        ))}
      </ol>
      {reply?.truncated && <p class="warn">The reply was longer: its record keeps the beginning.</p>}
    </>
  );
}

const WHO: Record<Message["role"], string> = { system: "System", user: "User", assistant: "Assistant" };

const nameOf = ({ role, name, parts }: Message): string => {
  if (role === "user" && parts.length > 0 && parts.every(({ type }) => type === "result")) return "Tool";
  return name === undefined ? WHO[role] : `${WHO[role]}, ${name}`;
};

interface BubbleProps {
  who: string;
  kind: Message["role"] | "reply";
  parts: readonly Part[];
  note?: ComponentChildren;
}

const Bubble = ({ who, kind, parts, note }: BubbleProps) => (
  <li class={`bubble ${kind}`}>
    <b>{who}</b>
    {parts.map((part, at) => (
      <ContentPart key={at} of={part} />
    ))}
    {parts.length === 0 && <p class="faint">nothing</p>}
    {note && <small class="faint">{note}</small>}
  </li>
);
