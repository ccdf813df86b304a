import { useEffect, useState } from 'react'
import type { ApiFailure } from '../api/apiFailure.ts'
import { request } from '../api/request.ts'
import { retryUntilReached } from '../api/retryUntilReached.ts'

/**
 * For what could not be loaded: the failure as long as the service does not respond, after which the page is loaded again.
 *
 * Null if the service responds at once. Then the page stays as it is, because it would load again and again.
 */
export function useReloadOnceReached(): ApiFailure | null {
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  useEffect(() => {
    const shown = new AbortController()
    const ask = () => request('GET /api/health', { alsoAccept: 503 }, null)
    let isAway = false
    const report = (reported: ApiFailure) => {
      isAway = true
      setFailure(reported)
    }
    retryUntilReached(ask, shown.signal, report).then(
      () => isAway && !shown.signal.aborted && window.location.reload(),
      () => setFailure(null),
    )
    return () => shown.abort()
  }, [])
  return failure
}
