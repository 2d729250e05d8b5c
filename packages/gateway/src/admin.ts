export { operatorKey, sendable } from "./access/operator-key.ts";
export { restrictionsField, toRestrictionsChange } from "./access/restriction-fields.ts";
export { toAccount, toMovement } from "./account/accounts.ts";
export { toAuditEntry } from "./account/audit.ts";
export { columnsOf, FORMS, toExported } from "./account/export.ts";
export {
  accountIdField,
  amountField,
  isUnreserved,
  loginField,
  nameField,
  passwordField,
  referenceField,
} from "./account/fields.ts";
export { createInvitation } from "./account/invitation.ts";
export { createKeyVault } from "./account/key-vault.ts";
export { createKey, keyInfo, toKey, toMicroCaps, type UsdCaps } from "./account/keys.ts";
export { AUDITED } from "./account/overview.ts";
export { hashPassword, isPassword } from "./account/password.ts";
export { refundCharge } from "./account/refund.ts";
export { matches as matchesName } from "./catalog/name-patterns.ts";
export { tryProvider } from "./catalog/try-provider.ts";
export { createCallerAddress, networkOf } from "./http/caller-address.ts";
export { statusOfCode } from "./http/codes.ts";
export { isOrigin } from "./http/cors.ts";
export { messageOf } from "./http/fault.ts";
export { drain, LINGER_MS, lingerAfterLastAnswer } from "./http/linger.ts";
export { envelope } from "./http/refusal.ts";
export { countUnauthenticated } from "./http/unauthenticated.ts";
export { createRates } from "./limits/token-bucket.ts";
export { createRefusalLog } from "./observe/refusals.ts";
export { LONGEST_TIMER } from "./option-rules.ts";
export type { KeyVault } from "./ports/access.ts";
export { tryWebhook } from "./webhooks/try-webhook.ts";
