import { BLOCKS, PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillAgentUrl, prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { agentRegistrationOperations, postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { z } from 'zod'
import { apiError, validationError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { AgentRegistration } from '../../services/agents/registration/agentRegistration.ts'
import { type RegisterAgentDeps, registerAgent } from '../../services/agents/registration/registerAgent.ts'
import {
  type RequestRegistrationByKeyDeps,
  requestRegistrationByKey,
  requireVerifiedDeveloper,
} from '../../services/registrationRequests/requestRegistrationByKey.ts'
import { operation } from '../operation.ts'

/** Source: `Spec: POST /api/agents/register`. */
export const postAgentsRegister = operation({
  summary:
    'Registers an agent: immediately if its owner signed the request, or once the owner approves a request made with an API key.',
  body: agentRegistrationOperations['POST /api/agents/register'].body,
  status: 201,
  answer: agentRegistrationOperations['POST /api/agents/register'].answer,
  otherStatuses: {
    202: {
      when: 'The request came with an API key, and the owner has been asked to approve it',
      answer: z.object({
        success: z.literal(true),
        status: z.literal('pending_approval'),
        requestId: z.string(),
        pollUrl: z.string(),
      }),
    },
  },
  errors: [
    'VALIDATION_ERROR',
    'invalid_signature',
    'signature_expired',
    'nonce_reused',
    'KYD_REQUIRED',
    'SUB_AGENT_REFUSED',
    'INVALID_STATE',
    'KEY_TAKEN',
    'CHAIN_UNAVAILABLE',
  ],
  repeatable: true,
  // The signed consent covers an identifier derived from the nonce, and a retry needs a new nonce.
  repeatableApartFrom: ['onChain'],
  handle:
    (parts: { registrations: RequestRegistrationByKeyDeps; agents: RegisterAgentDeps }) => async (call) => {
      const { principal, ip, now } = call
      if (principal.kind !== 'signature' && principal.kind !== 'apiKey') throw apiError('UNAUTHENTICATED')
      // Checked before the body, because no body would make this API key acceptable.
      if (principal.kind === 'apiKey') await requireVerifiedDeveloper(parts.registrations, principal)
      const registration = registrationOf(parseInput(postAgentsRegisterBody, withAgentUrl(call.body)))
      if (principal.kind === 'apiKey') {
        const requestId = await call.once(() =>
          requestRegistrationByKey(parts.registrations, {
            principal,
            registration,
            now,
          }),
        )
        const pollUrl = `/api/agents/request-registration/${requestId}`
        return {
          status: 202,
          body: { success: true, status: 'pending_approval' as const, requestId, pollUrl },
        }
      }
      const agent = await registerAgent(parts.agents, { principal, registration, ip, now, once: call.once })
      return { status: 201, body: { success: true, data: { agent } } }
    },
})

/** Leaves a body that is not an object or has no A2A block unchanged, for the schema to validate. */
function withAgentUrl(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('a2a' in sent)) return sent
  return { ...sent, a2a: prefillAgentUrl(sent.a2a, 'apiEndpoint' in sent ? sent.apiEndpoint : undefined) }
}

/** A block also declares its protocol: older clients do not send `protocols`. Source: `Spec: Versioning`. */
function registrationOf(parsed: z.output<typeof postAgentsRegisterBody>): AgentRegistration {
  const declared = PROTOCOLS.filter((protocol) => parsed[protocol])
  const { onChain: consent } = parsed
  const protocols = [...new Set([...(parsed.protocols ?? []), ...declared])]
  return {
    name: parsed.name,
    description: parsed.description ?? null,
    agentType: parsed.agentType ?? null,
    apiEndpoint: parsed.apiEndpoint ?? null,
    image: parsed.image ?? null,
    model: parsed.model ?? null,
    framework: parsed.framework ?? null,
    protocols,
    declarations: Object.fromEntries(BLOCKS.flatMap((name) => (parsed[name] ? [[name, parsed[name]]] : []))),
    pdlss: boundaryOf(parsed, protocols),
    parentAgentId: parsed.parentAgentId ?? null,
    keys: parsed.keys ?? [],
    onChain: consent ? { deadline: String(consent.deadline), signature: consent.signature } : null,
  }
}

/**
 * The boundary, completed from the declarations. Lists to which several declarations add may exceed their maximum length,
 * which is rejected rather than truncated.
 */
function boundaryOf(parsed: z.output<typeof postAgentsRegisterBody>, protocols: readonly Protocol[]): Pdlss {
  const declared = protocols.flatMap((protocol) =>
    parsed[protocol] ? [[protocol, parsed[protocol]] as const] : [],
  )
  const boundary = parsePdlss(prefillPdlss(parsed.pdlss ?? {}, declared), 'agent')
  if (boundary.ok) return boundary.pdlss
  throw validationError(boundary.errors.map((error) => ({ ...error, pointer: `/pdlss${error.pointer}` })))
}
