import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnyCall, Query } from '../../api/call.ts'
import { withAccessToken } from '../../api/callApi.ts'
import { fetchResponse } from '../../api/request.ts'
import { saveFile } from '../../parts/code/saveFile.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { Section } from '../../parts/Section.tsx'

const NUMBER = /^\d{0,15}$/
const LABELS = { from: 'From record number', to: 'To record number' }

/** Downloads the account's records with their proofs, as a file that can be verified without this service. */
export function ExportSection({ log }: { log: number }) {
  const [range, setRange] = useState({ from: '', to: '' })
  const [read, setRead] = useState(0)
  const exporting = useMutation({
    mutationFn: async () => {
      setRead(0)
      const { file, records } = await exportRecords({ ...range, log: String(log) }, setRead)
      if (records > 0) saveFile(file, 'audit-export.jsonl')
      return records
    },
  })
  const faults = readFaults(exporting.error, LABELS)
  const isWhole = NUMBER.test(range.from) && NUMBER.test(range.to)
  const isReversed = isWhole && range.from !== '' && range.to !== '' && Number(range.from) > Number(range.to)
  const findFault = (name: 'from' | 'to') => {
    if (!NUMBER.test(range[name])) return 'Enter a whole number'
    return isReversed && name === 'from' ? '‘From’ must not be greater than ‘To’' : faults.at[name]
  }
  const bound = (name: 'from' | 'to', placeholder: string) => (
    <TextInput
      label={LABELS[name]}
      placeholder={placeholder}
      inputMode="numeric"
      value={range[name]}
      error={findFault(name)}
      onChange={(event) => setRange({ ...range, [name]: event.currentTarget.value.trim() })}
      style={{ flex: '1 1 160px' }}
    />
  )
  return (
    <Section
      title="Export"
      description={
        <>
          Your records that are final on chain, each with its proof, as JSON Lines. Anyone can check the file
          with <code>svc audit verify</code>, or with a block explorer:{' '}
          <Anchor href="/docs/auditing" inherit underline="always">
            how to audit
          </Anchor>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isWhole && !isReversed) exporting.mutate()
        }}
      >
        <Stack gap="sm">
          <Group align="flex-start" gap="sm">
            {bound('from', 'first')}
            {bound('to', 'last')}
            <Button
              type="submit"
              variant="default"
              mt={25}
              loading={exporting.isPending}
              disabled={!isWhole || isReversed}
            >
              Download
            </Button>
          </Group>
          <FormFailure faults={faults} />
        </Stack>
      </form>
      <Text size="sm" c="dimmed" role="status">
        {describeState(exporting.isPending, read, exporting.data)}
      </Text>
    </Section>
  )
}

function describeState(isPending: boolean, read: number, records: number | undefined): string {
  if (isPending) return `${read.toLocaleString('en')} records so far`
  if (records === 0)
    return 'None of your records in this range are final on chain yet. New records become final within seconds.'
  return records === undefined ? '' : `${records.toLocaleString('en')} records downloaded`
}

/** Inclusive range of indexes in a log; an absent bound means the first or last record. */
type ExportRange = { log: string; from?: string; to?: string }

/**
 * Reads the caller's confirmed records with their proofs as JSON Lines, page by page.
 *
 * @param onPage Called with the number of records read so far.
 * @throws ApiFailure.
 */
async function exportRecords(
  range: ExportRange,
  onPage: (records: number) => void,
): Promise<{ file: Blob; records: number }> {
  const pages: string[] = []
  let records = 0
  let query: Query | null = range
  while (query !== null) {
    const call: AnyCall = { query }
    const response = await withAccessToken((token) => fetchResponse('GET /api/audit/export', call, { token }))
    const text = await response.text()
    pages.push(text)
    records += text.split('\n').length - 1
    onPage(records)
    query = readNextQuery(response)
  }
  return { file: new Blob(pages, { type: 'application/jsonl' }), records }
}

/** Reads the query of the next page from the `Link` header; null after the last page. Source: RFC 8288. */
function readNextQuery(response: Response): Query | null {
  const link = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  return link === undefined ? null : Object.fromEntries(new URL(link, window.location.origin).searchParams)
}
