import type { Call } from '../../middleware/call.ts'
import { sessionClient } from '../../services/accounts/sessionClient.ts'

/** The browser and network of a request that signs in, as stored with the session. */
export function clientOf(call: Call) {
  return sessionClient({ ip: call.ip, userAgent: call.header('user-agent') })
}
