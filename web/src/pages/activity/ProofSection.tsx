import { Alert, Group, Loader, Stack, Text } from '@mantine/core'
import type { AuditRecord } from '@svc/core/contract/audit.ts'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { CheckList } from '../../parts/forms/CheckList.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { buildVerifyCommand } from '../proof/buildVerifyCommand.ts'
import { getRetryDelay } from '../proof/getRetryDelay.ts'
import { type CheckedRecord, checkRecord } from './checkRecord.ts'
import { ProofFacts } from './ProofFacts.tsx'

type Props = {
  recordId: string
  /** The record as shown; null if the user is not a party to it. */
  record: AuditRecord | null
}

/** The audit proof of a record, checked in the browser as soon as its batch is on chain. */
export function ProofSection({ recordId, record }: Props) {
  const query = useQuery({
    // The record is part of the key, because a check is valid only for the record it was made with.
    queryKey: ['proof', recordId, record],
    queryFn: () => checkRecord(recordId, record),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => getRetryDelay(state.error),
  })
  const isWaiting = getRetryDelay(query.error) !== false && query.data === undefined
  return (
    <Section
      title="Audit proof"
      description="Recomputed in your browser from the bytes of the entry, with SHA-256 per RFC 9162."
      right={<TextLink to={`/verify/${encodeURIComponent(recordId)}`}>Public page of this proof</TextLink>}
    >
      {query.data ? (
        <Checked recordId={recordId} {...query.data} />
      ) : isWaiting ? (
        <Waiting />
      ) : query.error ? (
        <FailureNote error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" /> <Text>Fetching and checking the proof</Text>
        </Group>
      )}
    </Section>
  )
}

function Waiting() {
  return (
    <Alert color="orange" icon={<Icon name="clock" />} title="Waiting for the chain" role="status">
      The entry is recorded and its batch is being anchored. The proof will be checked here as soon as it is
      available.
    </Alert>
  )
}

function Checked({ recordId, proof, checks, publicRpcUrl }: CheckedRecord & { recordId: string }) {
  const { origin } = window.location
  const isProven = checks.every(({ holds }) => holds)
  return (
    <Stack gap="md">
      <Alert
        color={isProven ? 'teal' : 'red'}
        icon={<Icon name={isProven ? 'shield' : 'warning'} size={22} />}
        title={
          isProven ? 'Proven: the recomputed root matches the anchored root' : 'Not proven: a check failed'
        }
        role="status"
        data-proof={isProven ? 'proven' : 'failed'}
      >
        <CheckList checks={checks} />
      </Alert>
      <ProofFacts proof={proof} />
      <Stack gap={6}>
        <Text size="sm" c="dimmed">
          The anchored root was reported by this service. To rely only on the chain, ask a node of your own in
          this service’s project folder:
        </Text>
        <CodeBlock
          name="Verify this record"
          code={buildVerifyCommand({ origin, recordId, proof, publicRpcUrl })}
        />
      </Stack>
    </Stack>
  )
}
