import { z } from 'zod'
import { success } from './envelope.ts'

/** Schemas that the certification operations share. */
export const certificationSchemas = {
  /** Compared character by character with the names that endpoints require, so every character must be visible. */
  params: z.object({
    name: z
      .string()
      .max(200)
      .regex(
        /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u,
        'expected a name without invisible characters, with single spaces',
      ),
  }),
  held: success({ svcId: z.string(), certifications: z.array(z.string()) }),
} as const

/** Request and response schemas of the operations, by method and path. */
export const certificationOperations = {
  'GET /api/admin/agents/:id/certifications': { answer: certificationSchemas.held },
  'PUT /api/admin/agents/:id/certifications/:name': { answer: certificationSchemas.held },
  'DELETE /api/admin/agents/:id/certifications/:name': { answer: certificationSchemas.held },
} as const
