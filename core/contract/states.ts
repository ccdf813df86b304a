import { z } from 'zod'

/** Source: `Spec: States`. */
export const agentStatus = z.enum(['active', 'suspended', 'retired', 'provisional'])

/** How far an agent's identity has got on chain. */
export const blockchainStatus = z.enum(['unverified', 'pending', 'verified', 'failed'])
