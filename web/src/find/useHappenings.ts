import { useApiQuery } from '../api/useApiQuery.ts'
import { summariseApproval } from '../pages/approvals/summariseApproval.ts'
import { summariseEvent } from '../parts/eventWords.ts'
import { describeFinding, type Finding } from './describeFinding.ts'

const SHOWN_MAX = 4
/** As the frame asks for them, so that they are in the cache. */
const PENDING = { query: { status: 'pending', limit: 100 } } as const

/** Finds pending requests and events by what their rows say. */
export function useHappenings(
  search: string,
  enabled: boolean,
): { findings: Finding[]; isFetching: boolean } {
  const approvals = useApiQuery('GET /api/step-up-approvals', { ...PENDING, enabled })
  const requests = useApiQuery('GET /api/registration-requests', { ...PENDING, enabled })
  const events = useApiQuery('GET /api/activity', { query: { text: search, limit: SHOWN_MAX }, enabled })
  const isIn = ({ name }: Finding) => name.toLowerCase().includes(search.toLowerCase())
  const held = (approvals.data?.items ?? []).map((approval) => {
    const { agent, counterparty, purpose, amount } = summariseApproval(approval)
    const name = [`${agent} → ${counterparty}`, amount, purpose].filter(Boolean).join(' · ')
    return describeFinding('approval', approval.approvalId, name)
  })
  const asked = (requests.data?.items ?? []).map(({ requestId, registration }) =>
    describeFinding('registration', requestId, registration.name),
  )
  const happened = (events.data?.items ?? []).map((event): Finding => {
    const { title, about } = summariseEvent(event)
    const name = [title, about].filter(Boolean).join(' · ')
    return { ...describeFinding('record', event.id, name), about: 'Event', icon: 'activity' }
  })
  const shown = [held, asked, happened].flatMap((found) => found.filter(isIn).slice(0, SHOWN_MAX))
  return { findings: shown, isFetching: events.isFetching }
}
