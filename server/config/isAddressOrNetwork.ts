import { isIP } from 'node:net'
import { normaliseIpAddress } from '@svc/core/url/ipAddress.ts'

/** Whether a text is an address or network that can be trusted. */
export function isAddressOrNetwork(text: string): boolean {
  const [net = '', bits, ...more] = text.split('/')
  const family = isIP(net)
  if (family === 0 || more.length > 0) return false
  const isMapped = family === 6 && isIP(normaliseIpAddress(net) ?? net) === 4
  if (bits === undefined) return true
  return (
    /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) && Number(bits) >= (isMapped ? 96 : 0)
  )
}
