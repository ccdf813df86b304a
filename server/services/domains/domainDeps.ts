import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { DomainProofStore } from '../../store/endpoints/domainProofStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { RaiseAlert } from '../alerts/createRaiseAlert.ts'
import type { FoundDomainProof } from './findDomainProof.ts'

/** The dependencies of domain verification. */
export type DomainDeps = {
  db: Pick<Db, 'transaction'>
  stores: { endpoints: EndpointStore; proofs: DomainProofStore; records: AuditRecordStore }
  find(challenge: DomainChallenge): Promise<FoundDomainProof>
  /** Called after the commit: the tier counts in decisions and in the score of the owner's agents. */
  onTierChanged(endpoint: EndpointRow): Promise<void>
  raiseAlert: RaiseAlert
  randomBytes: (length: number) => Uint8Array
}
