import { Refusal } from "@manifold-gateway/gateway";
import { ArchiveError, MigrationError, StoreUnavailable, StoreUnsuitable } from "@manifold-gateway/store";
import { ConfigError } from "./config/read.ts";
import { NotStarted } from "./processes/start-error.ts";

/** Checks whether the system refused something: a file, a folder, an address. Such errors name it, and are no defects. */
const isRefusedBySystem = ({ code, syscall }: NodeJS.ErrnoException): boolean =>
  code !== undefined && syscall !== undefined;

/** Checks whether an error is the operator's to fix, and is shown as one sentence; any other is a defect. */
const isExpected = (error: unknown): error is Error =>
  error instanceof ArchiveError ||
  error instanceof ConfigError ||
  error instanceof NotStarted ||
  error instanceof Refusal ||
  error instanceof StoreUnavailable ||
  error instanceof StoreUnsuitable ||
  error instanceof MigrationError ||
  (error instanceof Error && isRefusedBySystem(error)) ||
  (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;

/** Why a command ended, for the operator. */
export const describeError = (error: unknown): string =>
  isExpected(error) ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
