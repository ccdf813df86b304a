import { takeIpv6Groups } from '@svc/core/url/ipAddress.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'

/** In the order of the search, because most browsers also name others. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/**
 * Describes the origin of a request in a form that may be stored: kind of browser and system, and network (IPv4 /24, IPv6
 * /48).
 *
 * It lets an owner recognise a session without identifying a person or a device. A hash would not be recognisable, and all
 * 2³² addresses can be hashed in a minute.
 */
export function describeClient(request: { ip: string; userAgent: string | undefined }): SessionClient {
  return { browser: browserOf(request.userAgent ?? ''), network: describeNetwork(request.ip) }
}

function browserOf(userAgent: string): string | null {
  const named = (list: typeof BROWSERS | typeof SYSTEMS) =>
    list.find(([, mark]) => mark.test(userAgent))?.[0] ?? null
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}

function describeNetwork(ip: string): string | null {
  const v4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(ip)?.[1]
  if (v4 !== undefined) return `${v4}.0/24`
  const groups = takeIpv6Groups(ip, 3)
  return groups === undefined ? null : `${groups}::/48`
}
