/** The most connections of a process to Postgres, by their use. Each piece of work uses one while it runs. */
export const CONNECTIONS = { work: 10, reports: 2, heartbeat: 1 } as const;

/** All of them. */
export const CONNECTIONS_OF_A_PROCESS = Object.values(CONNECTIONS).reduce((sum, one) => sum + one, 0);
