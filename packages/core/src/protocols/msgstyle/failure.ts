import type { FailureKind } from "../../ir/failure.ts";
import type { ErrorType } from "./schema.ts";

export const types: Record<FailureKind, ErrorType> = {
  invalid: "invalid_request_error",
  authentication: "authentication_error",
  payment: "billing_error",
  permission: "permission_error",
  not_found: "not_found_error",
  conflict: "conflict_error",
  too_large: "request_too_large",
  rate_limit: "rate_limit_error",
  server: "api_error",
  unavailable: "api_error",
  timeout: "timeout_error",
  overloaded: "overloaded_error",
  cancelled: "api_error",
};
