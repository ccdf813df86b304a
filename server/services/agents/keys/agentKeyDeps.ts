import type { KeyProofInput } from '../../../external/proofs/verifyKeyProof.ts'
import type { UserStore } from '../../../store/accounts/userStore.ts'
import type { AgentKeyStore } from '../../../store/agents/agentKeyStore.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { AlertStore } from '../../../store/approvals/alertStore.ts'
import type { AuditRecordStore } from '../../../store/audit/auditRecordStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { InterventionStore } from '../../../store/operator/interventionStore.ts'
import type { createUsedProofStore } from '../../../store/recorder/usedProofStore.ts'
import type { WriteAs } from '../../accounts/writeAs.ts'

/** The dependencies of the use cases that change the keys of an agent. */
export type AgentKeyDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId'>
  agentKeys: AgentKeyStore
  /** Where decisions look up that a key is revoked. */
  usedProofs: ReturnType<typeof createUsedProofStore>
  accounts: Pick<UserStore, 'byWallet'>
  interventions: Pick<InterventionStore, 'find'>
  records: Pick<AuditRecordStore, 'append'>
  /** Alerts are raised in the transaction of the change. */
  alerts: Pick<AlertStore, 'raise'>
  settings: { publicUrl: string; randomBytes: (length: number) => Uint8Array }
  /** Whether the caller has proven to hold a key. */
  verifyKeyProof(input: KeyProofInput): Promise<boolean>
  writeAs: WriteAs
  /** Called after each committed change and before the response. */
  onAgentChanged(svcId: string): void
}
