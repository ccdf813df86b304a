import { isJsonObject } from '../../json.ts'
import { type AgentKey, computeKeyThumbprint } from '../../signing/computeKeyThumbprint.ts'
import { HTTP_ALGORITHMS } from '../../signing/jwsAlgorithms.ts'
import type {
  MandateFault,
  MandateHolder,
  MandateInput,
  MandatePayment,
  MandateVerifiers,
} from './mandateFinding.ts'
import type { DelegationHop } from './parseDelegation.ts'

const SKEW_SECONDS = 60
const ISSUER_KEYS_MAX = 10

/**
 * Verifies who made and who holds a chain of mandates, and its times; null if all holds.
 *
 * The first token is signed by a declared issuer or by the agent itself, each further one by the key that the one before
 * confirms. The key at the end must be one of the agent's: a mandate that was delegated to somebody else is theirs.
 *
 * @param issuerKeys JWKs, as the agent's registration declares them.
 */
export async function verifyDelegation(
  hops: readonly DelegationHop[],
  issuerKeys: unknown,
  { holder, now }: MandateInput,
  { verifyJws }: MandateVerifiers,
): Promise<MandateFault | null> {
  const [root, ...further] = hops
  if (root === undefined) return 'malformed'
  const ownIssue = await isSignedByAgent(root, holder)
  if (!ownIssue) {
    const keys = findIssuerKeys(issuerKeys, root.jws.header.kid)
    if (keys.length === 0) return 'unknown_issuer'
    const signed = await Promise.all(keys.map((key) => verifyJws(root.jws, key)))
    if (!signed.includes(true)) return 'forged'
  }
  let before = root
  for (const hop of further) {
    if (!(await verifyJws(hop.jws, before.nextKey))) return 'forged'
    before = hop
  }
  // Who signed the last token, or whom the only one confirms.
  const key = further.length === 0 ? root.nextKey : hops.at(-2)?.nextKey
  const isHeld = key === undefined ? ownIssue : isKeyOf(key, holder)
  if (!isHeld) return 'other_holder'
  return findUntimely(hops, now / 1000)
}

/**
 * Names the payment of a verified chain: the token that states it, without its signature and its disclosures, which can be
 * written in several ways, and without a key binding, of which the holder can make any number.
 */
export function identifyPayment(hops: readonly DelegationHop[]): MandatePayment {
  const last = hops.at(-1)
  const at = hops.findIndex(({ claims }) => claims === last?.claims)
  const ends = hops
    .slice(0, at + 1)
    .flatMap(({ payload, claims }) => [payload.exp, claims.exp])
    .filter((exp) => typeof exp === 'number')
  return {
    id: `delegated ${hops[at]?.jws.signingInput}`,
    expiresAt: ends.length === 0 ? undefined : Math.min(...ends),
  }
}

async function isSignedByAgent({ jws }: DelegationHop, { keys }: MandateHolder): Promise<boolean> {
  const key = keys.find(({ kid, isRevoked }) => kid === jws.header.kid && !isRevoked)
  const algorithm = HTTP_ALGORITHMS[jws.algorithm]
  if (key === undefined || algorithm === undefined) return false
  return key.verifies(jws.signingInput, jws.signature, algorithm)
}

/** A header that names a key means that one only; keys without a name are tried for any. */
function findIssuerKeys(declared: unknown, kid: unknown): Record<string, unknown>[] {
  if (!Array.isArray(declared)) return []
  return declared
    .filter(isJsonObject)
    .filter((key) => kid === undefined || key.kid === undefined || key.kid === kid)
    .slice(0, ISSUER_KEYS_MAX)
}

function isKeyOf(key: unknown, { keys }: MandateHolder): boolean {
  if (!isJsonObject(key)) return false
  const thumbprint = computeKeyThumbprint(key as AgentKey)
  return keys.some(({ kid, isRevoked }) => kid === thumbprint && !isRevoked)
}

function findUntimely(hops: readonly DelegationHop[], seconds: number): MandateFault | null {
  for (const { exp, nbf, iat } of hops.flatMap(({ payload, claims }) => [payload, claims])) {
    if (exp !== undefined && (typeof exp !== 'number' || exp <= seconds)) return 'expired'
    for (const from of [nbf, iat]) {
      if (from !== undefined && (typeof from !== 'number' || from > seconds + SKEW_SECONDS))
        return 'not_yet_valid'
    }
  }
  return null
}
