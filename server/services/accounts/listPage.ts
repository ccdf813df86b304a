/** A part of a list: `offset` items are passed over. */
export type ListRequest = { offset: number; limit: number }

/** The part, and the offset of the next one; null at the end. */
export type ListPart<Item> = { items: Item[]; nextBefore: number | null }

/**
 * Reads a part of a list that one account can see through, with one item more to know whether it goes on.
 *
 * Places are counted from the newest item: these lists are bounded per account and change by hand.
 */
export async function listPage<Item>(
  request: ListRequest,
  read: (page: ListRequest) => Promise<Item[]>,
): Promise<ListPart<Item>> {
  const { offset, limit } = request
  const found = await read({ offset, limit: limit + 1 })
  return { items: found.slice(0, limit), nextBefore: found.length > limit ? offset + limit : null }
}
