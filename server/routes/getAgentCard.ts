import { z } from 'zod'
import type { Operation } from './operation.ts'

/** The members that this registry and A2A 1.0 promise; a card may hold more. */
const card = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
  ),
  capabilities: z.looseObject({}),
  skills: z.array(z.looseObject({})),
  svcId: z.string(),
  verificationEndpoint: z.string(),
  runtimeChallengeSupported: z.boolean(),
  pdlss: z.looseObject({ declared: z.array(z.string()), hash: z.string() }),
  onChainIdentity: z.object({ agentId: z.number(), agentRegistry: z.string() }).nullable(),
})

/** Source: api.md "Agent card"; A2A 1.0 §8. */
export const getAgentCard: Operation = {
  summary: 'Serves the card of an agent; only the owner’s holds the boundary itself.',
  answer: card,
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { params, principal } = call
    return { body: await services.agents.card({ id: params.id ?? params.svcId ?? '', principal }) }
  },
}
