import { z } from 'zod'
import { declarationParts } from './declarationParts.ts'
import { defineProtocol } from './defineProtocol.ts'

const { text, url, texts, name, block } = declarationParts

/** A2A also requires a description and tags; the card of an agent without them has empty ones. */
const skill = z.looseObject({
  id: text,
  name: text,
  description: text.optional(),
  tags: texts.optional(),
})

const declaration = block({
  agentUrl: url.describe('URL of the agent; defaults to the challenge URL.'),
  version: text.optional().describe('Version of the agent.'),
  transport: name(['JSONRPC', 'GRPC', 'HTTP+JSON']).optional().describe('Transport protocol of the URL.'),
  skills: z
    .array(skill)
    .min(1)
    .max(100)
    .describe('Skills of the agent, each with `id` and `name`; at least one.'),
  provider: z
    .looseObject({ organization: text.optional(), url: url.optional() })
    .optional()
    .describe('Provider of the agent.'),
  securitySchemes: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Authentication schemes by name, as in OpenAPI or A2A 1.0.'),
})

/**
 * Agent2Agent. It does not affect the boundary; `prefillAgentUrl` fills in its URL.
 *
 * Source: Spec: Commerce protocol declarations; A2A 1.0 §4.4.
 */
export const a2aProtocol = defineProtocol({ declaration, confidential: [] })
