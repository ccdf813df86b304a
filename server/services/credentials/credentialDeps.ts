import type { CredentialVerifier } from '../../external/credentialVerifier.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { CredentialStore } from '../../store/agents/credentialStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { RequireWriteAccessDeps } from '../agents/requireWriteAccess.ts'

/** The dependencies of the use cases of third-party credentials. */
export type CredentialDeps = RequireWriteAccessDeps & {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId'>
  credentials: CredentialStore
  records: Pick<AuditRecordStore, 'append'>
  verify: CredentialVerifier
  /** Called with the lookup key after each committed change. */
  onCredentialChanged(lookupKey: string): void
  settings: { publicUrl: string; randomBytes: (length: number) => Uint8Array }
}

/** The audience of a holder proof: the credentials of one agent at this service. */
export function credentialAudienceOf(publicUrl: string, svcId: string): string {
  return `${publicUrl}/api/agents/${svcId}/credentials`
}
