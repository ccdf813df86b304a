import { PROTOCOLS, type Protocol } from '@svc/core/commerce/protocols.ts'
import { z } from 'zod'
import { parseInput } from '../middleware/parseInput.ts'
import { type AgentPatch, IMMUTABLE_FIELDS } from '../services/agents/agentPatch.ts'
import { agentSchemas } from './agentSchemas.ts'
import type { Operation } from './operation.ts'

const blocks = Object.fromEntries(
  PROTOCOLS.map((protocol) => [protocol, agentSchemas.blockPatch.nullish()]),
) as Record<Protocol, z.ZodOptional<z.ZodNullable<typeof agentSchemas.blockPatch>>>

const body = z.object({
  name: agentSchemas.name.optional(),
  description: agentSchemas.description.nullish(),
  image: agentSchemas.url.nullish(),
  protocols: agentSchemas.protocols.nullish(),
  ...blocks,
})

/** Source: `Spec: PATCH on an agent`; api.md "Agents". */
export const patchAgent: Operation = {
  summary: 'Changes an agent by merge patch; its boundary and what was said of its making never change.',
  body,
  answer: z.object({ success: z.literal(true), agent: agentSchemas.agent }),
  errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'pdlss_immutable'],
  handle: (services) => async (call) => {
    const patch = patchOf(parseInput(body, call.body), call.body)
    const { principal, now } = call
    const agent = await services.agents.update({ id: call.params.id ?? '', principal, patch, now })
    return { body: { success: true, agent } }
  },
}

/** The immutable fields are taken as they came: whatever they hold, they are refused or the same as before. */
function patchOf(parsed: z.output<typeof body>, sent: unknown): AgentPatch {
  const { name, description, image, protocols } = parsed
  const pick = (source: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(source).filter(([field]) => names.includes(field)))
  return {
    ...{ name, description, image, protocols },
    declarations: pick(parsed, PROTOCOLS),
    immutable: pick(Object(sent), IMMUTABLE_FIELDS),
  }
}
