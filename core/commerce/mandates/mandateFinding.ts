import type { CallerMetadata } from '../../access/verificationRequest.ts'
import type { CompactJws } from '../../credentials/parseCompactJws.ts'
import type { PresentedMandate } from './presentedMandate.ts'
import type { X402Transfer } from './x402Transfer.ts'

/** Why a mandate does not cover a request. It is logged for operators, never sent. */
export type MandateFault =
  | 'malformed'
  | 'unsupported'
  | 'unknown_issuer'
  | 'forged'
  | 'other_holder'
  | 'other_amount'
  | 'other_currency'
  | 'other_merchant'
  | 'expired'
  | 'not_yet_valid'

/** The result of checking a mandate: none was meant for the agent, or it is wrong, or it covers the request. */
export type MandateFinding =
  | { found: 'absent' }
  | { found: 'wrong'; fault: MandateFault }
  | {
      found: 'valid'
      /** False if the terms are only stated, because nobody but the issuer can verify them. */
      isSigned: boolean
      /** False if only the word of the agent's owner, or of nobody, makes it the agent's: it may be somebody else's. */
      isHolderProven: boolean
      payment: MandatePayment
    }

/** What a mandate pays for, so that it counts for one agent only. */
export type MandatePayment = {
  /** The same for every presentation of the payment, whoever presents it and however it is written. */
  id: string
  /** Unix seconds; undefined if it does not end. */
  expiresAt: number | undefined
}

export const ABSENT: MandateFinding = { found: 'absent' }

/** Builds the finding that a mandate is wrong. */
export function wrongMandate(fault: MandateFault): MandateFinding {
  return { found: 'wrong', fault }
}

/** Who may hold the mandates of an agent, and whose signatures make them. */
export type MandateHolder = {
  /** Keys of the agent, by JWK thumbprint. */
  keys: readonly {
    kid: string
    isRevoked: boolean
    /** `alg` as in RFC 9421. */
    verifies(text: string, signature: Uint8Array, alg: string | undefined): Promise<boolean>
  }[]
  /** Ethereum accounts with which the agent pays, in lower case. */
  accounts: readonly string[]
  /** Ethereum accounts that are proven to be the agent's or its owner's, in lower case: a declared one is, if it is here. */
  provenAccounts: readonly string[]
  /** What the agent's registration declares for a protocol. */
  declarations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A mandate, with what it is compared with. */
export type MandateInput = {
  mandate: PresentedMandate
  holder: MandateHolder
  /** What the counterparty states about the payment. */
  request: { transactionValue: number | undefined; currency: string | undefined }
  metadata: CallerMetadata | undefined
  endpoint: {
    /** Without port; undefined if unknown. */
    host: string | undefined
    /** Hosts under which agents reach it, with ports unless they are the default. */
    authorities: readonly string[]
  }
  /** Epoch milliseconds. */
  now: number
}

/** The signature checks, which need libraries. */
export type MandateVerifiers = {
  /** Whether a public key, as JWK, made the signature of a token; false for what is no such key. */
  verifyJws(jws: CompactJws, jwk: unknown): Promise<boolean>
  /** Whether a public key, as JWK or text, signed a text; `alg` as in RFC 9421. No other key is supported. */
  verifyText(
    key: unknown,
    text: string,
    signature: Uint8Array,
    alg: string | undefined,
  ): Promise<boolean | 'unsupported'>
  /** JWK thumbprint of a public key in these forms; undefined for a key that no agent can add. */
  thumbprintOf(key: unknown): string | undefined
  /** The account that signed a transfer, in lower case; null for an invalid signature. */
  recoverPayer(transfer: X402Transfer): Promise<string | null>
}

/** Checks the mandates of one protocol. */
export type MandateCheck = (input: MandateInput, verifiers: MandateVerifiers) => Promise<MandateFinding>
