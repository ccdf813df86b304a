import { TABLE } from '../../routes/index.ts'
import { createPublishedApi } from '../../routes/openapi/createPublishedApi.ts'
import type { Parts } from '../../routes/routes.ts'
import { composeAuthzen } from '../composeAuthzen.ts'
import type { composeCaches } from '../composeCaches.ts'
import type { composeHealth } from '../composeHealth.ts'
import { composeLists } from '../composeLists.ts'
import { composeMcp } from '../composeMcp.ts'
import type { composeMetrics } from '../composeMetrics.ts'
import { composeOperator } from '../composeOperator.ts'
import type { Anchoring } from './composeAnchoring.ts'
import type { Base } from './composeBase.ts'
import type { Decisions } from './composeDecisions.ts'
import type { Feed } from './composeFeed.ts'
import type { People } from './composePeople.ts'
import type { Property } from './composeProperty.ts'
import type { Upkeep } from './composeUpkeep.ts'

export type Groups = {
  base: Base
  anchoring: Anchoring
  people: People
  decisions: Decisions
  property: Property
  feed: Feed
  upkeep: Upkeep
  caches: ReturnType<typeof composeCaches>
  health: ReturnType<typeof composeHealth>
  metrics: ReturnType<typeof composeMetrics>
}

/** Gives each part of the route table what its operations need. */
export function bindParts(groups: Groups): Parts {
  const { base, anchoring, people, decisions, property, feed, upkeep, caches, health, metrics } = groups
  const { db, config, database, agents, endpoints, runPart, root, version, signingKeys } = base
  const { clock, randomBytes } = base.ambient
  const { chain, audit } = anchoring
  const { accounts, notices, kyd } = people
  const { platforms, receipts, verification } = decisions
  const { credentials, registry, registrationRequests, adoption, domains } = property
  const { spend, activity, webhooks } = feed
  const { publicUrl, metricsToken } = config
  const listed = composeLists(database.read, { agents, endpoints })
  return {
    accounts: accounts.parts,
    kyd: kyd.parts,
    operator: composeOperator({ db, config, randomBytes, platforms, accounts, caches, notices }),
    agents: {
      ...{ ...registry.parts, ...upkeep.trustHistory.parts, ...listed },
      onAccountChanged: verification.onAccountChanged,
    },
    endpoints: { ...registry.parts, ...domains.parts, ...listed },
    credentials,
    adoption: adoption.parts,
    directory: registry.parts,
    webhooks: webhooks.parts,
    registrations: registrationRequests.parts,
    approvals: { ...notices.parts, agents, endpoints, spend, catchUp: audit.catchUp },
    verification: verification.parts,
    authzen: composeAuthzen({ publicUrl, endpoints, verification: verification.parts, clock, runPart }),
    receipts: receipts.parts,
    activity: activity.parts,
    audit: { ...audit.parts, ...receipts.auditParts, chainOverview: chain.overview },
    mcp: composeMcp({ config, signedBy: accounts.authenticators.signature, version, root }),
    service: {
      ...health,
      readMetrics: metrics.readMetrics,
      metricsToken,
      publishedApi: createPublishedApi(TABLE, publicUrl),
      publicUrl,
      publicKeys: signingKeys.published,
    },
  }
}
