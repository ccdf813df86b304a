import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import type { Services } from './services.ts'

const time = z.iso
  .datetime({ offset: true, message: 'expected a time such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text))
/** A NUL is in no name, and PostgreSQL would not even look for one. */
const name = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}+$/u)
    .optional()

const schema = z.object({
  agent: name(64),
  endpoint: name(64),
  eventType: name(100),
  since: time.optional(),
  until: time.optional(),
})

/** The filters that the list of events and its stream share. Source: api.md "Approvals, activity, audit". */
export const activityQuery = {
  shape: schema.shape,

  /** @throws ApiError VALIDATION_ERROR. */
  async read(services: Pick<Services, 'endpointInternalId'>, query: URLSearchParams) {
    const { agent, endpoint, ...rest } = parseInput(schema, Object.fromEntries(query))
    return {
      ...rest,
      agentId: agent,
      endpointId: endpoint === undefined ? undefined : await services.endpointInternalId(endpoint),
    }
  },
}
