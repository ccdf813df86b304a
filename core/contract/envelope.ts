import { z } from 'zod'

/** Schema of a list's answer: `{success, items, nextCursor, hasMore}`. */
export function pageAnswer<Item extends z.ZodType>(item: Item) {
  return z.object({
    success: z.literal(true),
    items: z.array(item),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  })
}

/** The name of an agent or an endpoint, kept as it was written. Source: api.md "Envelope". */
export const nameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/\S/, 'expected more than white space')
  .regex(/^\P{Cc}*$/u, 'holds a control character')
