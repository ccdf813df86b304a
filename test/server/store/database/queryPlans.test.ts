import { expect } from 'chai'
import type { Knex } from 'knex'
import { createApiKeyStore } from '../../../../server/store/accounts/apiKeyStore.ts'
import { createPasskeyStore } from '../../../../server/store/accounts/passkeyStore.ts'
import { createAgentKeyStore } from '../../../../server/store/agents/agentKeyStore.ts'
import { createAgentStore } from '../../../../server/store/agents/agentStore.ts'
import { createAgentTraceStore } from '../../../../server/store/agents/agentTraceStore.ts'
import { createIpfsFileStore } from '../../../../server/store/agents/ipfsFileStore.ts'
import { createOwnerFactsStore } from '../../../../server/store/agents/ownerFactsStore.ts'
import { createTokenStore } from '../../../../server/store/agents/tokenStore.ts'
import { createAlertStore } from '../../../../server/store/approvals/alertStore.ts'
import { createApprovalDigestStore } from '../../../../server/store/approvals/approvalDigestStore.ts'
import { createApprovalStore } from '../../../../server/store/approvals/approvalStore.ts'
import { createRegistrationRequestStore } from '../../../../server/store/approvals/registrationRequestStore.ts'
import { createEndpointStore } from '../../../../server/store/endpoints/endpointStore.ts'
import { createActivityStore } from '../../../../server/store/feed/activityStore.ts'
import { createDecisionCountStore } from '../../../../server/store/feed/decisionCountStore.ts'
import { createCapUseStore } from '../../../../server/store/recorder/capUseStore.ts'
import { forgetPayers } from '../../../../server/store/relayer/forgetPayers.ts'
import { createOutboxStore } from '../../../../server/store/relayer/outboxStore.ts'
import { createTransactionStore } from '../../../../server/store/relayer/transactionStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

/** A query, and the indexes that it uses. */
type Look = [what: string, look: (query: Knex) => Promise<unknown>, indexes: string[]]

type Statement = { sql: string; bindings: string[] }

const now = 1
const page = { limit: 10, before: 7 }
const keysPage = { limit: 10, before: null }
const audience = { ownerIds: ['SVCD-a'], email: 'a@example.com' }

/** Queries of the activity by each of its filters, and the indexes that list what they match in log order. */
const ACTIVITY_LOOKS = Object.entries({
  'the purchases of a party': [{ perPurchase: true }, 'events_first'],
  'the purchases of an outcome': [{ perPurchase: true, outcome: 'held' }, 'events_standing'],
  'the events of an outcome': [{ outcome: 'held' }, 'events_outcome'],
  'the events of a purchase': [{ purchaseId: 'a' }, 'events_purchase'],
  'the events of an agent': [{ agentId: 'SVC-a' }, 'events_agent'],
  'the events at an endpoint': [{ endpointId: 'a' }, 'events_endpoint'],
  'the events of a type': [{ eventType: 'agent.updated' }, 'events_type'],
  'the events of an address': [{ sourceIp: '192.0.2.7' }, 'events_ip'],
  'the events of an amount': [{ currency: 'EUR', amountMin: 1, amountMax: 2 }, 'events_currency'],
  'the events of a time': [{ since: 1, until: 2 }, 'events_time'],
  'the events with a text': [{ text: 'shop', agentId: 'SVC-a' }, 'events_agent'],
} as const).map(
  ([what, [filter, index]]): Look => [
    what,
    (query) =>
      createActivityStore(query).list(
        { parties: ['SVCD-a'], limit: 10, ...filter },
        { order: 'desc', cursor: 9 },
      ),
    [index],
  ],
)

