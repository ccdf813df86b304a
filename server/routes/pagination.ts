import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'

const LIMIT_MAX = 100
const LIMIT_DEFAULT = 25

/** The part of a list that was asked for. */
export type PageRequest = {
  limit: number
  /** Only items before this position, newest first; null for the first page. */
  before: number | null
}

/** Part of a list as the services answer it; `nextBefore` is null at the end. */
export type Page<Item> = { items: Item[]; nextBefore: number | null }

const limitSchema = z.coerce.number().int().min(1).max(LIMIT_MAX)
const cursorSchema = z.string().transform((text, context) => {
  const position = Buffer.from(text, 'base64url').toString('latin1')
  if (/^\d{1,15}$/.test(position) && cursorOf(Number(position)) === text) return Number(position)
  context.addIssue({ code: 'custom', message: 'not a cursor that this list gave out' })
  return z.NEVER
})

const pageSchema = z.object({
  limit: limitSchema.default(LIMIT_DEFAULT),
  cursor: cursorSchema.optional(),
})

/** The query parameters every list takes, for its operation. Source: api.md "Envelope", Lists. */
export const PAGE_QUERY = { limit: limitSchema.optional(), cursor: z.string().optional() }

/**
 * Reads `limit` and `cursor`; the cursor is opaque to callers and holds the position of the last item they saw.
 *
 * @throws ApiError VALIDATION_ERROR.
 */
export function readPage(query: URLSearchParams): PageRequest {
  const { limit, cursor } = parseInput(pageSchema, {
    limit: query.get('limit') ?? undefined,
    cursor: query.get('cursor') ?? undefined,
  })
  return { limit, before: cursor ?? null }
}

/** Schema of a list's answer: `{success, items, nextCursor, hasMore}`. */
export function pageAnswer<Item extends z.ZodType>(item: Item) {
  return z.object({
    success: z.literal(true),
    items: z.array(item),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  })
}

/** The body of a list's answer. */
export function writePage<Item>(page: Page<Item>) {
  const nextCursor = page.nextBefore === null ? null : cursorOf(page.nextBefore)
  return { success: true as const, items: page.items, nextCursor, hasMore: nextCursor !== null }
}

function cursorOf(position: number): string {
  return Buffer.from(String(position), 'latin1').toString('base64url')
}
