import type { CredentialVerifier } from '../../external/credentialVerifier.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { CredentialStore } from '../../store/agents/credentialStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { RefuseForeignerDeps } from '../agents/requireWriteAccess.ts'

/** What the use cases around third-party credentials work with. */
export type CredentialDeps = RefuseForeignerDeps & {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId'>
  credentials: CredentialStore
  records: Pick<AuditRecordStore, 'append'>
  verify: CredentialVerifier
  /** Told after the commit of each change of one, by its lookup key. */
  onCredentialChanged(lookupKey: string): void
  settings: { publicUrl: string; randomBytes: (length: number) => Uint8Array }
}

/** Whom a proof of a holder is for: the credentials of one agent at this service. */
export function credentialAudienceOf(publicUrl: string, svcId: string): string {
  return `${publicUrl}/api/agents/${svcId}/credentials`
}
