/** Rows that one request looks through; who has more goes on behind them. */
const SEEN_MAX = 1000

type Page = { limit: number; before: number | null }

/**
 * The rows among one's own, newest first, of which a text contains what is looked for, in capitals or not.
 *
 * Letters are compared here, since the databases know the capitals of different alphabets. A request looks through a
 * bounded number of rows: a part can be short, or empty, and not be the last, `nextBefore` says.
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
