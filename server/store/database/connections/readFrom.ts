import type { Knex } from 'knex'

/** Runs reads on one of several copies of the database, each of which has everything that was committed before the call. */
export type ReadFrom = <Result>(work: (reader: Knex) => Promise<Result>) => Promise<Result>

type Read = (...given: unknown[]) => Promise<unknown>

/**
 * Returns methods of a store that read from the copy which `read` chooses for each call. Only methods that read may be
 * named, because a call may be repeated on another copy.
 */
export function readFrom<Store extends object, Name extends keyof Store & string>(
  read: ReadFrom,
  create: (query: Knex) => Store,
  names: readonly Name[],
): Pick<Store, Name> {
  const methods = names.map((name) => [
    name,
    (...given: unknown[]) =>
      read((reader) => {
        const store = create(reader)
        return (store[name] as Read).apply(store, given)
      }),
  ])
  return Object.fromEntries(methods)
}
