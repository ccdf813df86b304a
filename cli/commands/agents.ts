import type { Agent } from '@svc/core/contract/agents.ts'
import { listCommand } from './listCommand.ts'

/** `svc agents`. */
export const agents = listCommand<Agent>({
  name: 'agents',
  path: '/agents',
  columns: {
    id: ({ svcId }) => svcId,
    status: ({ agentStatus }) => agentStatus,
    trust: ({ trustScore }) => String(trustScore),
    chain: ({ blockchainStatus }) => blockchainStatus,
    name: ({ name }) => name,
  },
})
