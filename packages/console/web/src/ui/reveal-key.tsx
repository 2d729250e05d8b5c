import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError, call } from "../api/client.ts";
import { session, signIn } from "../state/session.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form, typedInto } from "./form.tsx";
import type { Key } from "./key-calls.ts";
import { RawKey } from "./raw-key.tsx";

const SHOWN_MS = 30_000;

/** Shows a key again, for half a minute, to someone who signed in a short while ago. */
export function RevealKey({ of: key, onClose }: { of: Key; onClose: () => void }) {
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
          <p>The key is shown for 30 seconds. This is recorded in the audit log.</p>
          {isOld.value && (
            <Field
              label="Password"
              hint="Required again because you signed in more than 15 minutes ago."
              type="password"
              autocomplete="current-password"
              required
              {...typedInto(password)}
            />
          )}
        </Form>
      )}
    </Dialog>
  );
}
