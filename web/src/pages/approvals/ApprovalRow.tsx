import { Text } from '@mantine/core'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { RowLink } from '../../parts/RowLink.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { summariseApproval } from './summariseApproval.ts'

/** An approval in a list. */
export function ApprovalRow({ approval }: { approval: Approval }) {
  const { agent, counterparty, purpose, amount } = summariseApproval(approval)
  const { approvalId, status, createdAt, secondsLeft, request } = approval
  return (
    <RowLink
      to={`/activity/pending/${approvalId}`}
      title={`${agent} → ${counterparty}`}
      about={[amount, purpose, request.resource].filter(Boolean).join(' · ')}
    >
      <StatusBadge value={status} />
      <Text size="sm" c="dimmed" component="span" miw={{ base: 0, xs: 90 }} ta="right">
        {status === 'pending' ? (
          `${Math.max(1, Math.ceil(secondsLeft / 60))} min left`
        ) : (
          <When time={createdAt} />
        )}
      </Text>
    </RowLink>
  )
}
