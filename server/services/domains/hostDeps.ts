import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import type { HostTokenOf } from '../../external/tokens/hostTokens.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { DomainProofStore } from '../../store/endpoints/domainProofStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { Post } from '../mail/postMail.ts'
import type { FoundDomainProof } from './findDomainProof.ts'

/** The dependencies of taking over a host from an owner who has not proven it. */
export type HostDeps = {
  /** Not that of requests with an Idempotency-Key, whose first transaction contains their result. */
  unkeyedDb: Pick<Db, 'transaction'>
  stores: {
    endpoints: EndpointStore
    proofs: DomainProofStore
    records: AuditRecordStore
    alerts: Pick<AlertStore, 'raise'>
    contacts: OwnerContactsStore
  }
  find(challenge: DomainChallenge): Promise<FoundDomainProof>
  tokenOf: HostTokenOf
  /** Called after the commit. */
  onEndpointChanged(endpoint: EndpointRow): void
  /** Called after the commit, as in `DomainDeps`. */
  onTierChanged(endpoint: EndpointRow): Promise<void>
  /** For mails to former owners; also the source of randomness. */
  post: Post
}

/** Where somebody registers, and for whom. */
export type HostClaim = {
  /** Normal form. */
  url: string
  host: string
  /** The future owner. */
  ownerId: string
  /** The owners that the caller acts for: an error says which URL is already theirs. */
  actsFor: ReadonlySet<string>
  now: number
}
