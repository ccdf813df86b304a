import { z } from 'zod'
import { agentSchemas } from './agents.ts'
import { pageAnswer } from './envelope.ts'

const { shape } = agentSchemas.agent

/** An agent that its owner wants to be found. */
const directoryEntry = z.object({
  svcId: shape.svcId,
  name: shape.name,
  description: shape.description,
  image: shape.image,
  protocols: shape.protocols,
  trustScore: shape.trustScore,
  onChainIdentity: shape.onChainIdentity,
  skills: z.array(z.object({ id: z.string(), name: z.string() })).describe('Of its A2A declaration'),
  services: z
    .array(z.object({ name: z.string(), endpoint: z.string() }))
    .describe('As in its registration file: only those that the agent states'),
  agentCardUrl: shape.agentCardUrl,
  registrationFileUrl: shape.registrationFileUrl,
})

/** Request and response schemas of the operations, by method and path. */
export const directoryOperations = {
  'GET /api/directory': { answer: pageAnswer(directoryEntry) },
} as const
