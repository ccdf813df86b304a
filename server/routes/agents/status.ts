import { agentOperations, postAgentHandOverBody } from '@svc/core/contract/agents.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ChangeAgentStatusDeps, changeAgentStatus } from '../../services/agents/changeAgentStatus.ts'
import { type ReadAgentDeps, readAgent } from '../../services/agents/readAgent.ts'
import { type HandOverAgentDeps, handOverAgent } from '../../services/agents/token/handOverAgent.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'

export const postAgentSuspend = operation({
  summary: 'Suspends an agent: its requests are denied until it is resumed.',
  answer: agentOperations['POST /api/agents/:id/suspend'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeAgentStatusDeps & ReadAgentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    const id = await changeAgentStatus(parts.agents, 'suspend', input)
    return { body: { success: true, agent: await readAgent(parts.agents, { ...input, id }) } }
  },
})

export const postAgentResume = operation({
  summary: 'Resumes a suspended agent.',
  answer: agentOperations['POST /api/agents/:id/resume'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeAgentStatusDeps & ReadAgentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    const id = await changeAgentStatus(parts.agents, 'resume', input)
    return { body: { success: true, agent: await readAgent(parts.agents, { ...input, id }) } }
  },
})

export const postAgentRetire = operation({
  summary: 'Retires an agent permanently: all its later requests are denied.',
  answer: agentOperations['POST /api/agents/:id/retire'].answer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeAgentStatusDeps & ReadAgentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    const id = await changeAgentStatus(parts.agents, 'retire', input)
    return { body: { success: true, agent: await readAgent(parts.agents, { ...input, id }) } }
  },
})

/** Source: ERC-8004 "Identity Registry"; docs/decisions/0012. */
export const postAgentHandOver = operation({
  summary:
    'Transfers an agent’s token from custody to a linked wallet, which clears the token’s `agentWallet`.',
  body: agentOperations['POST /api/agents/:id/hand-over'].body,
  status: 202,
  answer: agentOperations['POST /api/agents/:id/hand-over'].answer,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: HandOverAgentDeps & ReadAgentDeps }) => async (call) => {
    const { address } = parseInput(postAgentHandOverBody, call.body)
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, address, now: call.now }
    const id = await handOverAgent(parts.agents, input)
    const agent = await readAgent(parts.agents, { id, principal, now: call.now })
    return { status: 202, body: { success: true, agent } }
  },
})
