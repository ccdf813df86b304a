import { Group, Paper, Stack, Text } from '@mantine/core'
import type { AuditBatch } from '@svc/core/contract/audit.ts'
import { useEffect, useRef } from 'react'
import { useApiList } from '../../api/useApiList.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'

/** The batches of the log, newest first. */
export function BatchesSection() {
  const query = useApiList('GET /api/audit/batches')
  return (
    <Section title="Batches" description="A batch is final once its block has enough confirmations.">
      <Rows query={query} empty={<Nothing />}>
        {(batch) => <BatchRow key={batch.number} batch={batch} />}
      </Rows>
    </Section>
  )
}

function BatchRow({ batch }: { batch: AuditBatch }) {
  const { number, prevSize, newSize, root, status, transactionHash, blockNumber, sealedAt } = batch
  const name = `Batch ${number.toLocaleString()}`
  const id = `batch-${number}`
  const row = useRef<HTMLElement>(null)
  // The list is not there yet when the browser looks for the batch of an address.
  useEffect(() => {
    if (window.location.hash === `#${id}`) row.current?.scrollIntoView({ block: 'center' })
  }, [id])
  return (
    <Paper withBorder px="md" py="sm" component="article" aria-label={name} id={id} ref={row}>
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
          {blockNumber !== null && ` · block ${blockNumber.toLocaleString()}`}
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
  const [first, last] = [prevSize.toLocaleString(), (newSize - 1).toLocaleString()]
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
