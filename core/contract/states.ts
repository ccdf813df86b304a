import { z } from 'zod'

/** `provisional` and `withdrawn` are those of platform agents. Source: `Spec: States`. */
export const agentStatus = z.enum(['active', 'suspended', 'retired', 'provisional', 'withdrawn'])

/** The state of an agent's identity on chain. */
export const blockchainStatus = z.enum(['unverified', 'pending', 'verified', 'failed'])

/** The decision on a request. */
export const recommendation = z.enum(['grant', 'deny', 'step_up_required', 'audit'])

/** Source: `Spec: Trust score to access level`. */
export const accessLevel = z.enum(['none', 'restricted', 'read-only', 'standard', 'full', 'internal'])
