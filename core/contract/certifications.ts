import { z } from 'zod'

/** What the operations of certifications take and answer. */
export const certificationSchemas = {
  /** Compared letter by letter with what endpoints ask for, so that nothing in it may go unseen. */
  params: z.object({
    name: z
      .string()
      .max(200)
      .regex(
        /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u,
        'expected a name without signs that are not seen, with single spaces',
      ),
  }),
  held: z.object({ success: z.literal(true), svcId: z.string(), certifications: z.array(z.string()) }),
} as const

/** The bodies and answers of the operations, by method and path. */
export const certificationOperations = {
  'GET /api/admin/agents/:id/certifications': { answer: certificationSchemas.held },
  'PUT /api/admin/agents/:id/certifications/:name': { answer: certificationSchemas.held },
  'DELETE /api/admin/agents/:id/certifications/:name': { answer: certificationSchemas.held },
} as const
