import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { apiError } from '../../errors.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { DirectoryStore } from '../../store/agents/directoryStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import { listTerms } from '../directory/listTerms.ts'
import type { Principal } from '../principal.ts'
import { type Expectation, requireExpected } from '../requireExpected.ts'
import { type AgentPatch, applyAgentPatch } from './applyAgentPatch.ts'
import { buildAgentRecord } from './buildAgentRecord.ts'
import {
  type CommitRegistrationFileDeps,
  commitRegistrationFile,
} from './registrationFile/commitRegistrationFile.ts'
import { type RequireWriteAccessDeps, requireWriteAccess } from './requireWriteAccess.ts'
import { type ViewAgentDeps, viewAgent } from './viewAgent.ts'

export type UpdateAgentDeps = CommitRegistrationFileDeps &
  RequireWriteAccessDeps &
  ViewAgentDeps & {
    directory: Pick<DirectoryStore, 'put'>
    publishFile(svcId: string): Promise<void>
    onAgentChanged(svcId: string): void
    writeAs: WriteAs
  }

export type UpdateAgentInput = {
  id: string
  principal: Principal
  patch: AgentPatch
  isExpected: Expectation
  now: number
}

/**
 * Changes the mutable fields of an agent; its registration file and the commitment to it follow.
 *
 * A patch without effect records nothing.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner, INVALID_STATE for a retired agent, pdlss_immutable,
 * VALIDATION_ERROR, PRECONDITION_FAILED. Source: `Spec: PATCH on an agent`.
 */
export async function updateAgent(deps: UpdateAgentDeps, input: UpdateAgentInput) {
  const found = await deps.agents.byAnyId(input.id)
  if (!found) throw apiError('NOT_FOUND')
  requireWriteAccess(deps, input.principal, found, input.now)
  const writer = { principal: input.principal, ownerId: found.ownerId }
  const agent = await deps.writeAs(writer, [`agent ${found.svcId}`], async (trx) => {
    const before = (await deps.agents.bySvcId(found.svcId, trx)) ?? found
    if (before.status === 'retired') throw apiError('INVALID_STATE')
    requireExpected(input.isExpected, 'agent', { ...before, ...before.declarations })
    const patched = applyAgentPatch(before, input.patch)
    const changed = listChangedFields(before, patched)
    if (changed.length === 0) return before
    const after = { ...before, ...patched, updatedAt: input.now }
    await deps.agents.update(trx, before.svcId, { ...patched, updatedAt: input.now })
    if (after.isListed) await deps.directory.put(trx, before.svcId, listTerms(after))
    await deps.records.append(trx, buildUpdatedRecord(deps, after, changed, input.now))
    await commitRegistrationFile(deps, trx, after, input.now)
    return after
  })
  deps.onAgentChanged(agent.svcId)
  await deps.publishFile(agent.svcId)
  const current = (await deps.agents.bySvcId(agent.svcId)) ?? agent
  return viewAgent(deps, current, { viewer: 'owner', now: input.now })
}

function listChangedFields(before: AgentRow, patched: Partial<AgentRow>): string[] {
  const isChanged = (field: string) =>
    canonicaliseJson(patched[field as keyof AgentRow]) !== canonicaliseJson(before[field as keyof AgentRow])
  return Object.keys(patched).filter(isChanged)
}

function buildUpdatedRecord(deps: UpdateAgentDeps, agent: AgentRow, changed: string[], now: number) {
  const { name, description, image, protocols, declarations } = agent
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.updated',
      eventData: { changed },
      inputs: { name, description, image, protocols, declarations },
    },
    { now, randomBytes: deps.settings.randomBytes },
  )
}
