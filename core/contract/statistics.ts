import { z } from 'zod'
import { CUMULATIVE_SCOPES } from '../pdlss/cumulativeScope.ts'
import { PERIODS } from '../time/period.ts'

const capUse = z.object({
  /** The agent whose use this is; null for all callers together, and for those without identity. */
  agentId: z.string().nullable(),
  /** Whether its requests proved who sent them: those that do not have a window of their own. */
  isProven: z.boolean(),
  /** A plain decimal. */
  used: z.string(),
  currency: z.string().nullable(),
  /** When this use shrinks or starts again; null if never. */
  resetsAt: z.string().nullable(),
})

/** How much of a cap is used up in the current period. */
export type CapUse = z.output<typeof capUse>

const cap = z.object({
  kind: z.enum(['transactions', 'spend']),
  max: z.number(),
  /** The currency of the boundary. */
  currency: z.string().nullable(),
  /** `hour` of transactions is any 3,600 seconds. */
  period: z.enum(PERIODS),
  /** Whose use adds up. */
  scope: z.enum(CUMULATIVE_SCOPES),
  uses: z.array(capUse),
})

/** A cap of a boundary with its uses. */
export type Cap = z.output<typeof cap>

/** The decisions about an agent or an endpoint in the last 30 days, as the owner sees them. */
export const statisticsShape = {
  since: z.string(),
  /** Hours with decisions, earliest first: counts by type of event. */
  hours: z.array(z.object({ start: z.string(), counts: z.record(z.string(), z.number()) })),
  /** The dimensions of denials, the most frequent first; a denial on several counts for each of them. */
  reasons: z.array(z.object({ dimension: z.string(), count: z.number() })),
  /** The busiest other parties; only those of the caller have a name. */
  counterparts: z.array(z.object({ id: z.string(), name: z.string().nullable(), count: z.number() })),
  /** False if there are so many counterparts that those of earlier days are left out. */
  areCounterpartsComplete: z.boolean(),
  lastUsedAt: z.string().nullable(),
  caps: z.array(cap),
}

/** What granted requests spent in the name of an agent, by currency. */
export const spentSchema = z.array(
  z.object({
    currency: z.string().nullable().describe('Null for amounts without a currency'),
    amount: z.string().describe('Of requests that proved the agent; decimal'),
    purchases: z.number().describe('Number of granted requests that proved the agent'),
    unprovenAmount: z
      .string()
      .describe('Of requests that only named the agent, which anyone can do; decimal'),
    unprovenPurchases: z.number().describe('Number of granted requests that only named the agent'),
  }),
)

/** What granted requests spent in the name of an agent in one currency. */
export type Spent = z.output<typeof spentSchema>[number]
