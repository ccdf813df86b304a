import { SegmentedControl } from '@mantine/core'
import type { Approval } from '../../api/types.ts'
import { PENDING_POLL_MS, useApiList } from '../../api/useApiList.ts'
import { EmptyNote } from '../../parts/EmptyNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { navigate, useAddress } from '../../router/navigate.ts'
import { ApprovalRow } from './ApprovalRow.tsx'

/** What agents have asked their owner for: what waits, and all there was. */
export function ApprovalsPage() {
  const { search } = useAddress()
  const isAll = search.get('show') === 'all'
  const query = useApiList<Approval>('/api/step-up-approvals', isAll ? {} : { status: 'pending' }, {
    pollMs: PENDING_POLL_MS,
  })
  return (
    <>
      <PageHeader
        title="Approvals"
        description="What your agents asked for and you wanted to be asked about first. A request is held until you answer, or its time is over."
      >
        <SegmentedControl
          aria-label="Which approvals"
          value={isAll ? 'all' : 'pending'}
          onChange={(value) =>
            navigate(value === 'all' ? '/approvals?show=all' : '/approvals', { replace: true })
          }
          data={[
            { value: 'pending', label: 'Waiting' },
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
      title={isAll ? 'No agent has asked yet' : 'Nothing waits for you'}
      description="You are asked when an agent of yours wants to spend more than it may by itself, or for whatever its approval rules name. You get a mail, and it shows here."
    >
      {!isAll && (
        <LinkButton to="/approvals?show=all" variant="default">
          Earlier ones
        </LinkButton>
      )}
      <LinkButton to="/agents" variant="light">
        Your agents
      </LinkButton>
    </EmptyNote>
  )
}
