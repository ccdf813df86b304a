import { isSameHex } from '@svc/core/isSameHex.ts'
import type { ChainClient } from '../../../chain/chainClient.ts'
import type { Hex } from '../../../chain/chainTypes.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { HandlerContext, IntentHandler, Preparation } from '../intentHandler.ts'
import { INTENT_PAYLOADS, type IntentPayload, intentKey } from '../intents.ts'
import { listPendingConsents } from '../listPendingConsents.ts'
import { buildIdentityRecord, mintResult, NOT_ON_CHAIN } from './buildIdentityRecord.ts'
import { findBlocksSince } from './findBlocksSince.ts'

type MintDeps = {
  chain: ChainClient
  outbox: OutboxStore
  agents: AgentStore
  onIdentityConfirmed: (svcId: string) => Promise<void>
}

type Mint = IntentPayload<'identity.mint'>

/** A mint needs 250,000; an owner that is a contract verifies its signature with the rest. Source: docs/decisions/0146. */
const CONSENT_GAS_MAX = 2_000_000n

/**
 * `identity.mint`: mints one identity for an agent, never two.
 *
 * With the owner's consent, the contract mints to the owner, and the consent's nonce rules out a second mint. If the consent
 * is missing or the contract refuses it (expired, nonce already used, too much gas), the relayer mints to itself and then
 * transfers the token. The transfer waits until the mint is final, because a reorganisation can give this mint another id,
 * and its id to another agent. For an owner without a wallet, the relayer keeps the token.
 */
export function mintIdentity({ chain, outbox, agents, onIdentityConfirmed }: MintDeps): IntentHandler {
  return {
    async prepare(intent, context) {
      const mint = mintOf(intent)
      const registry = context.deployment.identityRegistry
      if (context.mustSearch) {
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
        const simulated = await chain.simulate({ to: registry, data }, context.relayer, CONSENT_GAS_MAX)
        if ('gas' in simulated) return { next: 'send', call: { to: registry, data }, gas: simulated.gas }
        if (
          simulated.refusal.name === 'InvalidRegistrationSignature' &&
          (await isEarly(outbox, intent, mint.owner))
        ) {
          return { next: 'wait', why: 'an earlier consent of the owner is not final yet', retryMs: 0 }
        }
        // Someone else may have submitted the consent already.
        const found = await findMinted(chain, intent, context)
        if (found) return found
      }
      const data = chain.identity.encodeRegister(mint.agentURI, mint.metadata)
      const simulated = await chain.simulate({ to: registry, data }, context.relayer)
      if ('refusal' in simulated) return { next: 'fail', why: simulated.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: simulated.gas }
    },

    resultOf(receipt, { deployment }) {
      const registered = chain.identity.decodeRegistration(deployment.identityRegistry, receipt)
      if (registered === null) throw new Error(`the mint ${receipt.hash} registered nothing`)
      return { agentId: String(registered.agentId), holder: registered.owner }
    },

    async whenConfirmed(trx, { intent, place, result }, context) {
      const mint = mintOf(intent)
      const { agentId, holder } = mintResult.parse(result)
      if (mint.owner === null || isSameHex(holder, mint.owner)) {
        await agents.update(trx, mint.svcId, buildIdentityRecord({ agentId, ...place }, context))
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
        strangerId: intent.strangerId,
        accountId: intent.accountId,
        network: intent.network,
        follows: intent.id,
        now: context.now,
      })
    },

    async whenUnmined(trx, intent, now) {
      const { svcId } = mintOf(intent)
      await agents.update(trx, svcId, NOT_ON_CHAIN)
      // The next mint may get another id, and this transfer would then move someone else's token.
      await outbox.withdraw(trx, intentKey.transfer(svcId), now)
    },

    async whenFailed(trx, intent, { now }) {
      await agents.update(trx, mintOf(intent).svcId, { blockchainStatus: 'failed', updatedAt: now })
    },

    notifyUndone: (intent) => onIdentityConfirmed(mintOf(intent).svcId),

    async notifyConfirmed(intent) {
      const mint = mintOf(intent)
      const { holder } = mintResult.parse(intent.result)
      if (mint.owner === null || isSameHex(holder, mint.owner)) await onIdentityConfirmed(mint.svcId)
    },
  }
}

function mintOf(intent: Intent): Mint {
  return INTENT_PAYLOADS['identity.mint'].parse(intent.payload)
}

/**
 * A consent for a later nonce looks invalid until the owner's earlier consents are mined, to a node that lags behind also
 * some blocks longer.
 */
async function isEarly(outbox: OutboxStore, { id }: Intent, owner: Hex): Promise<boolean> {
  const unsettled = await listPendingConsents(outbox, owner, ['queued', 'signed', 'sent', 'mined'])
  return unsettled.some((earlier) => earlier.id < id)
}

/** Finds this agent's registration by its token URI, whichever way it was minted. */
async function findMinted(
  chain: ChainClient,
  intent: Intent,
  context: HandlerContext,
): Promise<Preparation | null> {
  const mint = mintOf(intent)
  const registry = context.deployment.identityRegistry
  const blocks = await findBlocksSince(chain, intent, context)
  const holders = mint.owner === null ? chain.relayers : [mint.owner, ...chain.relayers]
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
