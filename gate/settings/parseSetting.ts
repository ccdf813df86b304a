import type { ListenAddress } from './gateSettings.ts'
import { SettingsError } from './settingsError.ts'

/** Parses the texts of settings. Each function throws a SettingsError that names the setting. */
export const parseSetting = {
  required(name: string, value: string | undefined): string {
    if (value === undefined || value === '') throw new SettingsError(`${name} is missing.`)
    return value
  },

  /** A scheme, a host and a port. */
  origin(name: string, text: string): URL {
    const url = URL.parse(text)
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    if (!isOrigin) {
      throw new SettingsError(`${name} must be an origin such as http://127.0.0.1:8080, without a path.`)
    }
    return url
  },

  /** An address with a path, such as that of an MCP server. */
  address(name: string, text: string): URL {
    const url = URL.parse(text)
    const isAddress =
      url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === ''
    if (!isAddress) {
      throw new SettingsError(
        `${name} must be an address such as http://127.0.0.1:9000/mcp, without a query.`,
      )
    }
    return url
  },

  api(text: string): string {
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith('/api')) {
      throw new SettingsError(
        'api must be the address of the service’s API, such as https://registry.example/api.',
      )
    }
    return url.href
  },

  endpoint(text: string): string {
    if (!/^SVCE-[\w-]+$/.test(text))
      throw new SettingsError('endpoint must be an identifier that begins with SVCE-.')
    return text
  },

  listenAddress(name: string, text: string): ListenAddress {
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
    if (host === undefined || Number(port) > 65_535) {
      throw new SettingsError(`${name} must be a host and a port, such as 127.0.0.1:8081.`)
    }
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  },

  /** A number of proxies; `true` is one and `false` none. */
  proxies(name: string, text: string): number {
    if (!/^(true|false|\d)$/.test(text)) {
      throw new SettingsError(`${name} must be true, false, or the number of proxies in front, up to 9.`)
    }
    return text === 'true' ? 1 : text === 'false' ? 0 : Number(text)
  },

  number(name: string, text: string, max: number, min = 0): number {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      throw new SettingsError(`${name} must be a whole number from ${min} to ${max}.`)
    return value
  },
}
