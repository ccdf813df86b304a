import { agentPdlssSchema } from '@svc/core/pdlss/pdlss.ts'
import { z } from 'zod'
import { agentSchemas } from './agentSchemas.ts'

const status = z.enum(['pending', 'approved', 'denied', 'expired'])

/** What the operations with registration requests take and answer. Source: `Spec: Registration request`; api.md "Agents". */
export const registrationRequestSchemas = {
  status,
  /** Of an outreach, or of a denial. Bounds: api.md "Envelope". */
  reason: z.string().max(1_000),
  request: z.object({
    requestId: z.string(),
    kind: z.enum(['api_key', 'outreach']),
    status,
    ownerId: z.string().nullable(),
    /** Every field of the agent that is asked for. */
    registration: z.looseObject({
      name: z.string(),
      description: z.string().nullable(),
      agentType: z.string().nullable(),
      apiEndpoint: z.string().nullable(),
      image: z.string().nullable(),
      model: agentSchemas.model.nullable(),
      framework: agentSchemas.framework.nullable(),
      protocols: z.array(z.string()),
      declarations: z.looseObject({}),
      pdlss: agentPdlssSchema,
      signerAddress: z.string().nullish(),
    }),
    reason: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    requestedAt: z.string(),
    lastEventAt: z.string(),
    expiresAt: z.string(),
    secondsLeft: z.number(),
    denialReason: z.string().nullable(),
    agentId: z.string().nullable(),
    svcId: z.string().nullable(),
  }),
} as const
