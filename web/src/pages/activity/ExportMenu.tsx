import { Button, Menu } from '@mantine/core'
import { ACTIVITY_EXPORT_MAX, type ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { useState } from 'react'
import type { Query } from '../../api/call.ts'
import { withAccessToken } from '../../api/callApi.ts'
import { fetchResponse } from '../../api/request.ts'
import { announce } from '../../parts/announce.ts'
import { saveFile } from '../../parts/code/saveFile.ts'

const FORMATS = { csv: 'CSV', jsonl: 'JSON Lines' } as const

type Props = {
  /** The query of the list. */
  query: Query
  columns: readonly ActivityColumn[]
}

/** Downloads what the list shows, with its filters and, as CSV, its columns. */
export function ExportMenu({ query, columns }: Props) {
  const [isBusy, setBusy] = useState(false)
  const save = async (format: keyof typeof FORMATS) => {
    setBusy(true)
    try {
      const call = { query: { ...query, format, columns: format === 'csv' ? columns.join(',') : '' } }
      const response = await withAccessToken((token) =>
        fetchResponse('GET /api/activity/export', call, { token }),
      )
      const text = await response.text()
      saveFile(new Blob([text], { type: response.headers.get('Content-Type') ?? '' }), `activity.${format}`)
      const isCut = text.split('\n').length > ACTIVITY_EXPORT_MAX
      announce(isCut ? 'Saved the first 10,000 rows. Narrow the dates for the rest.' : 'Saved.')
    } catch {
      announce('The export failed. Try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isBusy}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(FORMATS).map(([format, label]) => (
          <Menu.Item key={format} onClick={() => void save(format as keyof typeof FORMATS)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
