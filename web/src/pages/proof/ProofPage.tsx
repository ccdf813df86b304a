import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../api/apiFailure.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { checkRecord } from '../activity/checkRecord.ts'
import { getRetryDelay } from './getRetryDelay.ts'
import { VerifiedRecord } from './VerifiedRecord.tsx'

/** The proof of a record for anybody who has its address: no account is needed, and only the proof is shown. */
export function ProofPage({ recordId }: { recordId: string }) {
  const query = useQuery({
    queryKey: ['proof', recordId, null],
    queryFn: () => checkRecord(recordId, null),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { error } }) => getRetryDelay(error),
  })
  return (
    <Stack gap="lg">
      <meta name="robots" content="noindex" />
      <PageHeader
        title="Proof of a record"
        description="Recomputed in your browser from the bytes of the entry. Anybody with this address can repeat it."
      />
      {query.data === undefined && query.error ? (
        <Unproven error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <Loaded query={query}>{(checked) => <VerifiedRecord recordId={recordId} checked={checked} />}</Loaded>
      )}
    </Stack>
  )
}

/** Why there is no proof to show. */
function Unproven({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof ApiFailure)) {
    return (
      <Alert color="red" icon={<Icon name="warning" />} title="This proof does not hold" role="alert">
        What this service sent is not a proof that can be checked: it is altered or incomplete. Do not rely on
        this record.
      </Alert>
    )
  }
  if (error.code === 'NOT_ANCHORED_YET') {
    return (
      <Alert color="orange" icon={<Icon name="clock" />} title="Recorded, but not anchored yet" role="status">
        This registry has the record, and its batch is being written to the chain, normally within seconds.
        Until then nothing is proven. This page checks again automatically.
      </Alert>
    )
  }
  if (error.code === 'NOT_FOUND') {
    return (
      <Alert color="orange" icon={<Icon name="search" />} title="No record has this identifier" role="status">
        Check the address for missing characters. The identifier of a record is the <code>auditRecordId</code>{' '}
        of a response, an event or a webhook. If this registry gave you this identifier, keep what you
        received: it is your evidence that the record existed.
      </Alert>
    )
  }
  return <FailureNote error={error} onRetry={onRetry} />
}
