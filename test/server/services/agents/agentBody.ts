/** A complete registration; its numbers are such that a leak of the boundary is found by looking for them. */
export const AGENT_BODY = {
  name: 'Buyer',
  description: 'Buys what is missing',
  agentType: 'autonomous',
  apiEndpoint: 'https://agent.shop-host.io/challenge?x=1',
  image: 'https://agent.shop-host.io/face.png',
  model: { modelName: 'large-1', modelProvider: 'Provider', modelType: 'llm' },
  framework: { frameworkName: 'frame', frameworkVersion: '2' },
  protocols: ['x402'],
  a2a: {
    agentUrl: 'https://agent.shop-host.io/a2a',
    skills: [{ id: 'buy', name: 'Buy', description: 'Buys' }],
    extra: { kept: true },
  },
  pdlss: {
    purpose: { categories: ['shopping'], allowedActions: ['shopping.secret4711'] },
    limits: { autonomousThreshold: 4711.17, approvalThreshold: 84711.18, currency: 'USD' },
  },
}

/** What must never be seen by anyone but the owner. */
export const SECRETS = ['4711', '84711', 'secret4711', 'pdlssSalt']
