import { SegmentedControl } from '@mantine/core'
import { PENDING_POLL_MS, useApiList } from '../../api/useApiList.ts'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { navigate, useAddress } from '../../router/navigate.ts'
import { ApprovalRow } from './ApprovalRow.tsx'

/** Approval requests from the account's agents: pending ones, or all. */
export function ApprovalsPage() {
  const { search } = useAddress()
  const isAll = search.get('show') === 'all'
  const query = useApiList('GET /api/step-up-approvals', {
    query: isAll ? {} : { status: 'pending' },
    pollMs: PENDING_POLL_MS,
  })
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Requests from your agents that need your approval. Each is on hold until you decide or it expires."
      >
        <SegmentedControl
          aria-label="Filter approvals"
          value={isAll ? 'all' : 'pending'}
          onChange={(value) =>
            navigate(value === 'all' ? '/approvals?show=all' : '/approvals', { replace: true })
          }
          data={[
            { value: 'pending', label: 'Pending' },
            { value: 'all', label: 'All' },
          ]}
        />
      </PageHeader>
      <Rows query={query} empty={<Nothing isAll={isAll} />}>
        {(approval) => <ApprovalRow key={approval.approvalId} approval={approval} />}
      </Rows>
    </>
  )
}

function Nothing({ isAll }: { isAll: boolean }) {
  return (
    <EmptyNote
      icon="approvals"
      title={isAll ? 'No requests yet' : 'No pending requests'}
      description="A request appears here, and you are notified by e-mail, when one of your agents wants to spend more than it may without approval, or when one of its approval rules applies."
    >
      {!isAll && (
        <LinkButton to="/approvals?show=all" variant="default">
          Show all
        </LinkButton>
      )}
      <LinkButton to="/agents" variant="light">
        Your agents
      </LinkButton>
    </EmptyNote>
  )
}
