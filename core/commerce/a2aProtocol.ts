import { z } from 'zod'
import type { CommerceProtocol } from './commerceProtocol.ts'
import { declarationParts } from './declarationParts.ts'

const { text, url, texts, name, block } = declarationParts

const skill = z.looseObject({ id: text, name: text, description: text, tags: texts.optional() })

const declaration = block({
  agentUrl: url.describe('Where the agent is reached; the challenge URL where it is left out.'),
  version: text.optional().describe('Version of the agent.'),
  transport: name(['JSONRPC', 'GRPC', 'HTTP+JSON']).optional().describe('How the URL is spoken to.'),
  skills: z.array(skill).min(1).max(100).describe('What the agent can do; at least one.'),
  provider: z
    .looseObject({ organization: text.optional(), url: url.optional() })
    .optional()
    .describe('Who offers the agent.'),
  securitySchemes: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('How callers authenticate, by name; OpenAPI or A2A 1.0.'),
})

/**
 * Agent2Agent. It does not affect the boundary; `prefillAgentUrl` fills in its URL.
 *
 * Source: Spec: Commerce protocol declarations; A2A 1.0 §4.4.
 */
export const a2aProtocol = { declaration, prefill: () => ({}) } satisfies CommerceProtocol<typeof declaration>
