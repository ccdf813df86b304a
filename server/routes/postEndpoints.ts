import { endpointPdlssSchema } from '@svc/core/pdlss/pdlss.ts'
import { z } from 'zod'
import { apiError } from '../errors.ts'
import { parseInput } from '../middleware/parseInput.ts'
import { callerOf } from './callerOf.ts'
import { endpointSchemas } from './endpointSchemas.ts'
import type { Operation } from './operation.ts'

const url = z.string().min(1).max(2_048)

const body = z
  .object({
    counterpartyType: endpointSchemas.counterpartyType.optional(),
    name: endpointSchemas.name,
    counterpartyUrl: url.optional(),
    endpointUrl: url.optional().meta({ deprecated: true, description: 'Older name of `counterpartyUrl`' }),
    trustScoreRequirement: endpointSchemas.trustScoreRequirement.nullish(),
    unverifiedAgentPolicy: endpointSchemas.unverifiedAgentPolicy.nullish(),
    pdlss: endpointPdlssSchema.nullish(),
    routes: endpointSchemas.routes.nullish(),
  })
  .refine(({ counterpartyUrl, endpointUrl }) => counterpartyUrl !== undefined || endpointUrl !== undefined, {
    path: ['counterpartyUrl'],
    params: { code: 'required' },
    message: 'required: a string',
    // Said beside what is wrong with other fields, so that a caller need not ask twice.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .refine(
    ({ counterpartyUrl, endpointUrl }) =>
      counterpartyUrl === undefined || endpointUrl === undefined || counterpartyUrl === endpointUrl,
    {
      path: ['counterpartyUrl'],
      params: { code: 'contradictory' },
      message: 'names another URL than endpointUrl, its older name, does',
    },
  )

/** Source: `Spec: POST /api/endpoints`; api.md "Endpoints". */
export const postEndpoints: Operation = {
  summary: 'Registers an endpoint of the key’s organisation; answers its webhook secret once.',
  body,
  status: 201,
  answer: z.object({
    success: z.literal(true),
    svceId: z.string(),
    webhookSecret: z.string(),
    endpoint: endpointSchemas.endpoint,
  }),
  errors: ['VALIDATION_ERROR', 'ORG_REQUIRED', 'URL_ALREADY_CLAIMED'],
  repeatable: true,
  handle: (services) => async (call) => {
    const principal = callerOf(call, 'apiKey')
    // What is wrong with the key is said before what is wrong with the body: no other body would help.
    if (principal.organizationId === null) throw apiError('ORG_REQUIRED')
    const parsed = parseInput(body, call.body)
    const registration = {
      counterpartyType: parsed.counterpartyType ?? 'api',
      name: parsed.name,
      counterpartyUrl: parsed.counterpartyUrl ?? parsed.endpointUrl ?? '',
      trustScoreRequirement: parsed.trustScoreRequirement ?? 0,
      unverifiedAgentPolicy: parsed.unverifiedAgentPolicy ?? ('deny' as const),
      pdlss: parsed.pdlss ?? {},
      routes: parsed.routes ?? [],
    }
    const registered = await services.endpoints.register({ principal, registration, now: call.now })
    return { status: 201, body: { success: true, ...registered } }
  },
}
