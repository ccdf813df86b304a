import { composeErasure } from '../accounts/composeErasure.ts'
import { composeEventRetention } from '../audit/composeEventRetention.ts'
import { composeRetention } from '../composeRetention.ts'
import { composeTrustHistory } from '../composeTrustHistory.ts'
import type { Anchoring } from './composeAnchoring.ts'
import type { Base } from './composeBase.ts'
import type { People } from './composePeople.ts'
import type { Property } from './composeProperty.ts'

/** Composes what is done with stored rows as time passes: scores are noted, and what has expired is deleted. */
export function composeUpkeep(
  { db, config, agents, ambient: { clock, log } }: Base,
  { audit: { catchUp } }: Anchoring,
  { accounts }: People,
  { registry }: Property,
) {
  return {
    trustHistory: composeTrustHistory({ db, config, agents, ambient: { clock, log } }),
    retention: composeRetention({ db, config, clock, log }),
    erasure: composeErasure({ db, config, accounts, registry, catchUp, clock, log }),
    eventRetention: composeEventRetention({ db, days: config.retentionDays.events, catchUp, clock, log }),
  }
}

export type Upkeep = ReturnType<typeof composeUpkeep>
