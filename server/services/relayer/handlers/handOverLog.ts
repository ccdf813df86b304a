import type { ChainClient } from '../../../chain/chainClient.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS, type IntentKind } from '../intents.ts'
import { isSameAddress } from '../notifications.ts'

/** Retry interval of a step that is not possible yet, or whose key this process lacks. */
const RETRY_MS = 1_000

type HandOverLogDeps = { chain: ChainClient; outbox: Pick<OutboxStore, 'open'> }

const ANCHOR: IntentKind = 'audit.anchor'

/**
 * `audit.offer` and `audit.accept`: the two steps that hand the log over to another account of the relayer, each sent by the
 * account that the contract requires. A completed step is not repeated. The second one waits for the anchor in flight, which
 * the contract would refuse if it was mined after it.
 */
export function handOverLog(
  { chain, outbox }: HandOverLogDeps,
  step: 'audit.offer' | 'audit.accept',
): IntentHandler {
  return {
    choosesSender: true,

    async prepare(intent, { deployment: { auditLog, logId } }) {
      const { from, to } = INTENT_PAYLOADS[step].parse(intent.payload)
      const { operator } = await chain.auditLog.readHead(auditLog, logId)
      if (operator !== null && isSameAddress(operator, to))
        return { next: 'fail', why: `the log is operated by ${to} already` }
      const sender = step === 'audit.offer' ? from : to
      const account = chain.relayers.find((known) => isSameAddress(known, sender))
      if (account === undefined)
        return { next: 'wait', why: `this process has no key of ${sender}`, retryMs: RETRY_MS }
      const isOffered = isSameAddress(await chain.auditLog.readPendingOperator(auditLog, logId), to)
      if (step === 'audit.offer' && isOffered)
        return { next: 'fail', why: `the log is offered to ${to} already` }
      if (step === 'audit.accept' && !isOffered)
        return { next: 'wait', why: 'the log is not offered yet', retryMs: 0 }
      const [anchor] = await outbox.open(['signed', 'sent'], 1, { only: [ANCHOR] })
      if (step === 'audit.accept' && anchor)
        return { next: 'wait', why: 'a batch is being anchored', retryMs: 0 }
      const { encodeOffer, encodeAccept } = chain.auditLog
      const data = step === 'audit.offer' ? encodeOffer(logId, to) : encodeAccept(logId)
      const simulated = await chain.simulate({ to: auditLog, data }, account)
      if ('refusal' in simulated) return { next: 'wait', why: simulated.refusal.message, retryMs: RETRY_MS }
      return { next: 'send', call: { to: auditLog, data }, gas: simulated.gas, from: account }
    },
  }
}
