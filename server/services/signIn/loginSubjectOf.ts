import { siteOf } from '@svc/core/url/ipAddress.ts'

/**
 * Identifies the failed password attempts that count together: those for an account from one site, because whoever has a
 * /48 of IPv6 could otherwise guess from 65,536 addresses, and not those from all sites, or anybody could lock anyone out.
 */
export function loginSubjectOf(ip: string, email: string | null): string {
  return `${siteOf(ip)} ${email}`
}
