import type { TextRequest } from "@manifold-gateway/core";
import type { Message, Part } from "@manifold-gateway/core/ir";
import { useSignal } from "@preact/signals";
import { wordsOf } from "../api/refusal.ts";
import { Icon } from "../ui/icons.tsx";
import { Select } from "../ui/select.tsx";
import { changeRequest } from "./desk.ts";
import { userSays } from "./draft.ts";
import { ACCEPTED, toMediaPart } from "./media-parts.ts";
import {
  addMessage,
  addParts,
  changeRole,
  changeSystem,
  removeMessage,
  rolesFor,
  systemCount,
  systemText,
  textPart,
} from "./messages.ts";
import { PartField } from "./part-field.tsx";

const ROLES: Record<Message["role"], string> = { system: "System", user: "User", assistant: "Assistant" };

/** The conversation that is sent, each message with its role and parts. */
export function Conversation({ of: request }: { of: TextRequest }) {
  const first = systemCount(request);
  return (
    <section class="conversation" aria-label="Conversation">
      <label class="stack">
        System prompt
        <textarea
          rows={1}
          placeholder="none"
          value={systemText(request)}
          onInput={(event) => changeRequest(changeSystem(event.currentTarget.value))}
        />
      </label>
      <ol>
        {request.messages.map((message, at) =>
          at < first ? null : <MessageRow key={at} of={message} at={at} number={at + 1 - first} />,
        )}
      </ol>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const isAnswer = request.messages.at(-1)?.role === "user";
          changeRequest(
            addMessage(isAnswer ? { role: "assistant", parts: [{ type: "text", text: "" }] } : userSays("")),
          );
        }}
      >
        <Icon name="plus" /> Add a message
      </button>
    </section>
  );
}

interface MessageRowProps {
  of: Message;
  at: number;
  number: number;
}

function MessageRow({ of: message, at, number }: MessageRowProps) {
  const fault = useSignal<string | undefined>(undefined);
  const { role, parts } = message;
  const take = async (files: readonly File[]): Promise<void> => {
    fault.value = undefined;
    try {
      const media = await Promise.all(files.map(toMediaPart));
      changeRequest(addParts(at, media));
    } catch (error) {
      fault.value = wordsOf(error);
    }
  };
  const takesFiles = role === "user";
  const label = `${ROLES[role]} message ${number}`;
  return (
    <li
      class={`message ${role}`}
      onDragOver={(event) => {
        if (takesFiles) event.preventDefault();
      }}
      onDrop={(event) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (!takesFiles || files.length === 0) return;
        event.preventDefault();
        void take(files);
      }}
      onPaste={(event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (!takesFiles || files.length === 0) return;
        event.preventDefault();
        void take(files);
      }}
    >
      <header>
        <Select
          label={`Role of message ${number}`}
          hidesLabel
          value={role}
          options={rolesFor(message).map((value) => ({ value, text: ROLES[value] }))}
          onChange={(value) => changeRequest(changeRole(at, value as Message["role"]))}
        />
        {takesFiles && (
          <label class="button quiet">
            <Icon name="media" /> Add a file
            <input
              class="hidden"
              type="file"
              multiple
              accept={ACCEPTED}
              onChange={(event) => {
                void take([...(event.currentTarget.files ?? [])]);
                event.currentTarget.value = "";
              }}
            />
          </label>
        )}
        {!parts.some((part) => part.type === "text") && (
          <button type="button" class="quiet" onClick={() => changeRequest(addParts(at, [textPart()]))}>
            <Icon name="plus" /> Text
          </button>
        )}
        <button
          type="button"
          class="bare"
          aria-label={`Remove message ${number}`}
          onClick={() => changeRequest(removeMessage(at))}
        >
          <Icon name="close" />
        </button>
      </header>
      {fault.value !== undefined && (
        <p class="wrong" role="alert">
          {fault.value}
        </p>
      )}
      {(parts as Part[]).map((part, partAt) => (
        <PartField
          key={partAt}
          of={part}
          at={[at, partAt]}
          label={parts.length > 1 ? `${label}, part ${partAt + 1}` : label}
        />
      ))}
    </li>
  );
}
