import { Stack } from '@mantine/core'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { useCallback } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { callApi } from '../../api/callApi.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { ApprovalActions } from './ApprovalActions.tsx'
import { ApprovalNotFound } from './ApprovalNotFound.tsx'
import { ApprovalRequestSection } from './ApprovalRequestSection.tsx'
import { ApprovalStatusNote } from './ApprovalStatusNote.tsx'
import { ApproveInAdvance } from './ApproveInAdvance.tsx'
import { CounterpartySection } from './CounterpartySection.tsx'
import { summariseApproval } from './summariseApproval.ts'

const POLL_MS = 5_000
const READ = 'GET /api/step-up-approvals/:approvalId'

/** A step-up approval: the request, the time left, and the actions to approve or deny. */
export function ApprovalPage({ id }: { id: string }) {
  const params = { approvalId: id }
  const query = useApiQuery(READ, { params })
  const approval = query.data?.approval
  const isOpen = approval?.status === 'pending' || approval?.status === 'approved'
  // Someone else may decide, the counterparty may use the approval, or it may expire.
  useApiQuery(READ, { params, pollMs: POLL_MS, enabled: isOpen })
  const invalidate = useInvalidate()
  const refresh = useCallback(() => {
    void invalidate([
      [READ, { approvalId: id }],
      'GET /api/step-up-approvals',
      'GET /api/alerts',
      'GET /api/activity',
    ])
  }, [invalidate, id])
  const isMissing = query.error instanceof ApiFailure && query.error.status === 404
  return (
    <>
      <PageHeader
        title={titleOf(approval)}
        description={approval && describe(approval)}
        back={{ to: '/approvals', name: 'Approvals' }}
      />
      {isMissing ? (
        <ApprovalNotFound />
      ) : (
        <Loaded query={query}>
          {({ approval: found }) => (
            <Stack gap="lg">
              <ApprovalStatusNote approval={found} readAt={query.dataUpdatedAt} onExpire={refresh} />
              <CounterpartySection counterparty={found.counterparty} spending={found.spending} />
              <ApprovalRequestSection approval={found} />
              <ApprovalActions
                approval={found}
                resource={[READ, params]}
                onApprove={(response) =>
                  callApi('POST /api/step-up-approvals/:approvalId/approve', { params, body: { response } })
                }
                onDeny={() => callApi('POST /api/step-up-approvals/:approvalId/deny', { params })}
                denialNote="The request will not be granted, even if it is sent again. This does not affect the agent’s trust score and cannot be undone."
                further={<ApproveInAdvance approval={found} onChange={refresh} />}
                onChange={refresh}
              />
            </Stack>
          )}
        </Loaded>
      )}
    </>
  )
}

/** How much, for what and where: on a phone, nothing else of the request is in sight. */
function describe(approval: Approval): string {
  const { amount, purpose, counterparty } = summariseApproval(approval)
  return [amount, purpose, `at ${counterparty}`].filter(Boolean).join(' · ')
}

function titleOf(approval: Approval | undefined): string {
  if (approval === undefined) return 'Approval request'
  const { agent } = summariseApproval(approval)
  return approval.status === 'pending' ? `${agent} requests your approval` : `Request from ${agent}`
}
