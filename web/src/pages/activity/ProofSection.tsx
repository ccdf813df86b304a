import { Alert, Group, List, Loader, Stack, Text, ThemeIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../api/apiFailure.ts'
import type { AuditRecord } from '../../api/types.ts'
import { CodeBlock } from '../../parts/CodeBlock.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import { type CheckedRecord, checkRecord } from './checkRecord.ts'

const WAIT_SECONDS_DEFAULT = 5

type Props = {
  recordId: string
  /** What is shown of the record; null to whoever is no party of it. */
  record: AuditRecord | null
}

/** The audit proof of a record, checked in this browser as soon as its batch is on chain. */
export function ProofSection({ recordId, record }: Props) {
  const query = useQuery({
    // What is shown is part of the name: a check counts for nothing but what it was made of.
    queryKey: ['proof', recordId, record],
    queryFn: () => checkRecord(recordId, record),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => waitMsOf(state.error),
  })
  const isWaiting = waitMsOf(query.error) !== false && query.data === undefined
  return (
    <Section
      title="Audit proof"
      description="Recomputed in this browser from the bytes of the entry, with SHA-256 as RFC 9162 says."
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

function waitMsOf(error: unknown): number | false {
  if (!(error instanceof ApiFailure) || error.code !== 'NOT_ANCHORED_YET') return false
  return (error.retryAfterSeconds ?? WAIT_SECONDS_DEFAULT) * 1000
}

function Waiting() {
  return (
    <Alert color="orange" icon={<Icon name="clock" />} title="Waiting for the chain" role="status">
      The entry is recorded. Its batch is being anchored, and the proof is checked here as soon as it is
      there.
    </Alert>
  )
}

function Checked({ recordId, proof, checks }: CheckedRecord & { recordId: string }) {
  const isProven = checks.every(({ holds }) => holds)
  return (
    <Stack gap="md">
      <Alert
        color={isProven ? 'teal' : 'red'}
        icon={<Icon name={isProven ? 'shield' : 'warning'} size={22} />}
        title={isProven ? 'Proven: the recomputed root is the anchored one' : 'Not proven: a check failed'}
        role="status"
        data-proof={isProven ? 'proven' : 'failed'}
      >
        <List spacing={6} size="sm" listStyleType="none" style={{ lineHeight: 1.4 }}>
          {checks.map(({ claim, holds, detail }) => (
            <List.Item
              key={claim}
              icon={
                <ThemeIcon
                  size={20}
                  radius="xl"
                  color={holds ? 'teal' : 'red'}
                  role="img"
                  aria-label={holds ? 'Holds' : 'Fails'}
                >
                  <Icon name={holds ? 'check' : 'cross'} size={13} />
                </ThemeIcon>
              }
            >
              {claim}
              {detail && `: ${detail}`}
            </List.Item>
          ))}
        </List>
      </Alert>
      <Facts
        facts={[
          ['Entry', `${proof.index.toLocaleString()} of ${proof.treeSize.toLocaleString()}`],
          ['Leaf hash', <CopyText key="leaf" text={proof.leafHash} name="leaf hash" />],
          ['Root', <CopyText key="root" text={proof.root} name="root" />],
          ['Batch', `#${proof.batch}, in block ${proof.blockNumber.toLocaleString()}`],
          ['Transaction', <CopyText key="tx" text={proof.transactionHash} name="transaction hash" />],
          ['Contract', <CopyText key="contract" text={proof.contract} name="address of the audit log" />],
          ['Log', <CopyText key="log" text={proof.logId} name="log identifier" />],
        ]}
      />
      <Stack gap={6}>
        <Text size="sm" c="dimmed">
          Which root is on chain, the service has told. To trust the chain alone, ask a node of your own:
        </Text>
        <CodeBlock name="Verifies this record" code={commandsFor(recordId, proof.logId)} />
      </Stack>
    </Stack>
  )
}

function commandsFor(recordId: string, logId: string): string {
  return [
    `curl -s ${window.location.origin}/api/audit/records/${recordId}/proof > record.json`,
    `npm run verify-audit -- --rpc "$RPC_URL" --log ${logId} --record record.json`,
  ].join('\n')
}
