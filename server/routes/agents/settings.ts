import { agentOperations, putAgentSettingsBody } from '@svc/core/contract/agents.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type ChangeAgentSettingsDeps,
  changeAgentSettings,
} from '../../services/agents/changeAgentSettings.ts'
import { type ReadAgentSettingsDeps, readAgentSettings } from '../../services/agents/readAgentSettings.ts'
import type { AgentSettings } from '../../services/agents/showAgentSettings.ts'
import { tagSettings } from '../../services/tagSettings.ts'
import { callerOf } from '../border/callerOf.ts'
import { readIfMatch } from '../border/readIfMatch.ts'
import { operation } from '../operation.ts'

export const getAgentSettings = operation({
  summary: 'Returns what requests of an agent have to prove and to state.',
  answer: agentOperations['GET /api/agents/:id/settings'].answer,
  isTagged: true,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ReadAgentSettingsDeps }) => async (call) => {
    const id = call.params.id ?? ''
    const settings = await readAgentSettings(parts.agents, { id, principal: callerOf(call, 'session') })
    return tag(settings)
  },
})

export const putAgentSettings = operation({
  summary:
    'Changes what requests of an agent have to prove and to state; settings left out stay as they are.',
  body: agentOperations['PUT /api/agents/:id/settings'].body,
  answer: agentOperations['PUT /api/agents/:id/settings'].answer,
  isTagged: true,
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: ChangeAgentSettingsDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const changes = parseInput(putAgentSettingsBody, call.body)
    const id = call.params.id ?? ''
    const isExpected = readIfMatch(call)
    const input = { id, principal, changes, isExpected, now: call.now }
    return tag(await changeAgentSettings(parts.agents, input))
  },
})

function tag(settings: AgentSettings) {
  const headers = { ETag: tagSettings('agentRequirements', settings) }
  return { headers, body: { success: true, ...settings } as const }
}
