import { Button, Stack } from '@mantine/core'
import type { User } from '@svc/core/contract/accounts.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { useState } from 'react'
import { session } from '../../api/session.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { ErasureNote } from '../../parts/ErasureNote.tsx'
import { EventRow } from '../../parts/lists/EventRow.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { ApprovalRow } from '../approvals/ApprovalRow.tsx'
import { describeApprovals } from '../approvals/describeApprovals.ts'
import { CasesSection } from './CasesSection.tsx'
import { DecisionsSection } from './DecisionsSection.tsx'
import { FirstRun } from './firstRun/FirstRun.tsx'
import { useFirstRunMemory } from './firstRun/useFirstRunMemory.ts'
import { ServiceNote } from './ServiceNote.tsx'

const EVENTS_SHOWN = 6
const APPROVALS_SHOWN = 3

/** Pending requests and recent activity. */
export function OverviewPage() {
  const state = session.read()
  return state.status === 'signedIn' ? <Overview user={state.user} /> : null
}

function Overview({ user }: { user: User }) {
  const [memory, remember] = useFirstRunMemory(user.id)
  // What is done stays visible until the page is left.
  const [isFirstRunShown, setFirstRunShown] = useState(!memory.isHidden)
  const isOperator = user.role === 'operator'
  const isReviewShown = isFirstRunShown && memory.role === 'review'
  const latest = useApiQuery('GET /api/activity', { query: { limit: EVENTS_SHOWN }, pollMs: 15_000 })
  return (
    <>
      <PageHeader title="Overview" description="Pending requests and recent decisions.">
        {!isFirstRunShown && (
          <Button
            variant="default"
            onClick={() => {
              remember({ role: 'ask', isHidden: false })
              setFirstRunShown(true)
            }}
          >
            First steps
          </Button>
        )}
      </PageHeader>
      <Stack gap="lg">
        <ErasureNote />
        <PendingSection />
        {isOperator && !isReviewShown && <CasesSection />}
        {isFirstRunShown && (
          <FirstRun
            role={memory.role}
            isOperator={isOperator}
            onChoose={(role) => remember({ role })}
            onDone={() => remember({ isHidden: true })}
            onHide={() => {
              remember({ isHidden: true })
              setFirstRunShown(false)
            }}
          />
        )}
        <DecisionsSection />
        <Loaded query={latest}>{({ items }) => <Latest events={items} />}</Loaded>
        <ServiceNote />
      </Stack>
    </>
  )
}

function Latest({ events }: { events: ActivityEvent[] }) {
  if (events.length === 0) return null
  return (
    <Section title="Latest events">
      <Stack gap="xs">
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </Stack>
    </Section>
  )
}

/** Pending approvals; hidden if there are none. */
function PendingSection() {
  const query = useApiQuery('GET /api/step-up-approvals', {
    query: { status: 'pending', limit: 100 },
    pollMs: 10_000,
  })
  const items = query.data?.items ?? []
  if (items.length === 0) return null
  const describe = describeApprovals(items)
  return (
    <Section
      title={
        items.length === 1 ? 'A request needs your approval' : `${items.length} requests need your approval`
      }
      description="On hold until you decide."
      right={items.length > APPROVALS_SHOWN && <TextLink to="/approvals">Show all</TextLink>}
    >
      <Stack gap="xs">
        {items.slice(0, APPROVALS_SHOWN).map((approval) => (
          <ApprovalRow key={approval.approvalId} approval={approval} describe={describe} />
        ))}
      </Stack>
    </Section>
  )
}
