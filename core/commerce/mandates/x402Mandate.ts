import { z } from 'zod'
import { decodeBase64 } from '../../bytes.ts'
import { formatDecimal } from '../../decimal.ts'
import { parseJsonBytes } from '../../json.ts'
import { findContradiction } from './findContradiction.ts'
import {
  ABSENT,
  type MandateFinding,
  type MandateInput,
  type MandateVerifiers,
  wrongMandate,
} from './mandateFinding.ts'
import { X402_NETWORKS, x402Assets } from './x402Assets.ts'
import type { X402Transfer } from './x402Transfer.ts'

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const integer = z.union([z.string().regex(/^\d{1,78}$/), z.int().min(0)]).transform((value) => BigInt(value))

const authorization = z.object({
  from: address,
  to: address,
  value: integer,
  validAfter: integer,
  validBefore: integer,
  nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
})

const payload = z.object({ signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2})+$/), authorization })

const terms = z.object({ scheme: z.string(), network: z.string() })

const schema = z.discriminatedUnion('x402Version', [
  z.object({ x402Version: z.literal(1), ...terms.shape, payload: z.unknown() }),
  z.object({
    x402Version: z.literal(2),
    accepted: terms.extend({ amount: integer.optional(), asset: z.string(), payTo: z.string().optional() }),
    payload: z.unknown(),
  }),
])

/**
 * Checks a payment of x402: that an account of the agent signed this transfer, for this amount and to this payee, and that
 * it can be carried out now.
 *
 * That is the scheme `exact` with EIP-3009. What a smart-contract wallet, Permit2, a delegation or another chain signs can
 * be verified only on that chain. A header can carry any payment, so one there that cannot be judged says nothing.
 *
 * The wallet that the agent declares counts as well, but whoever registers an agent can declare anybody's, and a payment can
 * be copied.
 *
 * Source: x402 v1 and v2; `specs/schemes/exact/scheme_exact_evm.md`.
 */
export async function checkX402Mandate(
  input: MandateInput,
  { recoverPayer }: MandateVerifiers,
): Promise<MandateFinding> {
  const { mandate, holder } = input
  const { isFromHeader } = mandate
  // Who pays from an account that nobody declared did not ask for a comparison.
  if (isFromHeader && declaredWallet(holder) === undefined) return ABSENT
  const read = readTransfer(mandate.value ?? '')
  if (typeof read === 'string') return isFromHeader ? ABSENT : wrongMandate(read)
  const { transfer, isRestated } = read
  const payer = await recoverPayer(transfer)
  // In a header this may also be a contract's signature, or one for a token that version 1 does not name.
  if (payer === null || payer !== transfer.from.toLowerCase())
    return isFromHeader ? ABSENT : wrongMandate('forged')
  const isOwn = holder.accounts.includes(payer)
  if (!isOwn && payer !== declaredWallet(holder)) return wrongMandate('other_holder')
  if (!isRestated) return wrongMandate('other_amount')
  const { chainId, asset, value, validAfter, validBefore, to, nonce } = transfer
  const fault = findContradiction(
    {
      amount: formatDecimal({ coefficient: value, scale: asset.decimals }),
      currency: asset.currency,
      payees: [to],
      notBefore: Number(validAfter),
      expiresAt: Number(validBefore),
    },
    input,
  )
  if (fault !== null) return wrongMandate(fault)
  return {
    ...{ found: 'valid', isSigned: true },
    isHolderProven: isOwn || holder.provenAccounts.includes(payer),
    // A payer uses each nonce of a token once. Source: EIP-3009.
    payment: {
      id: ['x402', chainId, asset.address, payer, nonce.toLowerCase()].join(' '),
      expiresAt: Number(validBefore),
    },
  }
}

/** @returns `isRestated`: the unsigned terms, if there are any, say the same as the signed ones. */
function readTransfer(
  text: string,
): { transfer: X402Transfer; isRestated: boolean } | 'malformed' | 'unsupported' {
  const parsed = schema.safeParse(readJson(text))
  if (!parsed.success) return 'malformed'
  const accepted = parsed.data.x402Version === 2 ? parsed.data.accepted : undefined
  const { scheme, network } = parsed.data.x402Version === 2 ? parsed.data.accepted : parsed.data
  const chain = accepted === undefined ? X402_NETWORKS[network] : network
  const assets = chain === undefined || !Object.hasOwn(x402Assets, chain) ? undefined : x402Assets[chain]
  if (scheme !== 'exact' || chain === undefined || assets === undefined) return 'unsupported'
  const named = accepted?.asset.toLowerCase()
  const asset = named === undefined ? assets[0] : assets.find((one) => one.address === named)
  const signed = payload.safeParse(parsed.data.payload)
  if (asset === undefined || !signed.success) return 'unsupported'
  const { signature, authorization: stated } = signed.data
  // Anything else is a signature of a contract. Source: ERC-1271, ERC-6492.
  if (signature.length !== 132) return 'unsupported'
  const { amount = stated.value, payTo = stated.to } = accepted ?? {}
  const isRestated = amount === stated.value && payTo.toLowerCase() === stated.to.toLowerCase()
  const chainId = Number(chain.slice('eip155:'.length))
  return { transfer: { chainId, asset, ...stated, signature }, isRestated }
}

/** In base64, as in the header, or as it is. */
function readJson(text: string): unknown {
  const bytes = text.startsWith('{') ? new TextEncoder().encode(text) : decodeBase64(text)
  return bytes === null ? undefined : parseJsonBytes(bytes)
}

function declaredWallet({ declarations }: MandateInput['holder']): string | undefined {
  const declared = declarations.x402?.walletAddress
  return typeof declared === 'string' ? declared.toLowerCase() : undefined
}
