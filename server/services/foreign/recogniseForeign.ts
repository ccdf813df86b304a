import { deriveCredentialLookupKey } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { writeForeignName } from '@svc/core/foreign/foreignName.ts'
import { apiError } from '../../errors.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { NamedAgent } from '../../store/agents/credentialStore.ts'
import type { VerifiableAgent } from '../verification/parties/verifiableAgent.ts'
import type { VerificationDeps } from '../verification/verificationDeps.ts'
import { buildVisitingAgent } from './buildVisitingAgent.ts'
import type { WalletReading } from './changeWallet.ts'
import { compareToken } from './compareToken.ts'
import type { ForeignReader } from './createForeignReader.ts'
import type { TokenReading } from './foreignAgent.ts'

export type RecogniseForeignDeps = {
  reader: ForeignReader
  agentBySvcId(svcId: string): Promise<VerifiableAgent | null> | VerifiableAgent | null
  agentByCredential(lookupKey: string): Promise<NamedAgent | null> | NamedAgent | null
  visitingAgent(row: AgentRow, accounts: readonly string[]): Promise<VerifiableAgent>
  /** Ends the adoption of an agent whose token has another owner. */
  endAdoption(ended: { svcId: string; newOwner: string; block: number; now: number }): Promise<void>
  /** Stores another `agentWallet`, and returns the one that counts. */
  changeWallet(reading: WalletReading): Promise<string | null>
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
      const { svcId, adopted } = agent
      const changeIn = (state: TokenReading) =>
        state === null || state === 'untrusted' ? 'none' : compareToken(adopted, state)
      let state = await deps.reader.readToken(adopted.name, now)
      // Read before the adoption: the owner that it names may be the former one.
      if (changeIn(state) === 'behind')
        state = await deps.reader.readToken(adopted.name, now, { isFresh: true })
      if (state === 'untrusted') return 'registry_not_trusted'
      // Ends with the transfer that burns the token: a registry may refuse to answer for other reasons.
      if (state === null) return 'no_such_token'
      const { owner, wallet, block } = state
      switch (changeIn(state)) {
        case 'behind':
          throw apiError('CHAIN_UNAVAILABLE', { detail: 'the node is behind an adoption' })
        case 'transferred': {
          await deps.endAdoption({ svcId, newOwner: owner, block, now })
          const ended = await deps.agentBySvcId(svcId)
          return ended && { ...ended, adopted: null, accounts: [] }
        }
        case 'wallet': {
          const current = await deps.changeWallet({ svcId, wallet, block, now })
          const stored = await deps.agentBySvcId(svcId)
          // Another process may have ended the adoption since the agent was read.
          if (!stored?.adopted) return stored && { ...stored, adopted: null, accounts: [] }
          return { ...agent, accounts: accountsOf({ owner, wallet: current }) }
        }
        case 'none':
          return { ...agent, accounts: accountsOf({ owner, wallet: adopted.wallet }) }
      }
    },
  }
}

function accountsOf({ owner, wallet }: { owner: string; wallet: string | null }): string[] {
  return wallet === null ? [owner] : [owner, wallet]
}
