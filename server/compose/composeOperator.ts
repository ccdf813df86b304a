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
import { createReceiptStore } from '../store/receipts/receiptStore.ts'

export type ComposeOperatorDeps = {
  db: Db
  config: Pick<Config, 'appUrl' | 'supportContact'>
  randomBytes: (length: number) => Uint8Array
  platforms: { list: readonly Platform[] }
  accounts: { caches: Pick<AccountCaches, 'sessions'> }
  /** What is called after each commit and before the response. */
  caches: {
    onStandingChanged(): void
    onAgentChanged(svcId: string): void
    onTierChanged(endpoint: EndpointRow): Promise<void>
  }
  notices: { onMailQueued(): void }
}

/** Composes what operators do about abuse: suspensions, released URLs and withdrawn platforms. */
export function composeOperator({ db, config, randomBytes, ...deps }: ComposeOperatorDeps) {
  return {
    db,
    randomBytes,
    contact: config.supportContact,
    platforms: deps.platforms.list,
    caches: deps.accounts.caches,
    onStandingChanged: deps.caches.onStandingChanged,
    onAgentChanged: deps.caches.onAgentChanged,
    onTierChanged: deps.caches.onTierChanged,
    users: createUserStore(db.query),
    organizations: createOrganizationStore(db.query),
    sessions: createSessionStore(db.query),
    interimSignIns: createInterimSignInStore(),
    agents: createAgentStore(db.query),
    endpoints: createEndpointStore(db.query),
    contacts: createOwnerContactsStore(db.query),
    alerts: createAlertStore(db.query),
    records: createAuditRecordStore(db.query),
    receipts: createReceiptStore(db.query),
    interventions: createInterventionStore(db.query),
    lists: createOperatorListStore(db.query),
    post: {
      outbox: createMailOutboxStore(),
      appUrl: config.appUrl,
      randomBytes,
      wake: deps.notices.onMailQueued,
    },
  }
}
