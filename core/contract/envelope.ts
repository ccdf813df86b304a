import { z } from 'zod'

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

/** The name of an agent or an endpoint, stored as it was written. */
export const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/\S/, 'expected more than white space')
  .regex(/^\P{Cc}*$/u, 'contains a control character')
