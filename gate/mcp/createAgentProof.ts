import { existsSync } from 'node:fs'
import { createIntentProof } from '@svc/client/agent/createIntentProof.ts'
import { openAgentKey } from '@svc/client/agent/openAgentKey.ts'
import type { VerificationFields } from '@svc/client/gateway/verificationFields.ts'
import { SettingsError } from '../settings/settingsError.ts'
import type { ServerCommand } from './mcpSettings.ts'

/** Returns how a call identifies its agent, as members of `_meta`. */
export type ProveCall = (fields: VerificationFields) => Promise<Readonly<Record<string, string>>>

/**
 * Creates the proofs of the agent that the settings name: an intent proof for each call, with all facts of the call, or only
 * the agent's name if there is no key. Undefined if the settings name no agent.
 *
 * @param audience The endpoint.
 * @throws SettingsError if the key file does not exist; a generated key would not be the agent's.
 */
export async function createAgentProof(
  { agentId, agentKeyFile }: Pick<ServerCommand, 'agentId' | 'agentKeyFile'>,
  audience: string,
): Promise<ProveCall | undefined> {
  if (agentId === undefined) return undefined
  const named = { 'X-Svc-Id': agentId }
  if (agentKeyFile === undefined) return async () => named
  if (!existsSync(agentKeyFile)) throw new SettingsError(`agent-key-file: ${agentKeyFile} does not exist.`)
  const key = await openAgentKey(agentKeyFile).catch((error: Error) => {
    throw new SettingsError(`agent-key-file: ${error.message}`)
  })
  return async ({ purpose, resource, transactionValue: amount, currency, attemptId }) => ({
    ...named,
    'X-Svc-Proof': await createIntentProof(key, {
      ...{ agentId, audience, purpose, resource, amount, currency, attemptId },
    }),
  })
}
