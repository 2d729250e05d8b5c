import { useSignal } from "@preact/signals";
import { useQueryClient } from "@tanstack/preact-query";
import {
  hasEnded,
  hasOperatorEnded,
  keepsSession,
  linkFault,
  session,
  signIn,
  signInOperator,
} from "../state/session.ts";
import { useTitle } from "./arrival.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form, typedInto } from "./form.tsx";
import { Logo } from "./logo.tsx";

interface SignInProps {
  then?: () => void;
  onCancel?: () => void;
}

export function AccountForm({ login = "", then = () => {}, onCancel }: SignInProps & { login?: string }) {
  const name = useSignal(login);
  const password = useSignal("");
  return (
    <Form
      act="Sign in"
      onSubmit={async () => {
        await signIn(name.value, password.value);
        then();
      }}
      {...(onCancel && { onCancel })}
    >
      <Field label="Account" autocomplete="username" required {...typedInto(name)} />
      <Field
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        {...typedInto(password)}
      />
    </Form>
  );
}

export function OperatorForm({ then = () => {}, onCancel }: SignInProps) {
  const key = useSignal("");
  const submit = async (): Promise<void> => {
    await signInOperator(key.value);
    then();
  };
  return (
    <Form act="Sign in as operator" onSubmit={submit} {...(onCancel && { onCancel })}>
      <Field
        label="Operator key"
        hint="The admin key of the service. The session lasts an hour."
        type="password"
        autocomplete="off"
        required
        {...typedInto(key)}
      />
    </Form>
  );
}

export function SignIn() {
  useTitle("Sign in");
  return (
    <main class="door">
      <Logo />
      <h1>Sign in to Manifold</h1>
      {linkFault.value !== undefined && (
        <p class="wrong" role="alert">
          {linkFault.value}
        </p>
      )}
      {keepsSession.value ? (
        <>
          {!isSecureContext && (
            <p class="warn">This connection is not encrypted: others on the way can read what is sent.</p>
          )}
          <AccountForm />
          <details>
            <summary>I am the operator</summary>
            <OperatorForm />
          </details>
        </>
      ) : (
        <NoSession />
      )}
    </main>
  );
}

/** What to do where the browser would drop the session: said before a password is sent in vain. */
function NoSession() {
  const { hostname, port } = location;
  const here = port || "80";
  return (
    <div class="stack">
      <p role="alert">
        <b>Over plain HTTP this browser keeps no session</b>, so that signing in here has no effect. One of
        these helps:
      </p>
      <ul>
        <li>Open the console by HTTPS, through a proxy with a certificate.</li>
        <li>
          Open an SSH tunnel, <code>{`ssh -L ${here}:127.0.0.1:${here} ${hostname}`}</code>, and with it{" "}
          <code>{`http://127.0.0.1:${here}/console`}</code>.
        </li>
        <li>
          On a network that you trust, set <code>{"server.console: { insecureCookies: true }"}</code> and
          start the service anew. Passwords and sessions can then be read on the way.
        </li>
      </ul>
    </div>
  );
}

/** Asks for the password over the page, so that nothing on it is lost. Closed, it comes again with the next refusal. */
export function SignInAgain() {
  const queries = useQueryClient();
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => {
        hasEnded.value = false;
      }}
    >
      <p>Sign in again to continue. Nothing you typed is lost.</p>
      <AccountForm login={session.value?.login ?? ""} then={() => void queries.invalidateQueries()} />
    </Dialog>
  );
}

/** The same for an operator, whose session lasts an hour whatever is done with it. */
export function OperatorAgain() {
  const queries = useQueryClient();
  return (
    <Dialog
      title="Your operator session has ended"
      onClose={() => {
        hasOperatorEnded.value = false;
      }}
    >
      <p>Enter the operator key again to continue. Nothing you typed is lost.</p>
      <OperatorForm then={() => void queries.invalidateQueries()} />
    </Dialog>
  );
}
