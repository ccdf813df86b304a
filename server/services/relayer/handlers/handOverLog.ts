import { LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import { isSameHex } from '@svc/core/isSameHex.ts'
import { z } from 'zod'
import type { ChainClient } from '../../../chain/chainClient.ts'
import type { LogStore } from '../../../store/audit/logStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS, type IntentKind } from '../intents.ts'

/** Retry interval of a step that is not possible yet, or whose key this process lacks. */
const RETRY_MS = 1_000

type HandOverLogDeps = {
  chain: ChainClient
  outbox: Pick<OutboxStore, 'open'>
  /** Reads the id of a log besides the first. */
  logs: Pick<LogStore, 'idOf'>
}

const ANCHOR: IntentKind = 'audit.anchor'

/** Whether an intent about a log is about this one. */
export function isOfLog({ payload }: Intent, log: number): boolean {
  return aboutLog.parse(payload).log === log
}

const aboutLog = z.object({ log: z.number().default(0) })

/**
 * `audit.offer` and `audit.accept`: the two steps that hand a log over to another account of the relayer, each sent by the
 * account that the contract requires. A completed step is not repeated. The second one waits for the anchor in flight, which
 * the contract would refuse if it was mined after it.
 */
export function handOverLog(
  { chain, outbox, logs }: HandOverLogDeps,
  step: 'audit.offer' | 'audit.accept',
): IntentHandler {
  return {
    choosesSender: true,

    async prepare(intent, { deployment }) {
      const { auditLog } = deployment
      const { from, to, log } = INTENT_PAYLOADS[step].parse(intent.payload)
      const logId = log === 0 ? deployment.logId : await logs.idOf(log)
      if (logId === null) return { next: 'fail', why: `there is no log ${log}` }
      const { operator } = await chain.auditLog.readHead(auditLog, logId)
      if (operator !== null && isSameHex(operator, to))
        return { next: 'fail', why: `the log is operated by ${to} already` }
      const sender = step === 'audit.offer' ? from : to
      const account = chain.relayers.find((known) => isSameHex(known, sender))
      if (account === undefined)
        return { next: 'wait', why: `this process has no key of ${sender}`, retryMs: RETRY_MS }
      const isOffered = isSameHex(await chain.auditLog.readPendingOperator(auditLog, logId), to)
      if (step === 'audit.offer' && isOffered)
        return { next: 'fail', why: `the log is offered to ${to} already` }
      if (step === 'audit.accept' && !isOffered)
        return { next: 'wait', why: 'the log is not offered yet', retryMs: 0 }
      const anchors = await outbox.open(['signed', 'sent'], LOGS_MAX, { only: [ANCHOR] })
      if (step === 'audit.accept' && anchors.some((anchor) => isOfLog(anchor, log)))
        return { next: 'wait', why: 'a batch is being anchored', retryMs: 0 }
      const { encodeOffer, encodeAccept } = chain.auditLog
      const data = step === 'audit.offer' ? encodeOffer(logId, to) : encodeAccept(logId)
      const simulated = await chain.simulate({ to: auditLog, data }, account)
      if ('refusal' in simulated) return { next: 'wait', why: simulated.refusal.message, retryMs: RETRY_MS }
      return { next: 'send', call: { to: auditLog, data }, gas: simulated.gas, from: account }
    },
  }
}
