import { Stack } from '@mantine/core'
import { PENDING_POLL_MS, useApiList } from '../../api/useApiList.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { OpenOrAll, ShowAll, useIsAll } from '../../parts/lists/OpenOrAll.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { ApprovalRow } from './ApprovalRow.tsx'
import { describeApprovals } from './describeApprovals.ts'
import { NotificationsSection } from './NotificationsSection.tsx'

/** Approval requests from the account's agents: pending ones, or all. */
export function ApprovalsPage() {
  const isAll = useIsAll()
  const query = useApiList('GET /api/step-up-approvals', {
    query: isAll ? {} : { status: 'pending' },
    pollMs: PENDING_POLL_MS,
  })
  const describe = describeApprovals(query.items)
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Requests from your agents that need your approval. Each is on hold until you decide or it expires."
      >
        <OpenOrAll path="/approvals" name="approvals" open="Pending" />
      </PageHeader>
      <Stack gap="lg">
        <Rows query={query} empty={<Nothing />}>
          {(approval) => <ApprovalRow key={approval.approvalId} approval={approval} describe={describe} />}
        </Rows>
        <NotificationsSection />
      </Stack>
    </>
  )
}

function Nothing() {
  const isAll = useIsAll()
  return (
    <EmptyNote
      icon="approvals"
      title={isAll ? 'No requests yet' : 'No pending requests'}
      description="A request appears here, and you are notified by e-mail, when one of your agents wants to spend more than it may without approval, or when one of its approval rules applies."
    >
      <ShowAll path="/approvals" />
      <LinkButton to="/agents" variant="light">
        Your agents
      </LinkButton>
    </EmptyNote>
  )
}
