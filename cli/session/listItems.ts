import type { Send } from '@svc/client/http/createSender.ts'
import { invalidResponse } from './invalidResponse.ts'

type Page<Item> = { items?: Item[]; nextCursor?: string | null }

/** The most that the service returns at once. */
const PAGE_MAX = 100

/** Reads pages of a list until the limit or its end. */
export async function listItems<Item>(
  send: Send,
  { path, query, limit }: { path: string; query: URLSearchParams; limit: number },
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page = new URLSearchParams(query)
    page.set('limit', String(Math.min(PAGE_MAX, limit - items.length)))
    if (cursor !== null) page.set('cursor', cursor)
    const answer: Page<Item> = await send({ method: 'GET', path: `${path}?${page}`, retry: 'always' })
    if (!Array.isArray(answer.items)) throw invalidResponse('a list')
    items.push(...answer.items)
    cursor = answer.nextCursor ?? null
  } while (cursor !== null && items.length < limit)
  return items
}
