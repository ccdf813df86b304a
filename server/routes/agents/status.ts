import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ChangeAgentStatusDeps, changeAgentStatus } from '../../services/agents/changeAgentStatus.ts'
import { type ReadAgentDeps, readAgent } from '../../services/agents/readAgent.ts'
import { type HandOverAgentDeps, handOverAgent } from '../../services/agents/token/handOverAgent.ts'
import { callerOf } from '../border/callerOf.ts'
import { operation } from '../operation.ts'
import { agentSchemas } from './agentSchemas.ts'

/** Source: api.md "Agents". */
export const postAgentSuspend = operation({
  summary: 'Stops an agent until it is resumed: every request of it is denied meanwhile.',
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeAgentStatusDeps & ReadAgentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    const id = await changeAgentStatus(parts.agents, 'suspend', input)
    return { body: { success: true, agent: await readAgent(parts.agents, { ...input, id }) } }
  },
})

/** Source: api.md "Agents". */
export const postAgentResume = operation({
  summary: 'Takes a suspended agent up again.',
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeAgentStatusDeps & ReadAgentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    const id = await changeAgentStatus(parts.agents, 'resume', input)
    return { body: { success: true, agent: await readAgent(parts.agents, { ...input, id }) } }
  },
})

/** Source: api.md "Agents". */
export const postAgentRetire = operation({
  summary: 'Ends an agent for good: from the answer on every request of it is denied.',
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: ChangeAgentStatusDeps & ReadAgentDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, now: call.now }
    const id = await changeAgentStatus(parts.agents, 'retire', input)
    return { body: { success: true, agent: await readAgent(parts.agents, { ...input, id }) } }
  },
})

const body = z.object({
  address: z
    .templateLiteral(['0x', z.string()])
    .check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hexadecimal')),
})

/** Source: ERC-8004 "Identity Registry"; docs/decisions/0012. */
export const postAgentHandOver = operation({
  summary:
    'Hands an agent’s token from custody to a linked wallet; the transfer clears the token’s agentWallet.',
  body,
  status: 202,
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: HandOverAgentDeps & ReadAgentDeps }) => async (call) => {
    const { address } = parseInput(body, call.body)
    const principal = callerOf(call, 'session')
    const input = { id: call.params.id ?? '', principal, address, now: call.now }
    const id = await handOverAgent(parts.agents, input)
    const agent = await readAgent(parts.agents, { id, principal, now: call.now })
    return { status: 202, body: { success: true, agent } }
  },
})
