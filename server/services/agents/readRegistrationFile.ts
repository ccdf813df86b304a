import { sha256Hex } from '@svc/core/hash.ts'
import { isAgentIdentifier } from '@svc/core/ids/isAgentIdentifier.ts'
import { apiError } from '../../errors.ts'
import type { RegistrationFiles } from '../../external/registrationFiles.ts'
import type { AgentStore } from '../../store/agentStore.ts'

export type ReadRegistrationFileDeps = {
  agents: AgentStore
  files: RegistrationFiles
  publishFile(svcId: string): Promise<void>
}

/**
 * The bytes of an agent's registration file, exactly those its stored hash is of.
 *
 * A file that is missing or differs, because the process was killed between commit and write, is written again first.
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
  const stored = await deps.files.read(svcId)
  if (stored && sha256Hex(stored) === agent.registrationFileHash) return stored
  await deps.publishFile(svcId)
  const written = await deps.files.read(svcId)
  if (!written) throw apiError('NOT_FOUND')
  return written
}
