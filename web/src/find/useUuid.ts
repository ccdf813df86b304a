import { useApiQuery } from '../api/useApiQuery.ts'
import { summariseEvent } from '../parts/words/eventWords.ts'
import { describeFinding, type Finding } from './describeFinding.ts'
import { findRefusal } from './findRefusal.ts'

/** Finds what a UUID belongs to. It does not say what it is of, so the service is asked for each; null asks for nothing. */
export function useUuid(
  uuid: string | null,
  isOperator: boolean,
): { findings: Finding[]; isFetching: boolean; error: unknown } {
  const id = uuid ?? ''
  const options = { enabled: uuid !== null, isFleeting: true }
  const byId = { params: { id }, ...options }
  const all = { query: { limit: 100 }, ...options }
  const record = useApiQuery('GET /api/audit/records/:id', byId)
  const approval = useApiQuery('GET /api/step-up-approvals/:approvalId', {
    ...{ params: { approvalId: id }, ...options },
  })
  const endpoint = useApiQuery('GET /api/endpoints/:id', byId)
  const agent = useApiQuery('GET /api/agents/:id', byId)
  const request = useApiQuery('GET /api/registration-requests/:requestId', {
    ...{ params: { requestId: id }, ...options },
  })
  const approvals = useApiQuery('GET /api/step-up-approvals', all)
  const purchase = useApiQuery('GET /api/activity', {
    ...{ query: { purchase: id, order: 'oldest', limit: 1 }, ...options },
  })
  const mentions = useApiQuery('GET /api/activity', { query: { text: id, limit: 1 }, ...options })
  const keys = useApiQuery('GET /api/api-keys', all)
  const sessions = useApiQuery('GET /api/auth/sessions', options)
  const reviewed = useApiQuery('GET /api/admin/kyd/:id', { ...byId, enabled: uuid !== null && isOperator })
  const asked = [
    ...[record, approval, endpoint, agent, request, approvals, purchase, mentions, keys, sessions],
    reviewed,
  ]
  const isFetching = asked.some((query) => query.isFetching)

  const found: Finding[] = []
  if (record.data) found.push(describeFinding('record', id, id))
  if (approval.data) found.push(describeFinding('approval', id, id))
  if (endpoint.data) found.push(describeFinding('endpoint', id, endpoint.data.endpoint.name))
  if (agent.data) found.push(describeFinding('agent', agent.data.agent.svcId, agent.data.agent.name))
  if (request.data) found.push(describeFinding('registration', id, request.data.request.registration.name))
  const attempt = approvals.data?.items.find(({ attemptId }) => attemptId === id)
  if (attempt) found.push(describeFinding('approval', attempt.approvalId, id))
  const key = keys.data?.items.find((one) => one.id === id)
  if (key) found.push({ to: `/api-keys#${id}`, name: key.name, about: 'API key', icon: 'keys' })
  if (sessions.data?.items.some((session) => session.id === id)) {
    found.push({ to: '/account', name: 'Where you are signed in', about: 'Your session', icon: 'person' })
  }
  if (reviewed.data) found.push({ to: `/operator/${id}`, name: id, about: 'Identity review', icon: 'shield' })
  // An approval has its own page; a session and a correlation lead to the request that they began with.
  const [event] = [...(purchase.data?.items ?? []), ...(mentions.data?.items ?? [])]
  if (found.length === 0 && !isFetching && event) {
    const { title } = summariseEvent(event)
    found.push({
      ...describeFinding('record', event.auditRecordId, title),
      about: 'Request',
      icon: 'activity',
    })
  }
  return { findings: found, isFetching, error: findRefusal(asked) }
}
