import type { Call } from '../../middleware/call.ts'
import { sessionClient } from '../../services/accounts/sessionClient.ts'

/** Where a request that signs in comes from, as far as it is kept with the session. */
export function clientOf(call: Call) {
  return sessionClient({ ip: call.ip, userAgent: call.header('user-agent') })
}
