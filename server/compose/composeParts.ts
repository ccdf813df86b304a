import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createRandomPool } from '../external/randomPool.ts'
import { TABLE } from '../routes/index.ts'
import { createPublishedApi } from '../routes/openapi/createPublishedApi.ts'
import type { Parts } from '../routes/routes.ts'
import { createRaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import { createAgentStore } from '../store/agents/agentStore.ts'
import { createAlertStore } from '../store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { createEndpointStore } from '../store/endpoints/endpointStore.ts'
import { createSpendStore } from '../store/feed/spendStore.ts'
import { composeAccounts } from './accounts/composeAccounts.ts'
import { composeErasure } from './accounts/composeErasure.ts'
import { composeExport } from './accounts/composeExport.ts'
import { composeKyd } from './accounts/composeKyd.ts'
import { composeOwnerNotices } from './accounts/composeOwnerNotices.ts'
import { composeRegistrationBudgets } from './accounts/composeRegistrationBudgets.ts'
import { composeRegistrationRequests } from './accounts/composeRegistrationRequests.ts'
import type { Ambient } from './ambient.ts'
import { composeAudit } from './audit/composeAudit.ts'
import { composeEventRetention } from './audit/composeEventRetention.ts'
import { composeReceipts } from './audit/composeReceipts.ts'
import { composeChain } from './chain/composeChain.ts'
import { composeForeign, composeForeignChains } from './chain/composeForeign.ts'
import { composeTokens } from './chain/composeTokens.ts'
import { composeActivity } from './composeActivity.ts'
import { composeAuthzen } from './composeAuthzen.ts'
import { composeCaches } from './composeCaches.ts'
import { composeCredentials } from './composeCredentials.ts'
import { composeDatabase } from './composeDatabase.ts'
import { composeDomains } from './composeDomains.ts'
import { composeHealth } from './composeHealth.ts'
import { composeIdempotency } from './composeIdempotency.ts'
import { composeLists } from './composeLists.ts'
import { composeMcp } from './composeMcp.ts'
import { composeMetrics } from './composeMetrics.ts'
import { composeOperator } from './composeOperator.ts'
import { composePlatforms } from './composePlatforms.ts'
import { type ComposedRegistry, composeRegistry } from './composeRegistry.ts'
import { composeRetention } from './composeRetention.ts'
import { composeServer } from './composeServer.ts'
import { composeTrustHistory } from './composeTrustHistory.ts'
import { composeVerification } from './composeVerification.ts'
import { composeWebhooks } from './composeWebhooks.ts'
import { composeSigningKeys } from './keys/composeSigningKeys.ts'
import { loadTracing } from './loadTracing.ts'
import { prepareFolders } from './prepareFolders.ts'
import { readVersion } from './readVersion.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Creates every concrete part and binds the use cases to them; nothing runs or listens yet.
 *
 * This is the only place that knows which database, chain and files there are.
 *
 * @param isStopping Whether the service is being stopped, for its health.
 * @throws Error with a message for the operator if something required is missing.
 */
export async function composeParts(config: Config, ambient: Ambient, isStopping: () => boolean) {
  const { log, clock = Date.now, answerTimeoutMs } = ambient
  const randomBytes = createRandomPool()
  const version = readVersion(ROOT)
  const tracing = await loadTracing(config.tracing, version, log)
  const traceHeaders = tracing?.traceHeaders
  const given = { clock, randomBytes, log, traceHeaders }
  prepareFolders(config)
  const database = await composeDatabase(config, log, tracing?.traceGroup)
  const { db, wrapRecorder, runOnce, runPart, answerOnce } = composeIdempotency({
    db: database.db,
    config,
    randomBytes,
  })
  const recorder = wrapRecorder(database.recorder)
  const agents = createAgentStore(db.query)
  const endpoints = createEndpointStore(db.query)
  const raiseAlert = createRaiseAlert({
    alerts: createAlertStore(db.query),
    randomBytes,
    onFailure: (err) => log.error({ err }, 'an alert could not be stored'),
  })

  // Chain and registry depend on each other: a final identity is published, and a new one minted.
  const chain = composeChain({
    ...{ db, config, clock, log, randomBytes },
    ...(ambient.startLocalChain ? { startLocalChain: ambient.startLocalChain } : {}),
    isOnlyServer: config.databaseUrl === undefined,
    presence: database.presence,
    onIdentityConfirmed: (svcId) => registry.onIdentityConfirmed(svcId),
    onTokenChanged: (svcId) => registry.onTokenChanged(svcId),
    onReplayed: () => verification.clear(),
    traceRound: tracing?.traceRound,
  })
  const signingKeys = await composeSigningKeys({ db, config, clock, log })
  const audit = composeAudit({
    ...{ db, read: database.read, config, clock, log, logId: chain.logId, drawLogId: chain.drawLogId },
    wakeRelayer: chain.wake,
    checkpointKeys: signingKeys.rings.checkpoints,
  })
  const health = composeHealth({ ...database, recorder, chain, audit, version, log, isStopping })
  const metrics = composeMetrics({ db, chain, audit, health, clock, gather: ambient.gatherMetrics })
  const { verifyContractSignature } = chain
  const accounts = await composeAccounts({
    db,
    config,
    tokenKeys: signingKeys.rings['access-tokens'],
    randomBytes,
    verifyContractSignature,
    chainId: async () => (await chain.overview()).chainId,
    budgetOf: database.budgetOf,
    nestedBudgetOf: database.nestedBudgetOf,
    onAccountChanged: (userId) => verification.onAccountChanged(userId),
    onMembersChanged: () => verification.onAdministratorsChanged(),
    onMailQueued: () => notices.onMailQueued(),
    onExportRequested: () => exports.wake(),
    onProviderFault: (fault) => log.warn(fault, 'a sign-in at an identity provider went wrong'),
  })
  const notices = composeOwnerNotices({
    db,
    config,
    passkeys: accounts.passkeys,
    ambient: given,
  })
  const platforms = composePlatforms({
    config,
    agents: { db: database.db, agents, records: createAuditRecordStore(db.query), randomBytes },
    replays: database.replays,
    answerTimeoutMs,
    traceHeaders,
    clock,
    log,
  })
  const receipts = composeReceipts({
    db,
    recorder,
    unkeyedDb: database.db,
    config,
    keys: signingKeys.rings.receipts,
    partiesOf: (record) => verification.partiesOf(record),
    clock,
    catchUp: audit.catchUp,
    randomBytes,
  })
  const foreign = composeForeignChains(config, given)
  const verification = composeVerification({
    db,
    unkeyedDb: database.db,
    config,
    recorder,
    agents,
    endpoints,
    owners: accounts.caches.owners,
    catchUp: audit.catchUp,
    onFeedAdvanced: audit.onFeedAdvanced,
    identifyPlatform: platforms.identify,
    proofs: accounts,
    raiseAlert,
    budgetOf: database.budgetOf,
    onOwnerAsked: notices.onOwnerAsked,
    measure: tracing ? (decide) => tracing.traceDecision(() => metrics.measure(decide)) : metrics.measure,
    answerTimeoutMs,
    receipts: receipts.verdicts,
    foreign: {
      reader: foreign.reader,
      endAdoption: (transfer) => adoption.endAdoption(transfer),
      changeWallet: (reading) => adoption.changeWallet(reading),
    },
    ambient: given,
  })
  const budgets = composeRegistrationBudgets(config.rates, database)
  const credentials = composeCredentials({
    db,
    config,
    agents,
    randomBytes,
    raiseAlert,
    onCredentialChanged: verification.onCredentialChanged,
    traceHeaders,
  })
  const registry: ComposedRegistry = composeRegistry({
    db,
    config,
    ambient: given,
    ensureWalletAccount: accounts.ensureWalletAccount,
    budgets,
    agentTokens: accounts.agentTokens,
    cardKeys: signingKeys.rings['agent-cards'],
    chain,
    raiseAlert,
    caches: verification,
  })
  const registrationRequests = composeRegistrationRequests({
    db,
    config,
    passkeys: accounts.passkeys,
    registration: {
      register: registry.registerForAccount,
      async onRegistered(svcId) {
        verification.onAgentChanged(svcId)
        await registry.publishFile(svcId)
      },
    },
    budgets,
    raiseAlert,
    onAccountChanged: verification.onAccountChanged,
    onMailQueued: notices.onMailQueued,
    ambient: given,
  })

  const adoption = composeForeign({
    ...{ db, config, ambient: given, foreign, registry, isRelayer: chain.isRelayer },
    onCredentialChanged: verification.onCredentialChanged,
  })
  const tokens = composeTokens({ db, config, chain, registry, ambient: given })
  const domains = composeDomains({
    db,
    unkeyedDb: database.db,
    config,
    hostTokenKey: database.hostTokenKey,
    ambient: given,
    raiseAlert,
    caches: verification,
    onMailQueued: notices.onMailQueued,
  })

  const { files } = registry
  const caches = composeCaches({ accounts: accounts.caches, verification, platforms, files, log })
  const kyd = composeKyd({
    db,
    config,
    ambient: given,
    budgetOf: database.budgetOf,
    onAccountChanged: verification.onAccountChanged,
    onMailQueued: notices.onMailQueued,
  })
  const trustHistory = composeTrustHistory({ db, config, agents, ambient: { clock, log } })
  const retention = composeRetention({ db, config, clock, log })
  const erasure = composeErasure({ db, config, accounts, registry, catchUp: audit.catchUp, clock, log })
  const { catchUp, onFeedAdvanced } = audit
  const eventRetention = composeEventRetention({ db, days: config.retentionDays.events, catchUp, clock, log })
  const webhooks = composeWebhooks({ db, config, ambient: given, onFeedAdvanced, tracing })
  const spend = createSpendStore(db.query)
  const activity = composeActivity({
    ...{ db, read: database.read, endpoints, agents, spend, log, catchUp, onFeedAdvanced },
  })
  const exports = composeExport({ db, accounts, activity: activity.parts, clock, log })
  const listed = composeLists(database.read, { agents, endpoints })
  const parts: Parts = {
    accounts: accounts.parts,
    kyd: kyd.parts,
    operator: composeOperator({ db, config, randomBytes, platforms, accounts, caches, notices }),
    agents: {
      ...{ ...registry.parts, ...trustHistory.parts, ...listed },
      onAccountChanged: verification.onAccountChanged,
    },
    endpoints: { ...registry.parts, ...domains.parts, ...listed },
    credentials,
    adoption: adoption.parts,
    directory: registry.parts,
    webhooks: webhooks.parts,
    registrations: registrationRequests.parts,
    approvals: { ...notices.parts, agents, endpoints, spend, catchUp },
    verification: verification.parts,
    authzen: composeAuthzen({
      publicUrl: config.publicUrl,
      endpoints,
      verification: verification.parts,
      clock,
      runPart,
    }),
    receipts: receipts.parts,
    activity: activity.parts,
    audit: { ...audit.parts, ...receipts.auditParts, chainOverview: chain.overview },
    mcp: composeMcp({ config, signedBy: accounts.authenticators.signature, version, root: ROOT }),
    service: {
      ...health,
      readMetrics: metrics.readMetrics,
      metricsToken: config.metricsToken,
      publishedApi: createPublishedApi(TABLE, config.publicUrl),
      publicUrl: config.publicUrl,
      publicKeys: signingKeys.published,
    },
  }
  const server = composeServer({
    ...{ config, database, parts, answerOnce, once: runOnce, clock, log, root: ROOT },
    authenticators: accounts.authenticators,
    trace: tracing?.traceRequest,
    observe: metrics.observe,
  })
  const running = [
    ...[platforms, domains, retention, eventRetention, erasure, exports, kyd, trustHistory, webhooks],
    ...[registrationRequests, notices, audit, tokens, adoption, signingKeys, files],
  ]
  return { server, database, chain, accounts, activity, caches, tracing, running, version, clock }
}
