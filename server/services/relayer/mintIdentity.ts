import type { ChainClient } from '../../chain/chainClient.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { blocksSince } from './blocksSince.ts'
import { identityRecord } from './identityRecord.ts'
import type { HandlerContext, IntentHandler, Preparation } from './intentHandler.ts'
import { INTENT_PAYLOADS, type IntentPayload, intentKey } from './intents.ts'
import { isSameAddress } from './isSameAddress.ts'
import { mintResult } from './mintResult.ts'
import { NOT_ON_CHAIN } from './notOnChain.ts'
import { pendingConsents } from './pendingConsents.ts'

type MintDeps = {
  chain: ChainClient
  outbox: OutboxStore
  agents: AgentStore
  onIdentityConfirmed: (svcId: string) => Promise<void>
}

type Mint = IntentPayload<'identity.mint'>

/**
 * `identity.mint`: one identity for one agent, never two.
 *
 * With the owner's consent the contract mints to the owner, and the consent's nonce makes a second mint impossible.
 * A consent that the contract refuses (expired, nonce used meanwhile) and a missing one end the same way: the relayer
 * mints to itself and hands over. The transfer waits until the mint is final, because in a reorganisation the same
 * mint can get another id, and this id another agent. For an owner without a wallet the relayer mints and keeps.
 *
 * Source: onchain.md "Relayer", "Additions".
 */
export function mintIdentity({ chain, outbox, agents, onIdentityConfirmed }: MintDeps): IntentHandler {
  return {
    async prepare(intent, context) {
      const mint = mintOf(intent)
      const registry = context.deployment.identityRegistry
      if (context.mustLook) {
        const found = await findMinted(chain, intent, context)
        if (found) return found
      }
      if (mint.consent && mint.owner) {
        const data = chain.identity.encodeRegisterFor({
          ...mint,
          owner: mint.owner,
          deadline: BigInt(mint.consent.deadline),
          signature: mint.consent.signature,
        })
        const tried = await chain.simulate({ to: registry, data })
        if ('gas' in tried) return { next: 'send', call: { to: registry, data }, gas: tried.gas }
        if (
          tried.refusal.name === 'InvalidRegistrationSignature' &&
          (await isEarly(outbox, intent, mint.owner))
        ) {
          return { next: 'wait', why: 'an earlier consent of the owner is on its way', retryMs: 0 }
        }
        // Somebody may have handed the consent in before us.
        const found = await findMinted(chain, intent, context)
        if (found) return found
      }
      const data = chain.identity.encodeRegister(mint.agentURI, mint.metadata)
      const tried = await chain.simulate({ to: registry, data })
      if ('refusal' in tried) return { next: 'fail', why: tried.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: tried.gas }
    },

    resultOf(receipt, { deployment }) {
      const registered = chain.identity.decodeRegistration(deployment.identityRegistry, receipt)
      if (registered === null) throw new Error(`the mint ${receipt.hash} registered nothing`)
      return { agentId: String(registered.agentId), holder: registered.owner }
    },

    async whenConfirmed(trx, { intent, place, result }, context) {
      const mint = mintOf(intent)
      const { agentId, holder } = mintResult.parse(result)
      if (mint.owner === null || isSameAddress(holder, mint.owner)) {
        await agents.update(trx, mint.svcId, identityRecord({ agentId, ...place }, context))
        return
      }
      await outbox.addAgain(trx, {
        idempotencyKey: intentKey.transfer(mint.svcId),
        kind: 'identity.transfer',
        payload: {
          svcId: mint.svcId,
          owner: mint.owner,
          agentId,
          transaction: place.hash,
          block: place.block,
        },
        now: context.now,
      })
    },

    async whenUnmined(trx, intent, now) {
      const { svcId } = mintOf(intent)
      await agents.update(trx, svcId, NOT_ON_CHAIN)
      // The next mint can get another id, and then this transfer would be of somebody else's token.
      await outbox.withdraw(trx, intentKey.transfer(svcId), now)
    },

    async whenFailed(trx, intent, { now }) {
      await agents.update(trx, mintOf(intent).svcId, { blockchainStatus: 'failed', updatedAt: now })
    },

    takenBack: (intent) => onIdentityConfirmed(mintOf(intent).svcId),

    async tell(intent) {
      const mint = mintOf(intent)
      const { holder } = mintResult.parse(intent.result)
      if (mint.owner === null || isSameAddress(holder, mint.owner)) await onIdentityConfirmed(mint.svcId)
    },
  }
}

function mintOf(intent: Intent): Mint {
  return INTENT_PAYLOADS['identity.mint'].parse(intent.payload)
}

/** A consent for a nonce to come looks like a wrong one until the owner's earlier consents are mined. */
async function isEarly(outbox: OutboxStore, { id }: Intent, owner: Hex): Promise<boolean> {
  return (await pendingConsents(outbox, owner)).some((earlier) => earlier.id < id)
}

/** The token URI names the agent, so a registration with it, by either way of minting, is this one. */
async function findMinted(
  chain: ChainClient,
  intent: Intent,
  context: HandlerContext,
): Promise<Preparation | null> {
  const mint = mintOf(intent)
  const registry = context.deployment.identityRegistry
  const blocks = await blocksSince(chain, intent, context)
  const holders = mint.owner === null ? [chain.relayerAddress] : [mint.owner, chain.relayerAddress]
  for (const holder of holders) {
    const registrations = await chain.identity.findRegistrations(registry, holder, blocks)
    const found = registrations.find((registration) => registration.agentURI === mint.agentURI)
    if (found) {
      const { hash, block, blockHash } = found
      return {
        next: 'adopt',
        place: { hash, block, blockHash },
        result: { agentId: String(found.agentId), holder },
      }
    }
  }
  return null
}
