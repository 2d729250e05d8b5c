import { keyVaultOf } from "../config/build.ts";
import { ConfigError } from "../config/read.ts";
import { openSecrets, sealSecrets } from "../config/sealed-secrets.ts";
import type { Run } from "./call.ts";
import { byCommand, withStore } from "./command.ts";
import { show } from "./show.ts";

export const reseal: Run = (call) =>
  withStore(call, async (store, _, base) => {
    const vault = keyVaultOf(base.config);
    if (!vault) throw new ConfigError("keyEncryptionSecrets: has no secret to encrypt with");
    const renewed = await store.seals.renew({
      key(sealed, id) {
        const key = vault.open(sealed, id);
        return key === undefined ? undefined : vault.seal(key, id);
      },
      credentials(of) {
        const secrets = openSecrets(of, vault);
        return secrets && sealSecrets(secrets, of, vault);
      },
    });
    await store.auditLog.add(byCommand(), { action: "secrets_resealed", after: renewed });
    show(call, { ...renewed, unreadable: renewed.unreadable.join("; ") });
    return renewed.lost === 0 ? 0 : 1;
  });
