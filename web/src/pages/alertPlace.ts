import type { DashboardAlert } from '../api/types.ts'

/** Where what an alert is about can be seen, and the words of the link; null when there is no such page. */
export function alertPlace({ code, data }: DashboardAlert): { to: string; name: string } | null {
  const { approvalId, requestId, agentId, svceId, endpointId } = data
  if (approvalId) return { to: `/activity/pending/${approvalId}`, name: 'Look at the request' }
  if (requestId) return { to: `/registration-requests/${requestId}`, name: 'Look at the request' }
  if (code.startsWith('kyd.')) return { to: '/kyd', name: 'Look at your identity' }
  if (agentId) return { to: `/agents/${agentId}`, name: 'Look at the agent' }
  const endpoint = svceId || endpointId
  if (endpoint) return { to: `/endpoints/${endpoint}`, name: 'Look at the endpoint' }
  return null
}
