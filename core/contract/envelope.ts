import { z } from 'zod'
import { findNameFault } from '../names/findNameFault.ts'

/** Schema of a successful response: `success` and these members. */
export function success<Shape extends z.ZodRawShape>(members: Shape) {
  return z.object({ success: z.literal(true), ...members })
}

/** Schema of a response that reports success only. */
export const done = success({})

/** Schema of a list response: `{success, items, nextCursor, hasMore}`. */
export function pageAnswer<Item extends z.ZodType>(item: Item) {
  return success({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  })
}

/** The name of an agent, an endpoint or an organisation, in NFC; one that could be taken for another one is refused. */
export const nameSchema = z
  .string()
  .normalize('NFC')
  .min(1)
  .max(200)
  .regex(/\S/, 'expected more than white space')
  .superRefine((name, context) => {
    const fault = findNameFault(name)
    if (fault) context.addIssue({ code: 'custom', params: { code: fault.code }, message: fault.message })
  })
