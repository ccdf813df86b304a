import type { RecordedUse, ReportedUse } from '@svc/core/contract/uses.ts'
import type { VerifyClientConfig } from '../gateway/createVerifyClient.ts'
import { createSender } from '../http/createSender.ts'
import { parseBaseUrl } from '../http/parseBaseUrl.ts'

/** Reports uses of grants, and returns what became of each. @throws SvcApiError */
export type SendUses = (uses: readonly ReportedUse[]) => Promise<readonly RecordedUse[]>

/**
 * Creates a function that reports up to 100 uses to the service. Reporting one again changes nothing.
 *
 * Source: docs/receipts.md.
 */
export function createUseSender(config: VerifyClientConfig): SendUses {
  const send = createSender({
    ...config,
    baseUrl: parseBaseUrl(config.apiBaseUrl),
    headers: { Authorization: `Bearer ${config.apiKey}` },
  })
  return async (uses) => {
    const body = JSON.stringify({ uses })
    const { uses: recorded } = await send<{ uses: RecordedUse[] }>({
      ...{ method: 'POST', path: '/agents/verify-access/uses', body, retry: 'always' },
      isAnswer: ({ uses }) => Array.isArray(uses),
    })
    return recorded
  }
}
