import { useSignal } from "@preact/signals";
import { call } from "../api/client.ts";
import { Field, typedInto } from "../ui/form.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { ActProps } from "./account.ts";

export function SetPassword({ of: account, onClose }: ActProps) {
  const login = useSignal(account.login ?? account.name);
  const password = useSignal("");
  const save = async (): Promise<void> => {
    await call("post", "/api/admin/accounts/{accountId}/password", {
      path: { accountId: account.id },
      body: { login: login.value, password: password.value },
    });
    onClose();
  };
  return (
    <FormDialog title={`Password of ${account.name}`} act="Set password" onSubmit={save} onClose={onClose}>
      <p>All sessions of the account end.</p>
      <Field name="login" label="Login" autocomplete="off" required autoFocus {...typedInto(login)} />
      <Field
        name="password"
        label="New password"
        type="password"
        autocomplete="off"
        required
        {...typedInto(password)}
      />
    </FormDialog>
  );
}
