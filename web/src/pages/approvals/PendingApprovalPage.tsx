import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import type { AssertionOptions } from '../../api/passkeyCeremonies.ts'
import type { Approval } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Loaded } from '../../parts/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { ApprovalActions } from './ApprovalActions.tsx'
import { ApprovalNotFound } from './ApprovalNotFound.tsx'
import { ApprovalRequestSection } from './ApprovalRequestSection.tsx'
import { ApprovalStatusNote } from './ApprovalStatusNote.tsx'
import { approvalSummary } from './approvalSummary.ts'

const POLL_MS = 5_000

type Shown = Approval & { assertionOptions: AssertionOptions | null }

/** Where the link of a step-up approval leads: what is asked, by whom, how long is left, and the two answers. */
export function PendingApprovalPage({ id }: { id: string }) {
  const path = `/api/step-up-approvals/${encodeURIComponent(id)}`
  const query = useApiQuery<{ approval: Shown }>(path)
  const approval = query.data?.approval
  const isOpen = approval?.status === 'pending' || approval?.status === 'approved'
  // Somebody else may answer, the counterparty may use it, and time runs out.
  useApiQuery(path, { pollMs: POLL_MS, enabled: isOpen })
  const queries = useQueryClient()
  const readAgain = useCallback(() => {
    for (const one of [path, '/api/step-up-approvals', '/api/alerts', '/api/activity']) {
      void queries.invalidateQueries({ queryKey: [one] })
    }
  }, [queries, path])
  const isMissing = query.error instanceof ApiFailure && query.error.status === 404
  return (
    <>
      <PageHeader title={titleOf(approval)} back={{ to: '/approvals', name: 'Approvals' }} />
      {isMissing ? (
        <ApprovalNotFound />
      ) : (
        <Loaded query={query}>
          {({ approval: found }) => (
            <Stack gap="lg">
              <ApprovalStatusNote approval={found} readAt={query.dataUpdatedAt} onEnd={readAgain} />
              <ApprovalRequestSection approval={found} />
              <ApprovalActions
                approval={found}
                path={path}
                denialNote="The request does not go through, also when it is sent again. It does not count against the agent. This cannot be undone."
                onChange={readAgain}
              />
            </Stack>
          )}
        </Loaded>
      )}
    </>
  )
}

function titleOf(approval: Approval | undefined): string {
  if (approval === undefined) return 'A request for your approval'
  const { agent } = approvalSummary(approval)
  return approval.status === 'pending' ? `${agent} asks for your approval` : `A request of ${agent}`
}
