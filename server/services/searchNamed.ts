/** Maximum rows searched per request; the next request continues after them. */
const SEEN_MAX = 1000

type Page = { limit: number; before: number | null }

/**
 * Returns the caller's rows, newest first, with a text that contains the search term, regardless of case.
 *
 * Letters are compared here, because the databases know the upper case of different alphabets. A request searches a bounded
 * number of rows: a page may be short or empty without being the last, as `nextBefore` says.
 */
export async function searchNamed<Row extends { position: number }>(
  input: { search: string; page: Page },
  read: (page: Page) => Promise<Row[]>,
  textsOf: (row: Row) => readonly (string | null)[],
): Promise<{ found: Row[]; nextBefore: number | null }> {
  const { limit, before } = input.page
  const wanted = foldCase(input.search)
  const seen = await read({ limit: SEEN_MAX, before })
  const fitting = seen.filter((row) => textsOf(row).some((text) => text && foldCase(text).includes(wanted)))
  const found = fitting.slice(0, limit)
  const isCut = fitting.length > limit
  const last = isCut ? found.at(-1) : seen.length === SEEN_MAX ? seen.at(-1) : undefined
  return { found, nextBefore: last?.position ?? null }
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
