/** The position of an item in a list: a time in epoch milliseconds, and the id among items of the same time. */
export type Place = { at: number; id: string }

/** A page of a list: the items after a position; null starts at the beginning. */
export type ListRequest = { before: Place | null; limit: number }

/** A page and the position of its last item; null at the end. */
export type ListPart<Item> = { items: Item[]; nextBefore: Place | null }

/**
 * Reads a page of an account's list, with one extra item to know whether more follow.
 *
 * It continues after the last item instead of skipping a number of items, so that items added or removed meanwhile cause
 * neither repetitions nor gaps.
 */
export async function listPage<Item>(
  request: ListRequest,
  read: (page: ListRequest) => Promise<Item[]>,
  placeOf: (item: Item) => Place,
): Promise<ListPart<Item>> {
  const { before, limit } = request
  const found = await read({ before, limit: limit + 1 })
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, nextBefore: last ? placeOf(last) : null }
}
