import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { writeForeignName } from '@svc/core/foreign/foreignName.ts'
import { apiError } from '../../errors.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { NamedAgent } from '../../store/agents/credentialStore.ts'
import type { VerifiableAgent } from '../verification/verifiableAgent.ts'
import type { VerificationDeps } from '../verification/verificationDeps.ts'
import { buildVisitingAgent } from './buildVisitingAgent.ts'
import type { ForeignReader } from './createForeignReader.ts'
import type { TokenReading } from './foreignAgent.ts'

export type RecogniseForeignDeps = {
  reader: ForeignReader
  agentBySvcId(svcId: string): Promise<VerifiableAgent | null> | VerifiableAgent | null
  agentByCredential(lookupKey: string): Promise<NamedAgent | null> | NamedAgent | null
  visitingAgent(row: AgentRow, accounts: readonly string[]): Promise<VerifiableAgent>
  /** Ends the adoption of an agent whose token has another owner. */
  endAdoption(ended: { svcId: string; newOwner: string; block: number; now: number }): Promise<void>
}

/** Creates what verify-access needs to know about agents of other registries. */
export function recogniseForeign(deps: RecogniseForeignDeps): VerificationDeps['foreign'] {
  return {
    async visit(name, now) {
      const reading = await deps.reader.read(name, now)
      if (!reading.ok) return reading.fault
      // Adopted while the token and its file were read: then the owner's boundary applies.
      const lookupKey = deriveCredentialLookupKey('erc8004', writeForeignName(name))
      if (lookupKey !== null && (await deps.agentByCredential(lookupKey))) return 'adopted'
      return deps.visitingAgent(buildVisitingAgent(reading.agent, now), accountsOf(reading.agent.state))
    },

    async confirm(agent, now) {
      if (agent.adopted === null) return agent
      const { name, owner, adoptedBlock } = agent.adopted
      const isOutdated = (state: TokenReading) =>
        state !== null && state !== 'untrusted' && state.owner !== owner && state.block <= adoptedBlock
      let state = await deps.reader.readToken(name, now)
      // Read before the adoption: the owner that it names may be the former one.
      if (isOutdated(state)) state = await deps.reader.readToken(name, now, { isFresh: true })
      if (isOutdated(state)) throw apiError('CHAIN_UNAVAILABLE', { detail: 'the node is behind an adoption' })
      if (state === 'untrusted') return 'registry_not_trusted'
      // Ends with the transfer that burns the token: a registry may refuse to answer for other reasons.
      if (state === null) return 'no_such_token'
      if (state.owner === owner) return { ...agent, accounts: accountsOf(state) }
      const { owner: newOwner, block } = state
      await deps.endAdoption({ svcId: agent.svcId, newOwner, block, now })
      const ended = await deps.agentBySvcId(agent.svcId)
      return ended && { ...ended, adopted: null, accounts: [] }
    },
  }
}

function accountsOf({ owner, wallet }: { owner: string; wallet: string | null }): string[] {
  return wallet === null ? [owner] : [owner, wallet]
}
