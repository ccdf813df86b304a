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
 * The bytes of an agent's registration file, exactly those its stored hash is of.
 *
 * A file that is missing or differs, because the process was killed between commit and write or the folder could not be
 * written, is written again first. What is answered then is made of the row, so that a folder that is gone holds nobody up.
 *
 * @throws ApiError NOT_FOUND.
 * Source: api.md "Agents"; onchain.md "Registration file".
 */
export async function readRegistrationFile(
  deps: ReadRegistrationFileDeps,
  input: { svcId: string },
): Promise<Buffer> {
  const { svcId } = input
  const agent = isAgentIdentifier(svcId) ? await deps.agents.bySvcId(svcId) : null
  if (!agent || agent.registrationFileHash === null) throw apiError('NOT_FOUND')
  // Why it cannot be read is told when it cannot be written either.
  const stored = await deps.files.read(svcId).catch(() => null)
  if (stored && sha256Hex(stored) === agent.registrationFileHash) return stored
  await deps.publishFile(svcId)
  return Buffer.from(registrationFileOf(agent, deps.publicUrl).text)
}
