import { sha256Hex } from '@svc/core/hash.ts'
import { isAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { apiError } from '../../../errors.ts'
import type { RegistrationFiles } from '../../../external/registrationFiles.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import { registrationFileOf } from './registrationFileOf.ts'

export type ReadRegistrationFileDeps = {
  agents: Pick<AgentStore, 'bySvcId'>
  files: Pick<RegistrationFiles, 'read'>
  publishFile(svcId: string): Promise<void>
  publicUrl: string
}

/**
 * Returns the bytes of an agent's registration file, exactly those that its stored hash covers.
 *
 * A missing or different file, left by a process killed between commit and write or by an unwritable folder, is rewritten
 * first. The response is built from the row, so that a missing folder delays no request.
 *
 * @throws ApiError NOT_FOUND.
 */
export async function readRegistrationFile(
  deps: ReadRegistrationFileDeps,
  input: { svcId: string },
): Promise<Buffer> {
  const { svcId } = input
  const agent = isAgentIdentifier(svcId) ? await deps.agents.bySvcId(svcId) : null
  if (!agent || agent.registrationFileHash === null) throw apiError('NOT_FOUND')
  // The reason is reported if writing fails too.
  const stored = await deps.files.read(svcId).catch(() => null)
  if (stored && sha256Hex(stored) === agent.registrationFileHash) return stored
  await deps.publishFile(svcId)
  return Buffer.from(registrationFileOf(agent, deps.publicUrl).text)
}
