import { BLOCKS } from '@svc/core/commerce/commerceProtocol.ts'
import {
  agentOperations,
  IMMUTABLE_FIELDS,
  patchAgentBody,
  postAgentTokenBody,
} from '@svc/core/contract/agents.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ReadAgentStatisticsDeps,
  readAgentStatistics,
} from '../../services/activity/readAgentStatistics.ts'
import type { AgentPatch } from '../../services/agents/applyAgentPatch.ts'
import { type IssueAgentTokenDeps, issueAgentToken } from '../../services/agents/issueAgentToken.ts'
import { type ListAgentsDeps, listAgents } from '../../services/agents/listAgents.ts'
import { type ReadAgentDeps, readAgent } from '../../services/agents/readAgent.ts'
import { type UpdateAgentDeps, updateAgent } from '../../services/agents/updateAgent.ts'
import { tagSettings } from '../../services/tagSettings.ts'
import { type ReadTrustHistoryDeps, readTrustHistory } from '../../services/trustHistory/readTrustHistory.ts'
import { callerOf } from '../border/callerOf.ts'
import { ORGANIZATION_FILTER } from '../border/organizationFilter.ts'
import { PAGE_QUERY, readPage, writePage } from '../border/pagination.ts'
import { readIfMatch } from '../border/readIfMatch.ts'
import { searchSchema } from '../border/searchSchema.ts'
import { operation } from '../operation.ts'
import { requireNormalEns } from './requireNormalEns.ts'

const query = z.object({ search: searchSchema.optional(), ...ORGANIZATION_FILTER })

/** Source: `Spec: GET /api/agents`. */
export const getAgents = operation({
  summary:
    'Lists the agents of the signed-in account and its organisations, newest first; `organizationId` selects those of one organisation. `search` selects those whose name or identifier contains it, or that have the key, the wallet or the transaction that it names; a page may then be short or empty although `hasMore` is true.',
  query: { ...query.shape, ...PAGE_QUERY },
  answer: agentOperations['GET /api/agents'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { agents: ListAgentsDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const page = readPage(call.query)
    const { search, organizationId } = parseInput(query, {
      search: call.query.get('search') ?? undefined,
      organizationId: call.query.get('organizationId') ?? undefined,
    })
    const input = { principal, organizationId, search, page, now: call.now }
    return { body: writePage(await listAgents(parts.agents, input)) }
  },
})

/** Source: `Spec: GET /api/agents/{id}`, `Spec: GET /api/agents/:astraId`. */
export const getAgent = operation({
  summary:
    'Returns an agent: everything to its owner, the public record to anyone else. The agent itself is refused.',
  answer: agentOperations['GET /api/agents/:id'].answer,
  isTagged: true,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ReadAgentDeps }) => async (call) => {
    const { principal, now } = call
    const agent = await readAgent(parts.agents, { id: call.params.id ?? '', principal, now })
    return { headers: { ETag: tagSettings('agent', agent) }, body: { success: true, agent } }
  },
})

/** Source: `Spec: PATCH on an agent`. */
export const patchAgent = operation({
  summary:
    'Changes an agent by JSON merge patch. The boundary, type, model, framework and API endpoint cannot change.',
  body: agentOperations['PATCH /api/agents/:id'].body,
  answer: agentOperations['PATCH /api/agents/:id'].answer,
  isTagged: true,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'pdlss_immutable'],
  handle: (parts: { agents: UpdateAgentDeps }) => async (call) => {
    const patch = patchOf(parseInput(patchAgentBody, call.body), call.body)
    requireNormalEns(patch.declarations.names)
    const { principal, now, params } = call
    const isExpected = readIfMatch(call)
    const agent = await updateAgent(parts.agents, { id: params.id ?? '', principal, patch, isExpected, now })
    return { headers: { ETag: tagSettings('agent', agent) }, body: { success: true, agent } }
  },
})

/** The immutable fields are passed on unparsed: any value that differs from the stored one is rejected. */
function patchOf(parsed: z.output<typeof patchAgentBody>, sent: unknown): AgentPatch {
  const { name, description, image, protocols } = parsed
  const pick = (source: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(source).filter(([field]) => names.includes(field)))
  return {
    ...{ name, description, image, protocols },
    declarations: pick(parsed, BLOCKS),
    immutable: pick(Object(sent), IMMUTABLE_FIELDS),
  }
}

/** Source: `Spec: Trust score rules`. */
export const getAgentTrustHistory = operation({
  summary: 'Returns the current trust score of one of the caller’s agents, and its history.',
  answer: agentOperations['GET /api/agents/:id/trust-history'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ReadTrustHistoryDeps }) => async (call) => {
    const { principal, now } = call
    const history = await readTrustHistory(parts.agents, { id: call.params.id ?? '', principal, now })
    return { body: { success: true, ...history } }
  },
})

/** The data of an agent's overview in the dashboard. */
export const getAgentStatistics = operation({
  summary:
    'Counts the decisions of the last 30 days about one of the caller’s agents, and returns what it spent and how far its hourly cap and those of its ancestors are used up.',
  answer: agentOperations['GET /api/agents/:id/statistics'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: (parts: { activity: ReadAgentStatisticsDeps }) => async (call) => {
    const { principal, now } = call
    const statistics = await readAgentStatistics(parts.activity, { id: call.params.id ?? '', principal, now })
    return { body: { success: true, ...statistics } }
  },
})

export const postAgentToken = operation({
  summary:
    'Issues a 15-minute token to an agent whose own key signed the request. With an `audience`, the token proves there whom its bearer acts for.',
  body: agentOperations['POST /api/agents/:id/token'].body,
  answer: agentOperations['POST /api/agents/:id/token'].answer,
  errors: [
    'VALIDATION_ERROR',
    'invalid_signature',
    'signature_expired',
    'nonce_reused',
    'FORBIDDEN',
    'NOT_FOUND',
    'INVALID_STATE',
  ],
  handle: (parts: { agents: IssueAgentTokenDeps }) => async (call) => {
    const principal = callerOf(call, 'signature')
    const id = call.params.id ?? ''
    const { audience, jkt } = parseInput(postAgentTokenBody, call.body ?? {})
    const issued = await issueAgentToken(parts.agents, { id, principal, audience, jkt, now: call.now })
    return { body: { success: true, ...issued } }
  },
})
