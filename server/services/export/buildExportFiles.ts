import type { ZippedFile } from '../../external/zipFiles.ts'
import type { Person } from '../../store/personal/person.ts'
import type { PersonalRowStore, RowKey } from '../../store/personal/personalRowStore.ts'
import { type ListActivityDeps, listProjected } from '../activity/listActivity.ts'

export type BuildExportFilesDeps = {
  personalRows: PersonalRowStore
  activity: ListActivityDeps
}

type TableName = keyof PersonalRowStore['tables']

/** Rows or events read at a time; bounds what is in memory. */
const PAGE = 100
/** Maximum number of events, the newest ones; only agents that a large business runs on have more. */
const EVENTS_MAX = 500_000

/**
 * The files of an export: a JSON array for each kind of thing, and `about.json`, which says what they are, how many items
 * each has, and what is left out and why.
 *
 * Events are what the person's own activity shows: everything that belongs to the other party is masked.
 */
export function* buildExportFiles(
  deps: BuildExportFilesDeps,
  { person, now }: { person: Person; now: number },
): Generator<ZippedFile> {
  const counts: Record<string, number> = {}
  const leftOut: Record<string, string> = {}
  for (const [table, spec] of Object.entries(deps.personalRows.tables)) {
    if ('no' in spec) leftOut[table] = spec.no
    else {
      const name = `${spec.file}.json`
      yield { name, text: () => writeArray(pagesOf(deps, table as TableName, person), name, counts) }
    }
  }
  yield {
    name: 'events.json',
    text: () => writeArray(readEvents(deps, person), 'events.json', counts),
  }
  yield {
    name: 'about.json',
    async *text() {
      yield JSON.stringify(describe({ person, now, counts, leftOut }), null, 2)
    },
  }
}

function describe({
  person,
  now,
  counts,
  leftOut,
}: {
  person: Person
  now: number
  counts: Record<string, number>
  leftOut: Record<string, string>
}): object {
  return {
    about: 'Everything that this registry stores about you, except what leftOut names, with the reason.',
    preparedAt: new Date(now).toISOString(),
    /** Your identifier, and organisations that nobody else belongs to. */
    owners: person.ownerIds,
    files: counts,
    leftOut: {
      ...leftOut,
      organizations_with_other_members: 'What belongs to all members. Read it with the API as a member.',
      identity_documents: 'The pictures themselves, which are deleted after the decision.',
    },
    ...((counts['events.json'] ?? 0) < EVENTS_MAX
      ? {}
      : { eventsNote: `Only the newest ${EVENTS_MAX} events; GET /api/audit/export has all records.` }),
  }
}

async function* pagesOf(
  { personalRows }: BuildExportFilesDeps,
  table: TableName,
  person: Person,
): AsyncGenerator<readonly object[]> {
  let after: RowKey | null = null
  do {
    const page: Awaited<ReturnType<PersonalRowStore['page']>> = await personalRows.page(table, person, {
      after,
      limit: PAGE,
    })
    yield page.rows
    after = page.last
  } while (after !== null)
}

async function* readEvents(
  { activity }: BuildExportFilesDeps,
  { ownerIds }: Person,
): AsyncGenerator<readonly object[]> {
  await activity.catchUp()
  const actsFor = new Set(ownerIds)
  let cursor: number | null = null
  for (let left = EVENTS_MAX; left > 0; ) {
    await activity.turn()
    const page = await listProjected(activity, {
      ...{ actsFor, order: 'desc', cursor },
      limit: Math.min(PAGE, left),
    })
    yield page.items
    left -= page.items.length
    cursor = page.nextBefore
    if (cursor === null) return
  }
}

/** Writes the pages as one JSON array with an item per line, and counts its items. */
async function* writeArray(
  pages: AsyncIterable<readonly object[]>,
  name: string,
  counts: Record<string, number>,
): AsyncGenerator<string> {
  let count = 0
  for await (const items of pages) {
    if (items.length === 0) continue
    const lines = items.map((item) => JSON.stringify(item)).join(',\n')
    yield `${count === 0 ? '[\n' : ',\n'}${lines}`
    count += items.length
  }
  counts[name] = count
  yield count === 0 ? '[]\n' : '\n]\n'
}
