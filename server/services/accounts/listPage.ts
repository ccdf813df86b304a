/** Where an item stands in a list: by a time in epoch milliseconds, and by its id among those of one time. */
export type Place = { at: number; id: string }

/** A part of a list: what comes behind a place, from the beginning for null. */
export type ListRequest = { before: Place | null; limit: number }

/** The part, and the place of its last item; null at the end. */
export type ListPart<Item> = { items: Item[]; nextBefore: Place | null }

/**
 * Reads a part of a list that one account can see through, with one item more to know whether it goes on.
 *
 * It goes on behind the last item and not after a number of them: what is added or taken away meanwhile neither repeats
 * nor hides another.
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
