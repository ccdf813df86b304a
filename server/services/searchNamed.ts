/** Rows read at a time, so that other requests are not delayed. */
const CHUNK = 1000
/** Maximum chunks searched per request; the next request continues after them. */
const CHUNKS_MAX = 20

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
  const { limit } = input.page
  const wanted = foldCase(input.search)
  const fits = (row: Row) => textsOf(row).some((text) => text && foldCase(text).includes(wanted))
  const fitting: Row[] = []
  let { before } = input.page
  for (let chunks = 0; chunks < CHUNKS_MAX && fitting.length <= limit; chunks += 1) {
    const rows = await read({ limit: CHUNK, before })
    fitting.push(...rows.filter(fits))
    before = rows.length < CHUNK ? null : (rows.at(-1)?.position ?? null)
    if (before === null) break
  }
  const found = fitting.slice(0, limit)
  return { found, nextBefore: fitting.length > limit ? (found.at(-1)?.position ?? null) : before }
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
