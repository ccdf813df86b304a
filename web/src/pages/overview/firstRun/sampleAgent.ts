/** The type of sample agents, by which they are recognised. */
const AGENT_TYPE = 'sample'

/** The request that a sample agent is granted by an endpoint without a boundary. */
export const SAMPLE_REQUEST = { purpose: 'shopping:buy', transactionValue: 20, currency: 'USD' } as const

/** The limits of a sample agent, in `SAMPLE_REQUEST.currency`: granted up to the first, held up to the second. */
export const SAMPLE_LIMITS = { autonomousThreshold: 50, approvalThreshold: 500 } as const

/** The registration of a sample agent: labelled as one by name, description and type, with a small boundary. */
export function buildSampleAgent(organisation: string) {
  return {
    // The name of an agent has at most 200 characters.
    name: `Sample agent of ${organisation}`.slice(0, 200),
    description:
      'A sample for trying out decisions. Nobody has its key. Retire it once you have real agents.',
    agentType: AGENT_TYPE,
    pdlss: {
      purpose: { categories: ['shopping'] },
      limits: { ...SAMPLE_LIMITS, currency: SAMPLE_REQUEST.currency },
    },
  }
}

/** Whether an agent is a sample that still works. */
export function isSampleAgent(agent: { agentType: string | null; agentStatus: string }): boolean {
  return agent.agentType === AGENT_TYPE && agent.agentStatus === 'active'
}
