import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { BLOCKS, type Block, PROTOCOLS, type Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillAgentUrl } from '@svc/core/commerce/prefillPdlss.ts'
import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import { IMMUTABLE_FIELDS } from '@svc/core/contract/agents.ts'
import { parseWith } from '@svc/core/fieldErrors.ts'
import { isDeeperThan } from '@svc/core/json.ts'
import { apiError, validationError } from '../../errors.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import { mergePatch } from '../mergePatch.ts'

/** The fields of a row that a patch can change. */
type Patched = Pick<AgentRow, 'name' | 'description' | 'image' | 'protocols' | 'declarations'>

/**
 * Applies a merge patch to an agent.
 *
 * An immutable field with its current value is ignored, so that a client can send back what it read. A block implies its
 * protocol; removing a protocol from the list removes its block.
 *
 * @throws ApiError pdlss_immutable with a pointer for each field, VALIDATION_ERROR. Source: RFC 7396; `Spec: PATCH on an
 * agent`.
 */
export function applyAgentPatch(agent: AgentRow, patch: AgentPatch): Patched {
  refuseImmutable(agent, patch)
  const declarations = patchDeclarations(agent, patch)
  const listed = patch.protocols === undefined ? agent.protocols : (patch.protocols ?? [])
  return {
    name: patch.name ?? agent.name,
    description: patch.description === undefined ? agent.description : patch.description,
    image: patch.image === undefined ? agent.image : patch.image,
    protocols: [...new Set([...listed, ...PROTOCOLS.filter((protocol) => protocol in declarations)])],
    declarations,
  }
}

function refuseImmutable(agent: AgentRow, { immutable }: AgentPatch): void {
  const changed = IMMUTABLE_FIELDS.filter(
    (field) => field in immutable && !isSame(immutable[field] ?? null, agent[field]),
  )
  if (changed.length === 0) return
  throw apiError('pdlss_immutable', {
    errors: changed.map((field) => ({
      pointer: `/${field}`,
      code: 'immutable',
      message: 'never changes after registration; retire the agent and register a new one',
    })),
  })
}

/** Bounds the nesting before canonicalisation, which recurses; nothing that is stored is nested this deep. */
function isSame(sent: unknown, stored: unknown): boolean {
  return !isDeeperThan(sent, 16) && canonicaliseJson(sent) === canonicaliseJson(stored)
}

function patchDeclarations(agent: AgentRow, patch: AgentPatch): AgentRow['declarations'] {
  const declarations: AgentRow['declarations'] = {}
  const dropped =
    patch.protocols === undefined ? [] : PROTOCOLS.filter((protocol) => !patch.protocols?.includes(protocol))
  for (const name of BLOCKS) {
    const change = patch.declarations[name]
    const kept = dropped.some((protocol) => protocol === name) ? undefined : agent.declarations[name]
    if (change === undefined) {
      // An untouched block is not validated again, because today's rules may be stricter than those it was stored under.
      if (kept !== undefined) declarations[name] = kept
      continue
    }
    const merged = mergePatch(kept, change)
    if (merged === undefined || merged === null) continue
    // A URL that the patch removes is reported as missing instead of being filled in.
    const isFilled = name === 'a2a' && change !== null && !('agentUrl' in change)
    const filled = isFilled ? prefillAgentUrl(merged, agent.apiEndpoint) : merged
    const parsed = parseWith(protocolDeclarations[name], filled)
    if (!parsed.ok) {
      throw validationError(parsed.errors.map((e) => ({ ...e, pointer: `/${name}${e.pointer}` })))
    }
    declarations[name] = parsed.value
  }
  return declarations
}

/** A merge patch of an agent: absent members stay, null removes a member. Source: RFC 7396. */
export type AgentPatch = {
  name?: string | undefined
  description?: string | null | undefined
  image?: string | null | undefined
  protocols?: Protocol[] | null | undefined
  /** Patches of the declared blocks; each is merged into the stored one. */
  declarations: Partial<Record<Block, Record<string, unknown> | null>>
  /** The immutable fields in the patch, as received. */
  immutable: Partial<Record<(typeof IMMUTABLE_FIELDS)[number], unknown>>
}
