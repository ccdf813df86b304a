import { BLOCKS, PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillAgentUrl, prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { postAgentsRegisterBody } from '@svc/core/contract/agentRegistration.ts'
import { createMisspeltFinder } from '@svc/core/createMisspeltFinder.ts'
import { escapePointerToken } from '@svc/core/json.ts'
import { type Pdlss, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import type { z } from 'zod'
import { validationError } from '../../errors.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { AgentRegistration } from '../../services/agents/registration/agentRegistration.ts'
import { requireNormalEns } from './requireNormalEns.ts'

const findMisspelt = createMisspeltFinder(Object.keys(postAgentsRegisterBody.shape))

/**
 * Reads the body that registers an agent, with what its declarations imply.
 *
 * Unknown members are ignored, but not those that are probably misspelt: without its `pdlss` an agent would have no
 * boundary, without its `parentAgentId` not that of its parent, and neither can be added later.
 *
 * A block also declares its protocol: older clients do not send `protocols`.
 *
 * @throws ApiError VALIDATION_ERROR. Source: `Spec: Versioning`; `Spec: Commerce protocol declarations`.
 */
export function readAgentRegistration(body: unknown): AgentRegistration {
  refuseMisspelt(body)
  const parsed = parseInput(postAgentsRegisterBody, withAgentUrl(body))
  requireNormalEns(parsed.names)
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

function refuseMisspelt(body: unknown): void {
  const misspelt = findMisspelt(body)
  if (misspelt === undefined) return
  throw validationError(
    misspelt.map(({ name, meant }) => ({
      pointer: `/${escapePointerToken(name)}`,
      code: 'unknown_key',
      message: `unknown field; ${meant} was probably meant`,
    })),
  )
}

/** Leaves a body that is not an object or has no A2A block unchanged, for the schema to validate. */
function withAgentUrl(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('a2a' in sent)) return sent
  return { ...sent, a2a: prefillAgentUrl(sent.a2a, 'apiEndpoint' in sent ? sent.apiEndpoint : undefined) }
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
