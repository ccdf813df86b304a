import { z } from 'zod'

const name = z.string().min(1)
const properties = z.looseObject({}).optional()

/**
 * The four members of an access evaluation; what they hold beyond these is ignored.
 *
 * Source: AuthZEN Authorization API 1.0 §5 (information model), §6.1.
 */
export const evaluationSchema = z.object({
  subject: z.object({ type: name, id: name, properties }),
  action: z.object({ name, properties }),
  resource: z.object({ type: name, id: name, properties }),
  context: z.looseObject({}).optional(),
})

/** One question: may this subject do this to that resource? */
export type Evaluation = z.output<typeof evaluationSchema>
