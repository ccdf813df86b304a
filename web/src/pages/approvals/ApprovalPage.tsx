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
import { summariseApproval } from './summariseApproval.ts'

const POLL_MS = 5_000

type Shown = Approval & { assertionOptions: AssertionOptions | null }

/** A step-up approval: the request, the time left, and the actions to approve or deny. */
export function ApprovalPage({ id }: { id: string }) {
  const path = `/api/step-up-approvals/${encodeURIComponent(id)}`
  const query = useApiQuery<{ approval: Shown }>(path)
  const approval = query.data?.approval
  const isOpen = approval?.status === 'pending' || approval?.status === 'approved'
  // Someone else may decide, the counterparty may use the approval, or it may expire.
  useApiQuery(path, { pollMs: POLL_MS, enabled: isOpen })
  const queries = useQueryClient()
  const refresh = useCallback(() => {
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
              <ApprovalStatusNote approval={found} readAt={query.dataUpdatedAt} onExpire={refresh} />
              <ApprovalRequestSection approval={found} />
              <ApprovalActions
                approval={found}
                path={path}
                denialNote="The request will not be granted, even if it is sent again. This does not affect the agent’s trust score and cannot be undone."
                onChange={refresh}
              />
            </Stack>
          )}
        </Loaded>
      )}
    </>
  )
}

function titleOf(approval: Approval | undefined): string {
  if (approval === undefined) return 'Approval request'
  const { agent } = summariseApproval(approval)
  return approval.status === 'pending' ? `${agent} requests your approval` : `Request from ${agent}`
}
