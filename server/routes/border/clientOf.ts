import type { Call } from '../../middleware/call.ts'
import { describeClient } from '../../services/accounts/describeClient.ts'

/** The browser and network of a request that signs in, as stored with the session. */
export function clientOf(call: Call) {
  return describeClient({ ip: call.ip, userAgent: call.header('user-agent') })
}
