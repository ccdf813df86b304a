/** Whose spend a cumulative limit adds up: each agent's, each owner's, or that of all callers of the endpoint. */
export const CUMULATIVE_SCOPES = ['agent', 'owner', 'endpoint'] as const

export type CumulativeScope = (typeof CUMULATIVE_SCOPES)[number]
