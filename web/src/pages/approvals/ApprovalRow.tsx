import { Text } from '@mantine/core'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { RowLink } from '../../parts/lists/RowLink.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import type { DescribeApproval } from './describeApprovals.ts'

/** An approval in a list. @param describe That of the list, by `describeApprovals`. */
export function ApprovalRow({ approval, describe }: { approval: Approval; describe: DescribeApproval }) {
  const { title, about } = describe(approval)
  const { approvalId, status, createdAt, secondsLeft } = approval
  return (
    <RowLink to={`/activity/pending/${approvalId}`} title={title} about={about}>
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
