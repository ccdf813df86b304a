import { encodeBase64Url } from '../../bytes.ts'
import { type CompactJws, parseCompactJws } from '../../credentials/parseCompactJws.ts'
import { revealDisclosures } from '../../credentials/revealDisclosures.ts'
import { sha256 } from '../../hash.ts'
import { isJsonObject } from '../../json.ts'

/** One token of a chain, whose disclosures are in place; its signature is verified elsewhere. */
export type DelegationHop = {
  jws: CompactJws
  payload: Record<string, unknown>
  /** The mandate: what `delegate_payload` contains, otherwise the payload itself. */
  claims: Record<string, unknown>
  /** The key that signs the next token. */
  nextKey: unknown
  /** The digests by which the next token names this one. */
  digests: { sd_hash: string; issuer_jwt_hash: string }
}

const HOPS_MAX = 8
const ROOT_TYPE = /(^|[+-])sd-jwt$/
/** Draft and final spellings; the last one is that of a plain key binding, which adds no claims. */
const HOP_TYPE = /^(kb[+-]sd-jwt(\+kb)?|kb\+jwt)$/
const LAST_TYPE = /^(kb[+-]sd-jwt|kb\+jwt)$/

/**
 * Parses an SD-JWT, or a chain of them in which each token is signed by the key that the one before confirms; null for
 * anything else, and for a chain whose tokens do not name the ones before them.
 *
 * Tokens are joined by `~~`, and a key-binding JWT by `~`. Source: RFC 9901 §4; draft-gco-oauth-delegate-sd-jwt §5 and §6;
 * AP2 0.2.
 */
export function parseDelegation(text: string): DelegationHop[] | null {
  const tokens = text.split('~~').flatMap(splitBinding)
  if (tokens.length > HOPS_MAX) return null
  const hops: DelegationHop[] = []
  for (const [nth, token] of tokens.entries()) {
    const hop = parseHop(token)
    const before = hops[nth - 1]
    if (hop === null || !(before === undefined ? isRoot(hop) : follows(hop, before))) return null
    const isLast = nth === tokens.length - 1
    if (!isLast && hop.nextKey === undefined) return null
    if (isLast && nth > 0 && (hop.nextKey !== undefined || !LAST_TYPE.test(typeOf(hop)))) return null
    // A key binding only repeats whose mandate it is.
    const claims = hop.jws.header.typ === 'kb+jwt' && before !== undefined ? before.claims : hop.claims
    hops.push({ ...hop, claims })
  }
  return hops
}

/** Of `token~disclosure~binding`, the binding is a token of its own. */
function splitBinding(text: string): string[] {
  const at = text.lastIndexOf('~')
  const last = text.slice(at + 1)
  return at > 0 && last.includes('.') ? [text.slice(0, at), last] : [text]
}

function parseHop(text: string): DelegationHop | null {
  const [token = '', ...disclosures] = text.replace(/~$/, '').split('~')
  const jws = parseCompactJws(token)
  // A constraint that is withheld must not look like none.
  const revealed = jws && revealDisclosures(jws.payload, disclosures, true)
  if (jws === null || !revealed?.ok) return null
  const { payload } = revealed
  const claims = readClaims(payload)
  if (claims === null) return null
  const presentation = [token, ...disclosures, ''].join('~')
  const { cnf } = claims
  return {
    ...{ jws, payload, claims },
    nextKey: isJsonObject(cnf) ? cnf.jwk : undefined,
    digests: { sd_hash: digestOf(presentation), issuer_jwt_hash: digestOf(token) },
  }
}

/** A token delegates one mandate, or is one. */
function readClaims(payload: Record<string, unknown>): Record<string, unknown> | null {
  const { delegate_payload: delegated } = payload
  if (delegated === undefined) return payload
  if (!Array.isArray(delegated)) return null
  const [only, ...more] = delegated.filter((one) => !isJsonObject(one) || !Object.hasOwn(one, '...'))
  return isJsonObject(only) && more.length === 0 ? only : null
}

function isRoot(hop: DelegationHop): boolean {
  return ROOT_TYPE.test(typeOf(hop)) && !HOP_TYPE.test(typeOf(hop))
}

/** Empty for what is no text, which is no type of any token. */
function typeOf({ jws }: Pick<DelegationHop, 'jws'>): string {
  return typeof jws.header.typ === 'string' ? jws.header.typ : ''
}

function follows({ jws, payload }: DelegationHop, before: DelegationHop): boolean {
  const names = (['sd_hash', 'issuer_jwt_hash'] as const).filter((name) => payload[name] !== undefined)
  const [name, ...more] = names
  if (name === undefined || more.length > 0 || !HOP_TYPE.test(typeOf({ jws }))) return false
  return payload[name] === before.digests[name]
}

function digestOf(text: string): string {
  return encodeBase64Url(sha256(text))
}
