import { useApiQuery } from '../api/useApiQuery.ts'
import { summariseApproval } from '../pages/approvals/summariseApproval.ts'
import { summariseEvent } from '../parts/words/eventWords.ts'
import { describeFinding, type Finding } from './describeFinding.ts'

const SHOWN_MAX = 4
const STATUSES = { approved: 'approved', denied: 'denied', expired: 'expired', consumed: 'used' } as const
/** As the frame asks for them, so that they are in the cache. */
const PENDING = { query: { status: 'pending', limit: 100 } } as const

/**
 * Finds requests for approval, pending registrations and events by what their rows say.
 *
 * @param words `text` is what has been typed; events are those that the service has for `asked`.
 */
export function useHappenings(
  { text, asked }: { text: string; asked: string },
  enabled: boolean,
): { findings: Finding[]; isFetching: boolean; error: unknown } {
  const pending = useApiQuery('GET /api/step-up-approvals', { ...PENDING, enabled })
  const newest = useApiQuery('GET /api/step-up-approvals', { query: { limit: 100 }, enabled })
  const requests = useApiQuery('GET /api/registration-requests', { ...PENDING, enabled })
  const events = useApiQuery('GET /api/activity', {
    query: { text: asked, limit: SHOWN_MAX },
    ...{ enabled, isFleeting: true },
  })
  const isIn = ({ name }: Finding) => name.toLowerCase().includes(text.toLowerCase())
  const decided = (newest.data?.items ?? []).filter(({ status }) => status !== 'pending')
  const held = [...(pending.data?.items ?? []), ...decided].map((approval) => {
    const { agent, counterparty, purpose, amount } = summariseApproval(approval)
    const name = [`${agent} → ${counterparty}`, amount, purpose].filter(Boolean).join(' · ')
    const finding = describeFinding('approval', approval.approvalId, name)
    return approval.status === 'pending'
      ? finding
      : { ...finding, about: `${finding.about}, ${STATUSES[approval.status]}` }
  })
  const requested = (requests.data?.items ?? []).map(({ requestId, registration }) =>
    describeFinding('registration', requestId, registration.name),
  )
  const happened = (events.data?.items ?? []).map((event): Finding => {
    const { title, about } = summariseEvent(event)
    const name = [title, about].filter(Boolean).join(' · ')
    return { ...describeFinding('record', event.id, name), about: 'Event', icon: 'activity' }
  })
  const shown = [held, requested, happened].flatMap((found) => found.filter(isIn).slice(0, SHOWN_MAX))
  return { findings: shown, isFetching: events.isFetching, error: events.error }
}
