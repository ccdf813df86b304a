import { parseUrl } from '@svc/core/url/url.ts'

/**
 * Checks the service's base URL and removes trailing slashes.
 *
 * A URL that could never be called is rejected here. If it only failed at the first call, the service would seem to be
 * unreachable.
 *
 * @throws Error if it is missing, and unless it is an http(s) URL ending in `/api`. The message never repeats a URL that
 * contains a password.
 * Source: Spec: Client library contract (`apiBaseUrl` always ends in `/api`).
 */
export function parseBaseUrl(apiBaseUrl: string | undefined): string {
  // JavaScript callers pass an environment variable that is not set.
  if (!apiBaseUrl) throw new Error('apiBaseUrl is missing: pass the URL of the service, ending in /api')
  const url = parseUrl(apiBaseUrl)
  if (url !== null && url.username + url.password !== '') {
    throw new Error('apiBaseUrl must not contain a user name or password: fetch cannot call such a URL')
  }
  const baseUrl = apiBaseUrl.replace(/\/+$/, '')
  if (url === null || !/^https?:\/\/[^?#]+\/api$/.test(baseUrl)) {
    throw new Error(`apiBaseUrl must be an http(s) URL ending in /api, got ${apiBaseUrl}`)
  }
  return baseUrl
}
