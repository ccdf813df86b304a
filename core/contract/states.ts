import { z } from 'zod'
import { ACCESS_LEVELS, RECOMMENDATIONS } from '../access/decision.ts'

/** `provisional` and `withdrawn` are those of platform agents. Source: `Spec: States`. */
export const agentStatus = z.enum(['active', 'suspended', 'retired', 'provisional', 'withdrawn'])

/** The state of an agent's identity on chain. */
export const blockchainStatus = z.enum(['unverified', 'pending', 'verified', 'failed'])

/** The decision on a request. */
export const recommendation = z.enum(RECOMMENDATIONS)

/** Source: `Spec: Trust score to access level`. */
export const accessLevel = z.enum(ACCESS_LEVELS)
