import type { Platform } from '@svc/core/platforms/platform.ts'
import type { Config } from '../config.ts'
import type { AccountCaches } from '../services/accounts/accountCaches.ts'
import { createInterimSignInStore } from '../store/accounts/interimSignInStore.ts'
import { createMailOutboxStore } from '../store/accounts/mailOutboxStore.ts'
import { createOrganizationStore } from '../store/accounts/organizationStore.ts'
import { createSessionStore } from '../store/accounts/sessionStore.ts'
import { createUserStore } from '../store/accounts/userStore.ts'
import { createAgentStore } from '../store/agents/agentStore.ts'
import { createAlertStore } from '../store/approvals/alertStore.ts'
import { createOwnerContactsStore } from '../store/approvals/ownerContactsStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'
import { createEndpointStore, type EndpointRow } from '../store/endpoints/endpointStore.ts'
import { createInterventionStore } from '../store/operator/interventionStore.ts'
import { createOperatorListStore } from '../store/operator/operatorListStore.ts'

export type ComposeOperatorDeps = {
  db: Db
  config: Pick<Config, 'appUrl' | 'supportContact'>
  /** The platforms that are recognised. */
  platforms: readonly Platform[]
  caches: AccountCaches
  /** Called after the commit and before the response. */
  onStandingChanged(): void
  onAgentChanged(svcId: string): void
  onTierChanged(endpoint: EndpointRow): Promise<void>
  /** Called after the commit when a mail is waiting. */
  onMailQueued(): void
  randomBytes: (length: number) => Uint8Array
}

/** Composes what operators do about abuse: suspensions, released URLs and withdrawn platforms. */
export function composeOperator({ db, config, onMailQueued, ...deps }: ComposeOperatorDeps) {
  return {
    ...deps,
    db,
    contact: config.supportContact,
    users: createUserStore(db.query),
    organizations: createOrganizationStore(db.query),
    sessions: createSessionStore(db.query),
    interimSignIns: createInterimSignInStore(),
    agents: createAgentStore(db.query),
    endpoints: createEndpointStore(db.query),
    contacts: createOwnerContactsStore(db.query),
    alerts: createAlertStore(db.query),
    records: createAuditRecordStore(db.query),
    interventions: createInterventionStore(db.query),
    lists: createOperatorListStore(db.query),
    post: {
      outbox: createMailOutboxStore(),
      appUrl: config.appUrl,
      randomBytes: deps.randomBytes,
      wake: onMailQueued,
    },
  }
}
