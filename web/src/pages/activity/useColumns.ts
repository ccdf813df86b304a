import { ACTIVITY_COLUMNS, type ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { useSyncExternalStore } from 'react'
import { browserMemory } from '../../api/browserMemory.ts'
import { USUAL_COLUMNS } from './activityColumns.tsx'

const KEY = 'svc.activity.columns'

/** The columns that are shown, in their usual order; the browser remembers them. */
export function useColumns(): [readonly ActivityColumn[], (columns: readonly ActivityColumn[]) => void] {
  const stored = useSyncExternalStore(browserMemory.subscribe, () => browserMemory.read(KEY))
  return [
    parseColumns(stored),
    (chosen) =>
      browserMemory.write(KEY, ACTIVITY_COLUMNS.filter((column) => chosen.includes(column)).join(',')),
  ]
}

/** Those of a version that had other columns count as far as they still exist. */
function parseColumns(stored: string | null): readonly ActivityColumn[] {
  const names = stored?.split(',') ?? []
  const known = ACTIVITY_COLUMNS.filter((column) => names.includes(column))
  return known.length === 0 ? USUAL_COLUMNS : known
}
