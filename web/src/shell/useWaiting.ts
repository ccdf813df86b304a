import type { Approval, DashboardAlert, Page, RegistrationRequest } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { waitingEveryMs } from '../api/waitingEveryMs.ts'

/** As many as one part of a list holds; more need not be told apart. */
const COUNTED_MAX = 100

/** How many approvals and registrations wait for the account, and how many alerts it has to read. */
export function useWaiting(): { approvals: number; registrations: number; alerts: number } {
  const options = { everyMs: waitingEveryMs }
  const pending = useAnswer<Page<Approval>>(
    `/api/step-up-approvals?status=pending&limit=${COUNTED_MAX}`,
    options,
  )
  const asked = useAnswer<Page<RegistrationRequest>>(
    `/api/registration-requests?status=pending&limit=${COUNTED_MAX}`,
    options,
  )
  const unread = useAnswer<Page<DashboardAlert>>(`/api/alerts?status=unread&limit=${COUNTED_MAX}`, options)
  return {
    approvals: pending.data?.items.length ?? 0,
    registrations: asked.data?.items.length ?? 0,
    alerts: unread.data?.items.filter(({ mayMarkRead }) => mayMarkRead).length ?? 0,
  }
}
