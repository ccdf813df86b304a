import type { Config } from '../config.ts'
import type { Ambient } from './ambient.ts'
import { composeCaches } from './composeCaches.ts'
import { composeHealth } from './composeHealth.ts'
import { composeMetrics } from './composeMetrics.ts'
import { composeServer } from './composeServer.ts'
import { bindParts } from './groups/bindParts.ts'
import { composeAnchoring } from './groups/composeAnchoring.ts'
import { composeBase } from './groups/composeBase.ts'
import { composeDecisions } from './groups/composeDecisions.ts'
import { composeFeed } from './groups/composeFeed.ts'
import { composePeople } from './groups/composePeople.ts'
import { composeProperty } from './groups/composeProperty.ts'
import { composeUpkeep } from './groups/composeUpkeep.ts'

/**
 * Creates every concrete part and binds the use cases to them; nothing runs or listens yet.
 *
 * Only this and the groups that it composes know which database, chain and files there are. A group may call a later one,
 * such as to publish an identity that is final on chain: it is given a function, and calls it only once all groups exist.
 *
 * @param isStopping Whether the service is being stopped, for its health.
 * @throws Error with a message for the operator if something required is missing.
 */
export async function composeParts(config: Config, ambient: Ambient, isStopping: () => boolean) {
  const base = await composeBase(config, ambient)
  const { db, database, recorder, version, tracing, root, signingKeys } = base
  const { clock, log } = base.ambient
  const anchoring = composeAnchoring(base, ambient, {
    onIdentityConfirmed: (svcId) => property.registry.onIdentityConfirmed(svcId),
    onTokenChanged: (svcId) => property.registry.onTokenChanged(svcId),
    onReplayed: () => decisions.verification.clear(),
  })
  const { chain, audit } = anchoring
  const health = composeHealth({ ...database, recorder, chain, audit, version, log, isStopping })
  const metrics = composeMetrics({ db, chain, audit, health, clock, gather: ambient.gatherMetrics })
  const people = await composePeople(base, anchoring, {
    onAccountChanged: (userId) => decisions.verification.onAccountChanged(userId),
    onMembersChanged: () => decisions.verification.onAdministratorsChanged(),
    onExportRequested: () => feed.exports.wake(),
  })
  const decisions = composeDecisions({
    ...{ base, anchoring, people },
    measure: tracing ? (decide) => tracing.traceDecision(() => metrics.measure(decide)) : metrics.measure,
    adoptions: {
      endAdoption: (transfer) => property.adoption.endAdoption(transfer),
      changeWallet: (reading) => property.adoption.changeWallet(reading),
    },
  })
  const property = composeProperty({ base, anchoring, people, decisions })
  const feed = composeFeed(base, anchoring, people)
  const upkeep = composeUpkeep(base, anchoring, people, property)

  const { accounts, notices, kyd } = people
  const { platforms, verification } = decisions
  const { registry, registrationRequests, adoption, tokens, domains } = property
  const { files } = registry
  const caches = composeCaches({ accounts: accounts.caches, verification, platforms, files, log })
  const groups = { base, anchoring, people, decisions, property, feed, upkeep, caches, health, metrics }
  const server = composeServer({
    ...{ config, database, parts: bindParts(groups), clock, log, root },
    ...{ answerOnce: base.answerOnce, once: base.runOnce },
    authenticators: accounts.authenticators,
    trace: tracing?.traceRequest,
    observe: metrics.observe,
  })
  const { activity, webhooks, exports } = feed
  const { retention, eventRetention, erasure, trustHistory } = upkeep
  const running = [
    ...[platforms, domains, retention, eventRetention, erasure, exports, kyd, trustHistory, webhooks],
    ...[registrationRequests, notices, audit, tokens, adoption, signingKeys, files],
  ]
  return { server, database, chain, accounts, activity, caches, tracing, running, version, clock }
}
