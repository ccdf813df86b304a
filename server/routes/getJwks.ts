import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Accounts"; RFC 7517 §5. */
export const getJwks: Operation = {
  summary: 'Publishes the keys that access tokens and agent cards are verified with.',
  answer: z.object({ keys: z.array(z.record(z.string(), z.string())) }),
  errors: [],
  handle: (services) => () => ({
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { keys: [...services.accounts.keySet.keys, services.agents.cardKey] },
  }),
}
