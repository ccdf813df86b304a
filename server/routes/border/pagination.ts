import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import type { Place } from '../../services/accounts/listPage.ts'

const LIMIT_MAX = 100
const LIMIT_DEFAULT = 25

/** The requested page of a list whose items are numbered. */
export type PageRequest = {
  limit: number
  /** Only items with a smaller number, newest first; null for the first page. */
  before: number | null
}

/** The requested page of a list that is ordered by time: only items after this one, null for the first page. */
export type TimedPageRequest = { limit: number; before: Place | null }

/** A page of a list as the services return it; `nextBefore` is null on the last page. */
export type Page<Item> = { items: Item[]; nextBefore: number | Place | null }

const limitSchema = z.coerce.number().int().min(1).max(LIMIT_MAX)

const pageSchema = requestSchema((text) => (/^\d{1,15}$/.test(text) ? Number(text) : null))
const timedPageSchema = requestSchema((text): Place | null => {
  const [, at, id] = /^(\d{1,15})\.([\w.-]{1,100})$/.exec(text) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
})

/** `limit`, and a cursor whose decoded text `read` parses. Only the canonical encoding is accepted. */
function requestSchema<Before extends number | Place>(read: (text: string) => Before | null) {
  const cursorSchema = z.string().transform((cursor, context) => {
    const before = read(Buffer.from(cursor, 'base64url').toString('latin1'))
    if (before !== null && cursorOf(before) === cursor) return before
    context.addIssue({ code: 'custom', message: 'expected a nextCursor of this list' })
    return z.NEVER
  })
  return z.object({ limit: limitSchema.default(LIMIT_DEFAULT), cursor: cursorSchema.optional() })
}

/** The query parameters of every list. */
export const PAGE_QUERY = {
  limit: limitSchema.optional().meta({ default: LIMIT_DEFAULT }),
  cursor: z.string().optional(),
}

/**
 * Reads `limit` and `cursor` of a list whose items are numbered. To callers the cursor is opaque; it encodes the number of
 * the last item that they have.
 *
 * @throws ApiError VALIDATION_ERROR.
 */
export function readPage(query: URLSearchParams): PageRequest {
  return readWith(pageSchema, query)
}

/** Reads `limit` and `cursor` of a list that is ordered by time. @throws ApiError VALIDATION_ERROR. */
export function readTimedPage(query: URLSearchParams): TimedPageRequest {
  return readWith(timedPageSchema, query)
}

function readWith<Before>(
  schema: z.ZodType<{ limit: number; cursor?: Before | undefined }>,
  query: URLSearchParams,
): { limit: number; before: Before | null } {
  const { limit, cursor } = parseInput(schema, {
    limit: query.get('limit') ?? undefined,
    cursor: query.get('cursor') ?? undefined,
  })
  return { limit, before: cursor ?? null }
}

/** The body of a list response. */
export function writePage<Item>(page: Page<Item>) {
  const nextCursor = page.nextBefore === null ? null : cursorOf(page.nextBefore)
  return { success: true as const, items: page.items, nextCursor, hasMore: nextCursor !== null }
}

function cursorOf(before: number | Place): string {
  const text = typeof before === 'number' ? String(before) : `${before.at}.${before.id}`
  return Buffer.from(text, 'latin1').toString('base64url')
}
