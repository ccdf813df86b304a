import { composeRegistrationBudgets } from '../accounts/composeRegistrationBudgets.ts'
import { composeRegistrationRequests } from '../accounts/composeRegistrationRequests.ts'
import { composeForeign } from '../chain/composeForeign.ts'
import { composeTokens } from '../chain/composeTokens.ts'
import { composeCredentials } from '../composeCredentials.ts'
import { composeDomains } from '../composeDomains.ts'
import { composeRegistry } from '../composeRegistry.ts'
import type { Anchoring } from './composeAnchoring.ts'
import type { Base } from './composeBase.ts'
import type { Decisions } from './composeDecisions.ts'
import type { People } from './composePeople.ts'

export type ComposePropertyDeps = {
  base: Base
  anchoring: Anchoring
  people: People
  decisions: Decisions
}

export type Property = ReturnType<typeof composeProperty>

/** Composes what owners have: agents with their tokens and credentials, and endpoints with their domains. */
export function composeProperty({ base, anchoring, people, decisions }: ComposePropertyDeps) {
  const { db, config, database, agents, raiseAlert, ambient } = base
  const { randomBytes, traceHeaders } = ambient
  const { chain } = anchoring
  const { accounts, notices } = people
  const { foreign, verification } = decisions
  const { onAccountChanged, onCredentialChanged } = verification
  const { onMailQueued } = notices
  const budgets = composeRegistrationBudgets(config.rates, database)
  const credentials = composeCredentials({
    ...{ db, config, agents, randomBytes, raiseAlert, onCredentialChanged, traceHeaders },
  })
  const registry = composeRegistry({
    ...{ db, config, ambient, budgets, chain, raiseAlert, caches: verification },
    ensureWalletAccount: accounts.ensureWalletAccount,
    agentTokens: accounts.agentTokens,
    cardKeys: base.signingKeys.rings['agent-cards'],
  })
  const registrationRequests = composeRegistrationRequests({
    ...{ db, config, budgets, raiseAlert, onAccountChanged, onMailQueued, ambient },
    passkeys: accounts.passkeys,
    registration: {
      register: registry.registerForAccount,
      async onRegistered(svcId) {
        verification.onAgentChanged(svcId)
        await registry.publishFile(svcId)
      },
    },
  })
  const adoption = composeForeign({
    ...{ db, config, ambient, foreign, registry, isRelayer: chain.isRelayer, onCredentialChanged },
  })
  const tokens = composeTokens({ db, config, chain, registry, ambient })
  const domains = composeDomains({
    ...{ db, unkeyedDb: database.db, config, ambient, raiseAlert, caches: verification, onMailQueued },
    hostTokenKey: database.hostTokenKey,
  })
  return { credentials, registry, registrationRequests, adoption, tokens, domains }
}
