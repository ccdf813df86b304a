import type { RegistrationFiles } from '../../../external/registrationFiles.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import { createKeyedQueue } from '../../createKeyedQueue.ts'
import { registrationFileOf } from './registrationFileOf.ts'

export type PublishRegistrationFileDeps = {
  agents: Pick<AgentStore, 'bySvcId'>
  files: Pick<RegistrationFiles, 'write'>
  publicUrl: string
  log: { error(fields: object, message: string): void }
}

/**
 * Creates the function that writes an agent's registration file from its stored row.
 *
 * Calls for one agent run in order and each rereads the row, so that of two concurrent changes the later file remains.
 *
 * The file is written after the commit that it reflects. A failure is therefore only reported to the operator: nothing else
 * needs the file, and requests for it are answered from the row.
 */
export function createPublishRegistrationFile(deps: PublishRegistrationFileDeps) {
  const serialize = createKeyedQueue()
  const write = async (svcId: string): Promise<void> => {
    try {
      const agent = await deps.agents.bySvcId(svcId)
      if (agent) await deps.files.write(svcId, registrationFileOf(agent, deps.publicUrl).text)
    } catch (err) {
      deps.log.error({ err, svcId }, 'a registration file could not be written')
    }
  }
  return (svcId: string): Promise<void> => serialize(svcId, () => write(svcId))
}
