import { ACTIVITY_COLUMNS, type ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { useState } from 'react'
import { USUAL_COLUMNS } from './activityColumns.tsx'

const KEY = 'svc.activity.columns'

/** The columns that are shown, in their usual order; the browser remembers them. */
export function useColumns(): [readonly ActivityColumn[], (columns: readonly ActivityColumn[]) => void] {
  const [columns, setColumns] = useState(readColumns)
  return [
    columns,
    (chosen) => {
      const ordered = ACTIVITY_COLUMNS.filter((column) => chosen.includes(column))
      setColumns(ordered)
      localStorage.setItem(KEY, ordered.join(','))
    },
  ]
}

/** Those of a version that had other columns count as far as they still exist. */
function readColumns(): readonly ActivityColumn[] {
  const stored = localStorage.getItem(KEY)?.split(',') ?? []
  const known = ACTIVITY_COLUMNS.filter((column) => stored.includes(column))
  return known.length === 0 ? USUAL_COLUMNS : known
}
