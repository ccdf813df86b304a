import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { withAccessToken } from '../../api/callApi.ts'
import { fetchResponse } from '../../api/request.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'

const NUMBER = /^\d{0,15}$/

/** Downloads the account's records with their proofs, as a file that is checked without this service. */
export function ExportSection() {
  const [range, setRange] = useState({ from: '', to: '' })
  const [read, setRead] = useState(0)
  const exporting = useMutation({
    mutationFn: async () => {
      setRead(0)
      const { file, records } = await exportRecords(range, setRead)
      if (records > 0) saveFile(file, 'audit-export.jsonl')
      return records
    },
  })
  const bound = (name: 'from' | 'to', label: string, placeholder: string) => (
    <TextInput
      label={label}
      placeholder={placeholder}
      inputMode="numeric"
      value={range[name]}
      error={NUMBER.test(range[name]) ? null : 'A whole number'}
      onChange={(event) => setRange({ ...range, [name]: event.currentTarget.value.trim() })}
      style={{ flex: '1 1 160px' }}
    />
  )
  const isWhole = NUMBER.test(range.from) && NUMBER.test(range.to)
  return (
    <Section
      title="Export"
      description="Your records that are final on chain, each with its proof, as JSON Lines. Whoever has the file checks it with npm run verify-audit, or with a block explorer as docs/auditing.md tells."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isWhole) exporting.mutate()
        }}
      >
        <Group align="flex-start" gap="sm">
          {bound('from', 'From record number', 'the first')}
          {bound('to', 'To record number', 'the last')}
          <Button type="submit" variant="default" mt={25} loading={exporting.isPending} disabled={!isWhole}>
            Download
          </Button>
        </Group>
      </form>
      <Text size="sm" c="dimmed" role="status">
        {stateOf(exporting.isPending, read, exporting.data)}
      </Text>
      <FailureNote error={exporting.error} onRetry={() => exporting.mutate()} />
    </Section>
  )
}

function stateOf(isPending: boolean, read: number, records: number | undefined): string {
  if (isPending) return `${read.toLocaleString()} records so far`
  if (records === 0)
    return 'None of your records in this range is final on chain yet. New ones are within seconds.'
  return records === undefined ? '' : `${records.toLocaleString()} records were downloaded`
}

/** How long a browser may take to begin to save, in milliseconds; then the memory is given back. */
const KEPT_MS = 60_000

/** Has the browser save a file under a name. */
function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/** Sequence numbers, both included; a bound that is left out is the first or the last record there is. */
type ExportRange = { from?: string; to?: string }

/**
 * Reads the caller's confirmed records with their proofs, part by part, as JSON Lines.
 *
 * @param onPart Told how many records are there so far.
 * @throws ApiFailure. Source: api.md "Approvals, activity, audit" (`GET /api/audit/export`).
 */
async function exportRecords(
  range: ExportRange,
  onPart: (records: number) => void,
): Promise<{ file: Blob; records: number }> {
  const parts: string[] = []
  let records = 0
  const given = Object.entries(range).filter(([, value]) => value !== undefined && value !== '')
  let path: string | undefined = `/api/audit/export?${new URLSearchParams(given as [string, string][])}`
  while (path !== undefined) {
    const here: string = path
    const response = await withAccessToken((token) => fetchResponse({ method: 'GET', path: here }, token))
    const text = await response.text()
    parts.push(text)
    records += text.split('\n').length - 1
    onPart(records)
    path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return { file: new Blob(parts, { type: 'application/jsonl' }), records }
}
