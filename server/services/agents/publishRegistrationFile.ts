import type { RegistrationFiles } from '../../external/registrationFiles.ts'
import type { AgentStore } from '../../store/agentStore.ts'
import { createInTurn } from '../inTurn.ts'
import { registrationFileOf } from './registrationFileOf.ts'

export type PublishRegistrationFileDeps = { agents: AgentStore; files: RegistrationFiles; publicUrl: string }

/**
 * Writes the registration file of an agent as it is stored now.
 *
 * Calls for one agent run one after the other and each reads the row anew, so that of two changes at once the later
 * one's file stays.
 *
 * Source: onchain.md "Registration file".
 */
export function createPublishRegistrationFile(deps: PublishRegistrationFileDeps) {
  const inTurn = createInTurn()
  const write = async (svcId: string): Promise<void> => {
    const agent = await deps.agents.bySvcId(svcId)
    if (agent) await deps.files.write(svcId, registrationFileOf(agent, deps.publicUrl).text)
  }
  return (svcId: string): Promise<void> => inTurn(svcId, () => write(svcId))
}
