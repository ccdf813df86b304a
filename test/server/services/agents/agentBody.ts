/** A complete registration, with distinctive numbers by which a leak of the boundary is detected. */
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

/** Values that only the owner may see. */
export const SECRETS = ['4711', '84711', 'secret4711', 'pdlssSalt']
