/** The commerce protocols an agent can declare. Spec: Agent, `protocols`. */
export const PROTOCOLS = ['a2a', 'acp', 'ap2', 'ucp', 'mpp', 'x402', 'vi', 'agentpay', 'tap'] as const

export type Protocol = (typeof PROTOCOLS)[number]
