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
 * Writes the registration file of an agent as it is stored now.
 *
 * Calls for one agent run one after the other and each reads the row anew, so that of two changes at once the later
 * one's file stays.
 *
 * It comes after the commit of what it follows, which is true whether the file can be written or not: a failure is told to
 * the operator alone. Nothing else needs the file, and whoever asks for it is answered from the row.
 *
 * Source: onchain.md "Registration file".
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
