import { useApiQuery } from '../api/useApiQuery.ts'
import { describeFinding, type Finding } from './describeFinding.ts'
import { readIdentifier } from './readIdentifier.ts'

/** Finds what an identifier belongs to. A UUID does not say what it is of, so the service is asked for each. */
export function useIdentified(search: string): Finding[] {
  const identifier = readIdentifier(search)
  const id = identifier?.id ?? ''
  const enabled = identifier?.of === 'uuid'
  const record = useApiQuery('GET /api/audit/records/:id', { params: { id }, enabled })
  const approval = useApiQuery('GET /api/step-up-approvals/:approvalId', {
    params: { approvalId: id },
    enabled,
  })
  const endpoint = useApiQuery('GET /api/endpoints/:id', { params: { id }, enabled })
  const agent = useApiQuery('GET /api/agents/:id', { params: { id }, enabled })
  const request = useApiQuery('GET /api/registration-requests/:requestId', {
    params: { requestId: id },
    enabled,
  })
  if (identifier === null) return []
  if (identifier.of !== 'uuid') return [describeFinding(identifier.of, id, id)]
  const found: Finding[] = []
  if (record.data) found.push(describeFinding('record', id, id))
  if (approval.data) found.push(describeFinding('approval', id, id))
  if (endpoint.data) found.push(describeFinding('endpoint', id, endpoint.data.endpoint.name))
  if (agent.data) found.push(describeFinding('agent', agent.data.agent.svcId, agent.data.agent.name))
  if (request.data) found.push(describeFinding('registration', id, request.data.request.registration.name))
  return found
}
