import { Group, Paper, Stack, Text } from '@mantine/core'
import type { AuditBatch } from '@svc/core/contract/audit.ts'
import { useEffect, useRef } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { useAddress } from '../../router/navigate.ts'

/** The batches of a log, newest first; `#batch-7` in the address names one, which is marked. */
export function BatchesSection({ log }: { log: number }) {
  const query = useApiList('GET /api/audit/batches', { query: { log } })
  const named = readNumber(useAddress().hash)
  // Only the first page counts, so that nothing moves when more is loaded.
  const isFirst = query.data?.pages[0]?.items.some(({ number }) => number === named)
  const isBelow = named !== null && isFirst === false
  return (
    <Section title="Batches" description="A batch is final once its block has enough confirmations.">
      {isBelow && <NamedBatch {...{ log, number: named }} />}
      <Rows query={query} empty={<Nothing />}>
        {(batch) => (
          <BatchRow key={batch.number} batch={batch} isNamed={!isBelow && batch.number === named} />
        )}
      </Rows>
    </Section>
  )
}

function readNumber(hash: string): number | null {
  const digits = /^#batch-(\d{1,15})$/.exec(hash)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** The batch that the address names, above a list that begins after it. */
function NamedBatch({ log, number }: { log: number; number: number }) {
  const query = useApiQuery('GET /api/audit/batches/:number', {
    params: { number: String(number) },
    query: { log },
  })
  if (query.error instanceof ApiFailure && query.error.code === 'NOT_FOUND') {
    return <Text role="status">There is no batch {number.toLocaleString('en')}.</Text>
  }
  return <Loaded query={query}>{({ batch }) => <BatchRow batch={batch} isNamed />}</Loaded>
}

type RowProps = {
  batch: AuditBatch
  /** Whether the address names it; it is then marked and scrolled to. */
  isNamed: boolean
}

function BatchRow({ batch, isNamed }: RowProps) {
  const { number, prevSize, newSize, root, status, transactionHash, blockNumber, sealedAt } = batch
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNamed) row.current?.scrollIntoView({ block: 'center' })
  }, [isNamed])
  const name = `Batch ${number.toLocaleString('en')}`
  return (
    <Paper
      {...{ withBorder: true, px: 'md', py: 'sm', component: 'article', ref: row }}
      aria-label={name}
      aria-current={isNamed || undefined}
      style={isNamed ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <StatusBadge value={status} />
          <Text size="sm" c="dimmed">
            <When time={sealedAt} />
          </Text>
        </Group>
        <Text size="sm">
          {formatRecords(prevSize, newSize)}
          {blockNumber !== null && ` · block ${blockNumber.toLocaleString('en')}`}
        </Text>
        <Hash label="Root" text={root} name={`root of batch ${number}`} />
        {transactionHash && (
          <Hash label="Transaction" text={transactionHash} name={`transaction of batch ${number}`} />
        )}
      </Stack>
    </Paper>
  )
}

/** Formats the range of records of a batch; records are numbered from 0. */
function formatRecords(prevSize: number, newSize: number): string {
  const [first, last] = [prevSize.toLocaleString('en'), (newSize - 1).toLocaleString('en')]
  return newSize - prevSize === 1 ? `Record ${first}` : `Records ${first} to ${last}`
}

function Hash({ label, text, name }: { label: string; text: string; name: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="center" fz="sm">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <CopyText text={`${text.slice(0, 10)}…${text.slice(-8)}`} copies={text} name={name} />
    </Group>
  )
}

function Nothing() {
  return (
    <EmptyNote
      icon="audit"
      title="No batches yet"
      description="The first one follows within seconds of the first decision or registration."
    />
  )
}
