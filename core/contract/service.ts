import { z } from 'zod'
import { SIGNED_REQUEST_FORMS } from '../signing/buildSignedRequestMessage.ts'

const check = z.object({
  status: z.enum(['pass', 'warn', 'fail']),
  detail: z.string().optional(),
  observed: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

/** The result of one health check. */
export type HealthCheck = z.output<typeof check>

/** Request and response schemas of the operations, by method and path. */
export const serviceOperations = {
  'GET /api/health': {
    answer: z.object({
      success: z.boolean(),
      status: z.enum(['pass', 'warn', 'fail']),
      version: z.string(),
      time: z.string(),
      checks: z.object({
        database: check,
        chain: check,
        relayer: check,
        auditQueue: check,
        /** Absent if the operator has configured no replica for reads. */
        replica: check.optional(),
        /** Absent if the operator has configured no witnesses. */
        witnesses: check.optional(),
        /** Absent unless the process is stopping. */
        process: check.optional(),
      }),
    }),
  },
  'GET /metrics': { answer: z.string() },
  'GET /.well-known/jwks.json': { answer: z.object({ keys: z.array(z.record(z.string(), z.string())) }) },
  'GET /.well-known/signed-requests.json': {
    answer: z.object({
      success: z.literal(true),
      /** The names of this service, of which a signed request states one; the first is that of its `PUBLIC_URL`. */
      services: z.array(z.string()).readonly(),
      /** The first lines of the forms that are accepted, the best one first. */
      forms: z.array(z.enum(Object.values(SIGNED_REQUEST_FORMS))).readonly(),
    }),
  },
  'GET /api/openapi.json': {
    // OpenAPI 3.1 defines the other members.
    answer: z.looseObject({ openapi: z.string() }),
  },
  'GET /llms.txt': { answer: z.string() },
} as const
