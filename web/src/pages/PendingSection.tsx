import { Stack } from '@mantine/core'
import type { Approval, Page } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { ApprovalRow } from '../parts/ApprovalRow.tsx'
import { Section } from '../parts/Section.tsx'
import { TextLink } from '../parts/TextLink.tsx'

const SHOWN = 3

/** The approvals that wait for the owner; not there while none does. */
export function PendingSection() {
  const query = useAnswer<Page<Approval>>('/api/step-up-approvals?status=pending&limit=100', {
    everyMs: 10_000,
  })
  const items = query.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section
      title={items.length === 1 ? 'A request waits for you' : `${items.length} requests wait for you`}
      description="They are held until you answer."
      right={items.length > SHOWN && <TextLink to="/approvals">All of them</TextLink>}
    >
      <Stack gap="xs">
        {items.slice(0, SHOWN).map((approval) => (
          <ApprovalRow key={approval.approvalId} approval={approval} />
        ))}
      </Stack>
    </Section>
  )
}
