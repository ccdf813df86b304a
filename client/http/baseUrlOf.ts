import { parseUrl } from '@svc/core/url/url.ts'

/**
 * The base address of the service as it is called, without slashes at its end.
 *
 * What no call could be made to is refused here: found out at a call, it would look like a service that is away.
 *
 * @throws Error for what is no http(s) address that ends in `/api`. It says nothing of an address with a password.
 * Source: Spec: Client library contract (`apiBaseUrl` always ends in `/api`).
 */
export function baseUrlOf(apiBaseUrl: string): string {
  const url = parseUrl(apiBaseUrl)
  if (url !== null && url.username + url.password !== '') {
    throw new Error('apiBaseUrl must hold no user and no password: no call can be made to such an address')
  }
  const baseUrl = apiBaseUrl.replace(/\/+$/, '')
  if (url === null || !/^https?:\/\/[^?#]+\/api$/.test(baseUrl)) {
    throw new Error(`apiBaseUrl has to be an http(s) address that ends in /api, got ${apiBaseUrl}`)
  }
  return baseUrl
}
