import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getOpenApi: Operation = {
  summary: 'Describes every operation as an OpenAPI 3.1 document.',
  answer: z.looseObject({ openapi: z.string() }),
  errors: [],
  handle: (services) => () => ({
    body: services.publishedApi().json,
    contentType: 'application/json; charset=utf-8',
  }),
}
