import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import { PROTOCOLS } from '@svc/core/commerce/protocols.ts'
import { agentPdlssSchema } from '@svc/core/pdlss/pdlss.ts'
import { z } from 'zod'
import { apiError } from '../errors.ts'
import { parseInput } from '../middleware/parseInput.ts'
import type { AgentRegistration } from '../services/agents/agentRegistration.ts'
import { agentSchemas } from './agentSchemas.ts'
import type { Operation } from './operation.ts'

const hexBytes = z
  .templateLiteral(['0x', z.string()])
  .check(z.regex(/^0x([0-9a-fA-F]{2}){1,2048}$/, 'expected bytes in hexadecimal with 0x'))

const onChain = z.object({
  deadline: z.union([z.int().min(0), z.string().regex(/^\d{1,77}$/, 'expected Unix seconds')]),
  signature: hexBytes,
})

const blocks = Object.fromEntries(
  PROTOCOLS.map((protocol) => [protocol, protocolDeclarations[protocol].nullish()]),
) as { [P in (typeof PROTOCOLS)[number]]: z.ZodOptional<z.ZodNullable<(typeof protocolDeclarations)[P]>> }

const body = z.object({
  name: agentSchemas.name,
  description: agentSchemas.description.nullish(),
  agentType: agentSchemas.agentType.nullish(),
  apiEndpoint: agentSchemas.url.nullish(),
  image: agentSchemas.url.nullish(),
  model: agentSchemas.model.nullish(),
  framework: agentSchemas.framework.nullish(),
  protocols: agentSchemas.protocols.nullish(),
  pdlss: agentPdlssSchema.nullish(),
  onChain: onChain.nullish(),
  parentAgentId: agentSchemas.agentId
    .nullish()
    .describe('Agent of the same owner whose sub-agent this becomes'),
  ...blocks,
})

/** Source: `Spec: POST /api/agents/register`; api.md "Agents". */
export const postAgentsRegister: Operation = {
  summary: 'Registers an agent by its owner’s signature, at once; by API key the owner is asked first (202).',
  body,
  status: 201,
  answer: z.union([
    z.object({
      success: z.literal(true),
      data: z.object({
        agent: z.object({
          kyaAgentId: z.string(),
          svcId: z.string(),
          trustScore: z.number(),
          name: z.string(),
          agentStatus: z.string(),
          blockchainStatus: z.string(),
          agentCardUrl: z.string(),
          registrationFileUrl: z.string(),
        }),
      }),
    }),
    z.object({
      success: z.literal(true),
      status: z.literal('pending_approval'),
      requestId: z.string(),
      pollUrl: z.string(),
    }),
  ]),
  errors: [
    'VALIDATION_ERROR',
    'invalid_signature',
    'signature_expired',
    'nonce_reused',
    'KYD_REQUIRED',
    'SUB_AGENT_REFUSED',
    'INVALID_STATE',
    'CHAIN_UNAVAILABLE',
  ],
  repeatable: true,
  handle: (services) => async (call) => {
    const { principal, now } = call
    if (principal.kind !== 'signature' && principal.kind !== 'apiKey') throw apiError('UNAUTHENTICATED')
    const registration = registrationOf(parseInput(body, call.body))
    if (principal.kind === 'apiKey') {
      const requestId = await services.registrationRequests.askByKey({ principal, registration, now })
      const pollUrl = `/api/agents/request-registration/${requestId}`
      return { status: 202, body: { success: true, status: 'pending_approval', requestId, pollUrl } }
    }
    const agent = await services.agents.register({ principal, registration, now })
    return { status: 201, body: { success: true, data: { agent } } }
  },
}

/** A block declares its protocol, as clients from before `protocols` do. Source: `Spec: Versioning`, registration client. */
function registrationOf(parsed: z.output<typeof body>): AgentRegistration {
  const declared = PROTOCOLS.filter((protocol) => parsed[protocol])
  const { onChain: consent } = parsed
  return {
    name: parsed.name,
    description: parsed.description ?? null,
    agentType: parsed.agentType ?? null,
    apiEndpoint: parsed.apiEndpoint ?? null,
    image: parsed.image ?? null,
    model: parsed.model ?? null,
    framework: parsed.framework ?? null,
    protocols: [...new Set([...(parsed.protocols ?? []), ...declared])],
    declarations: Object.fromEntries(declared.map((protocol) => [protocol, parsed[protocol] ?? {}])),
    pdlss: parsed.pdlss ?? {},
    parentAgentId: parsed.parentAgentId ?? null,
    onChain: consent ? { deadline: String(consent.deadline), signature: consent.signature } : null,
  }
}
