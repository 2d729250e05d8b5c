import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError, call } from "../api/client.ts";
import type { Key } from "../screens/keys.tsx";
import { session, signIn } from "../state/session.ts";
import { CAPS } from "./caps.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form } from "./form.tsx";
import { Copy } from "./parts.tsx";

interface KeyProps {
  of: Key;
  onClose: () => void;
}

type Texts = { [cap in (typeof CAPS)[number]]: string };

/** An empty field is no cap, and 0 stops all that costs. */
const toAmounts = (texts: Texts): { [cap in keyof Texts]: number | null } =>
  Object.fromEntries(CAPS.map((cap) => [cap, texts[cap].trim() === "" ? null : Number(texts[cap])])) as never;

const RESETS: Texts = {
  daily: "Starts anew each day at 00:00 UTC.",
  weekly: "Starts anew each Monday at 00:00 UTC.",
  monthly: "Starts anew on the first of each month at 00:00 UTC.",
  total: "Never starts anew.",
};

const CapFields = ({ texts }: { texts: { value: Texts } }) => (
  <>
    {CAPS.map((cap) => (
      <Field
        key={cap}
        label={`${cap} cap in US dollars`}
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        placeholder="no cap"
        hint={RESETS[cap]}
        value={texts.value[cap]}
        onInput={(text) => {
          texts.value = { ...texts.value, [cap]: text };
        }}
      />
    ))}
  </>
);

const none: Texts = { daily: "", weekly: "", monthly: "", total: "" };

export function CreateKey({ onClose }: { onClose: () => void }) {
  const name = useSignal("");
  const texts = useSignal(none);
  const made = useSignal<string | undefined>(undefined);
  const create = async (): Promise<void> => {
    const limits = toAmounts(texts.value);
    const answer = await call("post", "/api/compat/v1/api-keys", { body: { name: name.value, limits } });
    made.value = answer.key;
  };
  return (
    <Dialog title="Create a key" onClose={onClose}>
      {made.value === undefined ? (
        <Form act="Create key" onSubmit={create} onCancel={onClose}>
          <Field
            label="Name"
            hint="The program that it is for."
            required
            autoFocus
            value={name.value}
            onInput={(text) => {
              name.value = text;
            }}
          />
          <CapFields texts={texts} />
        </Form>
      ) : (
        <RawKey text={made.value} onClose={onClose} />
      )}
    </Dialog>
  );
}

const RawKey = ({ text, onClose }: { text: string; onClose: () => void }) => (
  <>
    <p>Keep it where only the program can read it.</p>
    <p class="secret">
      <code>{text}</code>
    </p>
    <div class="acts">
      <Copy text={text} label="Copy the key" />
      <button type="button" onClick={onClose}>
        Done
      </button>
    </div>
  </>
);

export function ChangeCaps({ of: key, onClose }: KeyProps) {
  const texts = useSignal<Texts>(
    Object.fromEntries(CAPS.map((cap) => [cap, key.limits[cap]?.toString() ?? ""])) as Texts,
  );
  const save = async (): Promise<void> => {
    await call("patch", "/api/compat/v1/api-keys/{keyId}/usage-limit", {
      path: { keyId: key.id },
      body: toAmounts(texts.value),
    });
    onClose();
  };
  return (
    <Dialog title={`Caps of ${key.name}`} onClose={onClose}>
      <Form act="Save caps" onSubmit={save} onCancel={onClose}>
        <CapFields texts={texts} />
      </Form>
    </Dialog>
  );
}

const SHOWN_MS = 30_000;

/** Shows a key again, for half a minute, to someone who signed in a short while ago. */
export function RevealKey({ of: key, onClose }: KeyProps) {
  const text = useSignal<string | undefined>(undefined);
  const isOld = useSignal(false);
  const password = useSignal("");
  const reveal = async (): Promise<void> => {
    try {
      if (isOld.value) await signIn(session.value?.login ?? "", password.value);
      const answer = await call("post", "/api/compat/v1/api-keys/{keyId}/reveal", {
        path: { keyId: key.id },
      });
      text.value = answer.key;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "session_too_old") throw error;
      isOld.value = true;
    }
  };
  useEffect(() => {
    if (text.value === undefined) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text.value, onClose]);
  return (
    <Dialog title={`Reveal ${key.name}`} onClose={onClose}>
      {text.value !== undefined ? (
        <RawKey text={text.value} onClose={onClose} />
      ) : (
        <Form act="Reveal" onSubmit={reveal} onCancel={onClose}>
          <p>The key is shown for 30 seconds, and the audit log says that it was.</p>
          {isOld.value && (
            <Field
              label="Password"
              hint="Your session is older than 15 minutes."
              type="password"
              autocomplete="current-password"
              required
              value={password.value}
              onInput={(value) => {
                password.value = value;
              }}
            />
          )}
        </Form>
      )}
    </Dialog>
  );
}

export function RevokeKey({ of: key, onClose }: KeyProps) {
  const typed = useSignal("");
  const revoke = async (): Promise<void> => {
    if (typed.value !== key.name) throw new Error(`Type “${key.name}” to revoke it.`);
    await call("delete", "/api/compat/v1/api-keys/{keyId}", { path: { keyId: key.id } });
    onClose();
  };
  return (
    <Dialog title={`Revoke ${key.name}`} onClose={onClose}>
      <Form act="Revoke for good" isDanger onSubmit={revoke} onCancel={onClose}>
        <p>Requests with it are refused from then on. This cannot be undone.</p>
        <Field
          label={`Type “${key.name}”`}
          required
          autoFocus
          value={typed.value}
          onInput={(text) => {
            typed.value = text;
          }}
        />
      </Form>
    </Dialog>
  );
}
