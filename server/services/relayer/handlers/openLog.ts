import type { ChainClient } from '../../../chain/chainClient.ts'
import type { Hex } from '../../../chain/chainTypes.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'

const RETRY_MS = 60_000

export type OpenLogDeps = {
  chain: ChainClient
  /** Gives a log that was never opened another id, and orders its opening. */
  replaceLogId: (former: Hex) => Promise<void>
}

/**
 * `audit.open`: opens an audit log besides the first, which the deployment opens.
 *
 * Only the account that an id names may open it. An id that names none whose key this process has is replaced, because it
 * was drawn before the relayer got its present key.
 */
export function openLog({ chain, replaceLogId }: OpenLogDeps): IntentHandler {
  return {
    choosesSender: true,

    async prepare(intent, { deployment: { auditLog } }) {
      const { logId } = INTENT_PAYLOADS['audit.open'].parse(intent.payload)
      const { operator } = await chain.auditLog.readHead(auditLog, logId)
      if (operator !== null) return { next: 'fail', why: `the log ${logId} is open already` }
      const from = chain.relayers.find((account) => logId.startsWith(account.toLowerCase()))
      if (from === undefined) {
        await replaceLogId(logId)
        return { next: 'fail', why: `the log ${logId} could be opened only by another account` }
      }
      const data = chain.auditLog.encodeOpenLog(logId)
      const simulated = await chain.simulate({ to: auditLog, data }, from)
      if ('refusal' in simulated) return { next: 'wait', why: simulated.refusal.message, retryMs: RETRY_MS }
      return { next: 'send', call: { to: auditLog, data }, gas: simulated.gas, from }
    },
  }
}
