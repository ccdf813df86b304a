import { feed } from './0001Feed.ts'
import { behaviourSources } from './0002BehaviourSources.ts'
import { agentSpend } from './0083AgentSpend.ts'
import { activityFilters } from './0089ActivityFilters.ts'
import { decisionCounts } from './0091DecisionCounts.ts'
import { agentPurchases } from './0093AgentPurchases.ts'
import { logPlaces } from './0124LogPlaces.ts'
import { unprovenSpend } from './0128UnprovenSpend.ts'
import { oneIndexOfPurchases } from './0136OneIndexOfPurchases.ts'

/** The numbered migrations of the derived file, in order; its content can be rebuilt from the main file. */
export const feedMigrations = [
  feed,
  behaviourSources,
  agentSpend,
  activityFilters,
  decisionCounts,
  agentPurchases,
  logPlaces,
  unprovenSpend,
  oneIndexOfPurchases,
]
