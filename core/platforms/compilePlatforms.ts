import type { Platform, PlatformToken } from './platform.ts'

/** The platform that a request claims to come from, and the token that claims it. */
export type PlatformClaim = { platform: Platform; token: PlatformToken }

export type PlatformIndex = ReturnType<typeof compilePlatforms>

/**
 * What may precede a product in a user agent. After a `/` it would be part of a URL, and `like Googlebot` says that it is
 * not Googlebot.
 */
const BEFORE = '(?<=^|[\\s(;,])(?<!\\blike\\s+)'
/** What may follow a product. */
const AFTER = '(?=$|[\\s/;),])'
/** What must follow a product that is an everyday word. */
const VERSION = '(?=/\\d)'

/**
 * Compiles platforms for recognition.
 *
 * A token must match a whole product of the user agent, ignoring case as in RFC 9309 §2.2.1: `GPTBot/1.2` matches, but
 * `NotGPTBot`, `GPTBot-Image`, `like GPTBot` and `https://example.com/GPTBot` do not. The first match applies, because
 * products are listed in decreasing order of significance (RFC 9110 §10.1.5).
 */
export function compilePlatforms(platforms: readonly Platform[]) {
  const claims = new Map<string, PlatformClaim>()
  const signers = new Map<string, Platform>()
  for (const platform of platforms) {
    for (const token of platform.tokens) claims.set(token.token.toLowerCase(), { platform, token })
    if (platform.signatureAgent !== undefined) signers.set(platform.signatureAgent, platform)
  }
  const product = compileProductPattern([...claims.values()].map(({ token }) => token))
  return {
    /** The platform a user agent claims; null when it claims none. */
    byUserAgent(userAgent: string): PlatformClaim | null {
      const found = product?.exec(userAgent)
      return found ? (claims.get(found[0].toLowerCase()) ?? null) : null
    },

    /** The platform whose keys an origin or a JWK Set publishes. */
    bySignatureAgent: (signer: string): Platform | null => signers.get(signer) ?? null,
  }
}

function compileProductPattern(tokens: readonly PlatformToken[]): RegExp | undefined {
  const names = (isWord: boolean) =>
    tokens.filter((token) => (token.isWord ?? false) === isWord).map(({ token }) => token)
  const products = [
    { names: names(false), after: AFTER },
    { names: names(true), after: VERSION },
  ].filter((group) => group.names.length > 0)
  if (products.length === 0) return undefined
  const alternatives = products.map((group) => `(?:${group.names.join('|')})${group.after}`)
  return new RegExp(`${BEFORE}(?:${alternatives.join('|')})`, 'i')
}
