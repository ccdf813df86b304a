import { sha256Hex } from '@svc/core/hash.ts'
import type { RegistrationFiles } from '../../../external/registrationFiles.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import { registrationFileOf } from './registrationFileOf.ts'

export type RefreshRegistrationFileDeps = {
  agents: Pick<AgentStore, 'bySvcId'>
  files: Pick<RegistrationFiles, 'read'>
  publishFile(svcId: string): Promise<void>
  publicUrl: string
}

/**
 * Rewrites the registration file of an agent in this process's folder if the agent has changed since it was written, by
 * whichever process. A folder without the file stays without it, and the file of an unknown agent is not ours to change.
 */
export async function refreshRegistrationFile(
  deps: RefreshRegistrationFileDeps,
  { svcId }: { svcId: string },
): Promise<void> {
  const stored = await deps.files.read(svcId)
  const agent = stored && (await deps.agents.bySvcId(svcId))
  if (!stored || !agent || sha256Hex(stored) === agent.registrationFileHash) return
  // The hash is that of another text until the agent has been moved to the present PUBLIC_URL.
  if (stored.toString() !== registrationFileOf(agent, deps.publicUrl).text) await deps.publishFile(svcId)
}