/** Queries on large tables, and the indexes that they use; none may sort or scan. */
const LOOKS: Look[] = [
  ...ACTIVITY_LOOKS,
  [
    'a host of passkeys',
    (query) => createPasskeyStore(query).otherHosts('registry.example'),
    ['passkeys_host'],
  ],
  ['intents of a status', (query) => createOutboxStore(query).open(['signed', 'sent'], 5), ['open_status']],
  [
    'intents of some kinds',
    (query) => createOutboxStore(query).open(['queued'], 5, { only: ['a', 'b'] }),
    ['open_kind'],
  ],
  [
    'intents of all but some kinds',
    (query) => createOutboxStore(query).open(['queued'], 5, { except: ['a', 'b'] }),
    ['open_status'],
  ],
  [
    'intents for strangers',
    (query) => createOutboxStore(query).open(['queued'], 5, { except: ['a', 'b'], forStrangers: true }),
    ['open_strangers'],
  ],
  [
    'intents for others than strangers',
    (query) => createOutboxStore(query).open(['queued'], 5, { except: ['a', 'b'], forStrangers: false }),
    ['open_known'],
  ],
  ['a deferred intent', (query) => createOutboxStore(query).isAnyDeferred('spent'), ['intents_failing']],
  ['the oldest problem', (query) => createOutboxStore(query).oldestError(), ['intents_failing']],
  ['what a day cost', (query) => createTransactionStore(query).costSince(1), ['signed_at']],
  [
    'what a day cost without some',
    (query) => createTransactionStore(query).costSince(1, { exceptKinds: ['a'] }),
    ['signed_at'],
  ],
  [
    'what strangers cost in a day',
    (query) => createTransactionStore(query).costSince(1, { forStrangers: true }),
    ['signed_at'],
  ],
  [
    'approvals of a status',
    (query) => createApprovalStore(query).listByOwners(['SVCD-a'], { status: 'pending', now }, page),
    ['approvals_status'],
  ],
  [
    'whose approvals are due for a mail',
    (query) => query.transaction((trx) => createApprovalDigestStore().due(trx, now, 5)),
    ['approvals_digest'],
  ],
  [
    'an earlier approval of an owner',
    (query) =>
      query.transaction((trx) =>
        createApprovalStore(query).askedBefore(trx, { ownerId: 'SVCD-a', position: 9, isUnproven: true }, 20),
      ),
    ['approvals_asked'],
  ],
  [
    'requests of an owner and to an address',
    (query) => createRegistrationRequestStore(query).listFor(audience, { status: undefined, now }, page),
    ['requests_owner', 'requests_email'],
  ],
  [
    'requests of a status',
    (query) => createRegistrationRequestStore(query).listFor(audience, { status: 'pending', now }, page),
    ['requests_status', 'requests_email'],
  ],
  [
    'alerts that nobody has read',
    (query) => createAlertStore(query).listByOwners(['SVCD-a'], { unreadOnly: true }, page),
    ['alerts_unread'],
  ],
  ['a claimed endpoint', (query) => createEndpointStore(query).claimedByUrl('https://a'), ['claimed_url']],
  [
    'a discovered endpoint',
    (query) => createEndpointStore(query).discoveredByUrl('SVCD-a', 'https://a'),
    ['discovered_url'],
  ],
  [
    'the endpoint of a URL on a host of many',
    (query) => createEndpointStore(query).byContainingUrls(['https://a'], { ownerId: 'SVCD-a', host: 'a' }),
    ['claimed_url', 'discovered_url', 'discovered_closed', 'discovered_host'],
  ],
  [
    'claimed endpoints of others on a host',
    (query) => createEndpointStore(query).claimedByOthers({ host: 'a', ownerId: 'SVCO-a' }, 5),
    ['claimed_host'],
  ],
  [
    'claimed endpoints of others at a URL',
    (query) =>
      createEndpointStore(query).claimedByOthers({ host: 'a', urls: ['https://a'], ownerId: 'SVCO-a' }, 5),
    ['claimed_url'],
  ],
  ['facts of a person', (query) => createOwnerFactsStore(query).ofOwner('SVCD-a'), ['created_by', 'proven']],
  [
    'facts of an organisation',
    (query) => createOwnerFactsStore(query).ofOwner('SVCO-a'),
    ['created_by', 'proven'],
  ],
  [
    'tokens of a holder',
    (query) => createTokenStore(query).heldBy('0x1', { after: '', limit: 5 }),
    ['tokens_holder'],
  ],
  [
    'live keys of a person',
    (query) => query.transaction((trx) => createApiKeyStore(query).countLive(trx, 'user')),
    ['keys_live'],
  ],
  [
    'endpoints to claim',
    (query) => createEndpointStore(query).listByOwners(['SVCO-a', 'SVCO-b'], { only: 'claimable' }, page),
    ['endpoints_claimable'],
  ],
  [
    'archived endpoints',
    (query) => createEndpointStore(query).listByOwners(['SVCO-a', 'SVCO-b'], { only: 'archived' }, page),
    ['endpoints_archived'],
  ],
  [
    'names of agents',
    (query) => createAgentStore(query).namesByOwners(['SVCO-a', 'SVCO-b'], page),
    ['agents_owner_id'],
  ],
  [
    'traces of agents on chain',
    (query) => createAgentTraceStore(query).tracesByOwners(['SVCO-a', 'SVCO-b'], page),
    ['agents_owner_id'],
  ],
  [
    'agents with a key',
    (query) => createAgentTraceStore(query).withKey(['SVCO-a', 'SVCO-b'], 'k'),
    ['keys_kid'],
  ],
  [
    'names of endpoints',
    (query) =>
      createEndpointStore(query).namesByOwners(['SVCO-a'], { discovered: false, archived: false }, page),
    ['endpoints_own'],
  ],
  [
    'names of endpoints to claim',
    (query) => createEndpointStore(query).namesByOwners(['SVCO-a'], { only: 'claimable' }, page),
    ['endpoints_claimable'],
  ],
  [
    'keys that a person sees',
    (query) => createApiKeyStore(query).list({ userId: 'user', managedOrganizationIds: [] }, keysPage),
    ['keys_live'],
  ],
  [
    'keys that a manager sees',
    (query) => createApiKeyStore(query).list({ userId: 'user', managedOrganizationIds: ['a'] }, keysPage),
    ['keys_live', 'keys_organization_id'],
  ],
  ['keys of an agent', (query) => createAgentKeyStore(query).ofAgent('SVC-a'), ['agent_id_kid']],
  [
    'a key that another owner’s agent has',
    (query) =>
      query.transaction((trx) => createAgentKeyStore(query).isTaken(trx, { kid: 'k', ownerId: 'SVCD-a' })),
    ['keys_kid'],
  ],
  ['outcomes of a subject', (query) => createDecisionCountStore(query).outcomes('SVC-a', 5), []],
  [
    'counterparts of a subject',
    (query) => createDecisionCountStore(query).days('SVC-a', 'counterpart', { fromDay: 1, limit: 5 }),
    [],
  ],
  ['the last decision about a subject', (query) => createDecisionCountStore(query).lastAt('SVC-a'), []],
  ['the grants of a scope', (query) => createCapUseStore(query).grantsSince('SVC-a', 1), []],
  ['what a holder has spent', (query) => createCapUseStore(query).spent('a', 'SVC-a', 'day:1'), []],
  [
    'settled intents that name who paid',
    (query) => forgetPayers(query as Knex.Transaction, 1, 5),
    ['relayer_intents_payers', 'transactions_intent_id'],
  ],
  [
    'registration files that are not in IPFS',
    (query) => createIpfsFileStore(query).missing({ after: '', limit: 5 }),
    ['not_led'],
  ],
]

describe('among a million rows', () => {
  let database: TemporaryDatabase
  before(async () => {
    database = await openTemporaryDatabase('sqlite')
  })
  after(() => database?.remove())

  for (const [what, look, indexes] of LOOKS) {
    it(`${what} is found by an index`, async () => {
      const { query } = database.db
      const asked: Statement[] = []
      const hear = (statement: Statement) => asked.push(statement)
      query.on('query', hear)
      await look(query)
      query.off('query', hear)
      const plans: string[] = []
      for (const { sql, bindings } of asked.filter(({ sql }) => /^(select|update)/.test(sql))) {
        const plan: { detail: string }[] = await query.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
        plans.push(...plan.map(({ detail }) => detail))
      }
      const told = plans.join('; ')
      for (const index of indexes) expect(told).to.match(new RegExp(`INDEX \\w*${index}`))
      // The result is a separate list, and one index contains only matching rows.
      const scans = plans.filter((plan) =>
        /^SCAN (?!part|per_nonce|\(subquery|relayer_intents USING INDEX relayer_intents_failing)/.test(plan),
      )
      expect(scans, told).to.deep.equal([])
    })
  }
})
